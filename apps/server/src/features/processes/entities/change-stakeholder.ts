import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { continueDraft } from '../creation/continue-draft.ts';
import { checkedStakeholder } from '../creation/create-stakeholder.ts';
import { setStakeholder } from './drafts.store.ts';

/** Changes an interested party of a draft of the actor's own. @throws DomainError process.notFound, process.notDraft, and what `createStakeholder` throws of their values */
export function changeStakeholder(
  ctx: Ctx,
  actor: Person,
  { id, signatureProcessId, ...entered }: { id: string; signatureProcessId: string; name: string; email: string },
): Promise<void> {
  return ctx.transaction(async (tx) => {
    await continueDraft(tx, actor, signatureProcessId);
    await setStakeholder(tx, { id, ...checkedStakeholder(entered) });
  });
}
