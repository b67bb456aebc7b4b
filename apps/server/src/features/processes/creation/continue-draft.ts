import { canContinueDraft, DomainError } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { findProcess } from '../aggregate.store.ts';
import { touchDraft } from '../processes.store.ts';
import type { SignatureProcess } from '../signature-process.ts';

/**
 * A draft of the actor's own, kept for the rest of the transaction: what is added at the same time waits, and a start too.
 * @throws DomainError process.notFound (also for somebody else's), process.notDraft
 */
export async function continueDraft(tx: Ctx, actor: Person, id: string): Promise<SignatureProcess> {
  // First: whatever is being added is in before we look.
  await touchDraft(tx, id);
  const held = await findProcess(tx, id, 'read');
  const currentIsOwner = held?.signatureProcess.ownerId === actor.userId;
  if (!held || !currentIsOwner) throw new DomainError('process.notFound');
  if (!canContinueDraft({ status: held.signatureProcess.status, currentIsOwner })) throw new DomainError('process.notDraft');
  return held.signatureProcess;
}
