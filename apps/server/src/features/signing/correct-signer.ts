import { canView, checkedSignerName, DomainError, isEmail, limits, normalizeEmail, parseCpf, refusalToCorrect } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { replaceLinks } from '../../access/signer-links.store.ts';
import type { Ctx } from '../../context.ts';
import { actOnHeld, holdNewestProcess } from '../processes/life/act-on-process.ts';
import { type CorrectedSigner, rewriteSigner } from '../processes/life/rewrite-signer.ts';
import type { ProcessSigner } from '../processes/signature-process.ts';
import { lockWaitingAttempt } from './digital/digital.store.ts';
import { closeAttempt, findLastAttempt } from './signing.store.ts';

export interface Correction {
  id: string;
  signerId: string;
  name: string;
  email: string;
  /** Null: none is expected; undefined: as it is. */
  legalIdentifier: string | null | undefined;
}

/**
 * Corrects who a signer is who has not acted: every link of theirs is dead from then on, and whoever is waited for is invited anew.
 * @throws DomainError process.notFound (also for somebody else's), signer.notFound, signer.unchanged, signer.alreadySigned …, signing.underWay; text.invisible, signer.nameRequired …, signer.emailInvalid, evidence.cpfInvalid
 */
export async function correctSigner(ctx: Ctx, actor: Person, given: Correction): Promise<void> {
  const name = checkedSignerName(given.name);
  const email = normalizeEmail(given.email);
  if (!isEmail(email, limits.signerEmailMax)) throw new DomainError('signer.emailInvalid', { field: 'email' });
  const { legalIdentifier } = given;
  const typed = typeof legalIdentifier === 'string' ? parseCpf(legalIdentifier) : legalIdentifier;
  if (typeof legalIdentifier === 'string' && !typed) throw new DomainError('evidence.cpfInvalid', { field: 'legalIdentifier' });
  await ctx.transaction(async (tx) => {
    const held = await holdNewestProcess(tx, given.id);
    const { status, ownerId, signers } = held.signatureProcess;
    if (!canView({ status, currentIsOwner: ownerId === actor.userId, currentIsInvited: false })) throw new DomainError('process.notFound');
    const before = signers.find(({ id }) => id === given.signerId);
    if (!before) throw new DomainError('signer.notFound');
    const refusal = refusalToCorrect(held.signatureProcess, before.id, tx.clock.now());
    if (refusal) throw new DomainError(refusal);
    const after = { name, email, cpf: typed === undefined ? before.cpf : typed };
    const facts = changesOf(before, after);
    if (Object.keys(facts).length === 0) throw new DomainError('signer.unchanged');
    await endAttempt(tx, before.id);
    await actOnHeld(tx, held, { kind: 'correct', signerId: before.id, name, facts: { ...facts, by: actor.email } });
    await replaceLinks(tx, before.id);
    await rewriteSigner(tx, before.id, after);
  });
}

/** For the log: what it was where it is another now. Of a CPF only that it changed. */
function changesOf(before: ProcessSigner, after: CorrectedSigner): Record<string, string | boolean> {
  return {
    ...(before.name === after.name ? {} : { previousName: before.name }),
    ...(before.email === after.email ? {} : { previousEmail: before.email, email: after.email }),
    ...(before.cpf === after.cpf ? {} : { cpfChanged: true }),
  };
}

/** A certificate's holder who is being waited for is waited for no more; what is being signed at this moment is not interrupted. */
async function endAttempt(tx: Ctx, signerId: string): Promise<void> {
  const waiting = await lockWaitingAttempt(tx, signerId);
  if (waiting) await closeAttempt(tx, waiting, { state: 'expired', reason: 'signing.canceled' });
  const last = await findLastAttempt(tx, signerId);
  if (last?.state === 'signing' || last?.state === 'authorizing') throw new DomainError('signing.underWay');
}
