import { isNo, isYes, listOf, readAnswer, textIn } from './answers.ts';
import { endpoint } from './context.ts';
import type { PscContext } from './context.ts';
import type { ConfiguredPsc } from './configure.ts';
import { PscError } from './errors.ts';
import type { PscErrorCode } from './errors.ts';
import { identificationOf } from './identification.ts';
import type { Identification } from './identification.ts';
import { failure, send } from './network.ts';
import type { Call } from './network.ts';
import type { PscId } from './providers.ts';

/** One certificate at a provider. */
export interface PscSlot {
  readonly alias: string | null;
  /** The provider's own words for it. */
  readonly label: string | null;
}

export interface AvailablePsc {
  readonly psc: PscId;
  /** At least one. */
  readonly slots: readonly PscSlot[];
}

export interface FoundCertificates {
  readonly availablePscs: readonly AvailablePsc[];
  /** Who was asked and did not say yes or no, and why: for the log, and to tell "none" from "we cannot know". */
  readonly unanswered: readonly { readonly psc: PscId; readonly code: PscErrorCode }[];
}

/**
 * Asks every configured provider at once whether the CPF (or CNPJ) has a certificate there, each within its own deadline, and
 * keeps who says yes. Never throws for what a provider does. It answers strangers' questions about a CPF: who may ask, and how
 * often, is the caller's to fence.
 */
export async function findCertificates(context: PscContext, cpf: string): Promise<FoundCertificates> {
  const identification = identificationOf(cpf);
  const answers = await Promise.all(
    context.pscs.map(async (psc) => {
      try {
        return { psc: psc.id, slots: await discoverUser(context, psc, identification) };
      } catch (error) {
        if (!(error instanceof PscError)) throw error;
        return { psc: psc.id, code: error.code };
      }
    }),
  );
  return {
    availablePscs: answers.flatMap(({ psc, slots = [] }) => (slots.length > 0 ? [{ psc, slots }] : [])),
    unanswered: answers.flatMap(({ psc, code }) => (code === undefined ? [] : [{ psc, code }])),
  };
}

/** POST /user-discovery. Empty: the provider knows nobody of that number. */
export async function discoverUser(context: PscContext, psc: ConfiguredPsc, who: Identification): Promise<PscSlot[]> {
  const call: Call = {
    psc,
    call: 'user-discovery',
    url: endpoint(psc, 'user-discovery'),
    json: { client_id: psc.clientId, client_secret: psc.clientSecret, user_cpf_cnpj: who.type, val_cpf_cnpj: who.value },
    deadlineMs: context.deadlines.discoveryMs,
  };
  const fields = readAnswer(call, await send(context.outside, call));
  // "N" is an answer; "error" is none.
  if (typeof fields['status'] === 'string' && /^(n|n[aã]o|no)$/i.test(fields['status'].trim())) return [];
  if (fields['status'] === false) return [];
  if (isNo(fields['status'])) throw failure(call, 'PSC_REQUEST_REFUSED');
  const slots = listOf(fields['slots'], 'slot_alias').map((slot) => ({
    alias: textIn(slot, 'slot_alias', 'alias'),
    label: textIn(slot, 'label'),
  }));
  if (!isYes(fields['status']) && slots.length === 0) throw failure(call, 'PSC_BAD_ANSWER');
  return slots.length > 0 ? slots : [{ alias: null, label: null }];
}
