import { readSuccess, textIn } from './answers.ts';
import { endpoint, pscOf } from './context.ts';
import type { PscContext } from './context.ts';
import type { LocatedPsc } from './configure.ts';
import { PscError } from './errors.ts';
import type { PscErrorCode } from './errors.ts';
import { discoverUser } from './find-certificates.ts';
import { identificationOf } from './identification.ts';
import { failure, send } from './network.ts';
import type { Call } from './network.ts';
import type { PscId } from './providers.ts';
import { clientToken } from './token.ts';

export interface ApplicationToRegister {
  /** Shown to signers. */
  readonly name: string;
  readonly comments: string;
  readonly redirectUris: readonly string[];
  readonly email: string;
}

/**
 * POST /application: tells the provider who we are and gets credentials, which are shown once and nowhere logged. Throws
 * PSC_NOT_OFFERED where credentials come by contract.
 */
export async function registerApplication(
  context: Pick<PscContext, 'outside' | 'deadlines'>,
  psc: LocatedPsc,
  application: ApplicationToRegister,
): Promise<{ clientId: string; clientSecret: string }> {
  const call: Call = {
    psc,
    call: 'application',
    url: endpoint(psc, 'application'),
    json: {
      name: application.name,
      comments: application.comments,
      redirect_uris: application.redirectUris,
      email: application.email,
    },
    deadlineMs: context.deadlines.callMs,
  };
  if (!psc.registersApplications) throw failure(call, 'PSC_NOT_OFFERED');
  const fields = readSuccess(call, await send(context.outside, call));
  const clientId = textIn(fields, 'client_id');
  const clientSecret = textIn(fields, 'client_secret');
  if (clientId === null || clientSecret === null) throw failure(call, 'PSC_BAD_ANSWER');
  return { clientId, clientSecret };
}

export interface SetupCheck {
  readonly step: 'credentials' | 'discovery';
  /** Null: in order. */
  readonly code: PscErrorCode | null;
}

/**
 * Whether a provider's set-up works, one code per step, for a command that says it in words: the credentials by /client_token,
 * then a discovery for the given CPF (the administrator's own), who need not have a certificate there.
 */
export async function checkSetup(context: PscContext, id: PscId, cpf: string): Promise<SetupCheck[]> {
  const psc = pscOf(context, id);
  const who = identificationOf(cpf);
  return [
    { step: 'credentials', code: await codeOf(clientToken(context, id)) },
    { step: 'discovery', code: await codeOf(discoverUser(context, psc, who)) },
  ];
}

async function codeOf(trial: Promise<unknown>): Promise<PscErrorCode | null> {
  try {
    await trial;
    return null;
  } catch (error) {
    if (error instanceof PscError) return error.code;
    throw error;
  }
}
