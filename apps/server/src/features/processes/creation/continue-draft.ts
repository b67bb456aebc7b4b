import { canContinueDraft, DomainError } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { findProcess, type HeldProcess } from '../aggregate.store.ts';
import { touchDraft } from '../processes.store.ts';
import type { SignatureProcess } from '../signature-process.ts';

/**
 * A draft of the actor's own, kept for the rest of the transaction: what is added at the same time waits, and a start too.
 * @throws DomainError process.notFound (also for somebody else's), process.notDraft
 */
export async function continueDraft(tx: Ctx, actor: Person, id: string): Promise<SignatureProcess> {
  return (await continueHeld(tx, actor, id)).signatureProcess;
}

/** The same with the version of its row. @throws DomainError process.notFound, process.notDraft */
export async function continueHeld(tx: Ctx, actor: Person, id: string): Promise<HeldProcess> {
  // First: whatever is being added is in before we look.
  await touchDraft(tx, id);
  return readDraft(tx, actor, id);
}

/** A draft of the actor's own, held by nobody: what is added to it is written where its version is still this one. @throws DomainError process.notFound, process.notDraft */
export async function readDraft(ctx: Ctx, actor: Person, id: string): Promise<HeldProcess> {
  const held = await findProcess(ctx, id, 'read');
  const currentIsOwner = held?.signatureProcess.ownerId === actor.userId;
  if (!held || !currentIsOwner) throw new DomainError('process.notFound');
  if (!canContinueDraft({ status: held.signatureProcess.status, currentIsOwner })) throw new DomainError('process.notDraft');
  return held;
}
