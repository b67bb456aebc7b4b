import { canView, checkedSigner, DomainError, refusalToCorrect } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { replaceLinks } from '../../access/signer-links.store.ts';
import type { Ctx } from '../../context.ts';
import { actOnHeld, holdNewestProcess } from '../processes/life/act-on-process.ts';
import { type CorrectedSigner, rewriteSigner } from '../processes/life/rewrite-signer.ts';
import type { ProcessSigner } from '../processes/signature-process.ts';
import { lockWaitingAttempt } from './digital/digital.store.ts';
import { closeAttempt, findLastAttempt, forgetFailures } from './signing.store.ts';

export interface Correction {
  id: string;
  signerId: string;
  name: string;
  email: string;
  /** Null: none; undefined: as it is. */
  phoneNumber?: string | null | undefined;
  legalIdentifier?: string | null | undefined;
  companyIdentifier?: string | null | undefined;
}

/**
 * Corrects who a signer is who has not acted: every link of theirs is dead from then on, and whoever is waited for is invited anew.
 * @throws DomainError process.notFound (also for somebody else's), signer.notFound, signer.unchanged, signer.alreadySigned …, signing.underWay; what `checkedSigner` throws
 */
export async function correctSigner(ctx: Ctx, actor: Person, given: Correction): Promise<void> {
  await ctx.transaction(async (tx) => {
    const held = await holdNewestProcess(tx, given.id);
    const { status, ownerId, signers } = held.signatureProcess;
    if (!canView({ status, currentIsOwner: ownerId === actor.userId, currentIsInvited: false })) throw new DomainError('process.notFound');
    const before = signers.find(({ id }) => id === given.signerId);
    if (!before) throw new DomainError('signer.notFound');
    const refusal = refusalToCorrect(held.signatureProcess, before.id, tx.clock.now());
    if (refusal) throw new DomainError(refusal);
    const after = corrected(before, given);
    const facts = changesOf(before, after);
    if (Object.keys(facts).length === 0) throw new DomainError('signer.unchanged');
    await endAttempt(tx, before.id);
    await actOnHeld(tx, held, { kind: 'correct', signerId: before.id, name: after.name, facts: { ...facts, by: actor.email } });
    await replaceLinks(tx, before.id);
    await rewriteSigner(tx, before.id, after);
  });
}

function corrected(before: ProcessSigner, { name, email, ...given }: Correction): CorrectedSigner {
  const { phoneNumber = before.phoneNumber, legalIdentifier = before.cpf, companyIdentifier = before.cnpj } = given;
  return checkedSigner({ name, email, phoneNumber, legalIdentifier, companyIdentifier, order: before.order });
}

/** For the log: what it was where it is another now. Of numbers only that they changed. */
function changesOf(before: ProcessSigner, after: CorrectedSigner): Record<string, string | boolean> {
  return {
    ...(before.name === after.name ? {} : { previousName: before.name }),
    ...(before.email === after.email ? {} : { previousEmail: before.email, email: after.email }),
    ...(before.phoneNumber === after.phoneNumber ? {} : { phoneChanged: true }),
    ...(before.cpf === after.cpf ? {} : { cpfChanged: true }),
    ...(before.cnpj === after.cnpj ? {} : { cnpjChanged: true }),
  };
}

/**
 * A certificate's holder who is being waited for is waited for no more; what is being signed at this moment is not interrupted. What failed
 * before was another person's, or another certificate's, and is not told to who comes now.
 */
async function endAttempt(tx: Ctx, signerId: string): Promise<void> {
  const waiting = await lockWaitingAttempt(tx, signerId);
  if (waiting) await closeAttempt(tx, waiting, { state: 'expired', reason: 'signing.canceled' });
  await forgetFailures(tx, signerId);
  const last = await findLastAttempt(tx, signerId);
  if (last?.state === 'signing' || last?.state === 'authorizing') throw new DomainError('signing.underWay');
}
