import { canDeleteDraft, DomainError, limits } from '@lavra/domain';
import { system } from '../../../access/actor.ts';
import { defineJob } from '../../../jobs/queue.ts';
import type { Ctx } from '../../../context.ts';
import { deleteAbandonedDocuments } from '../../documents/sweep-documents.ts';
import { staleDrafts } from '../processes.store.ts';
import { removeDraft } from './remove-draft.ts';
import { startByItself } from './start-by-itself.ts';

/** Starts drafts that a client left without closing, removes the ones that cannot start, and documents nobody used. */
export const sweepDraftsJob = defineJob<Record<string, never>>({
  name: 'sweep-drafts',
  async run(ctx) {
    const now = ctx.clock.now();
    const abandonedBefore = new Date(now.getTime() - limits.draftLifetimeHours * 3_600_000);
    for await (const draft of staleDrafts(ctx, new Date(now.getTime() - limits.draftAutoStartSeconds * 1000))) {
      if (canDeleteDraft(draft, now)) await removeStale(ctx, draft.id);
      // One that is not complete stays until its day is over: its client may come back. Whether a sequence that
      // failed halfway is complete only its client knows: one that says it closes its own is waited for.
      else if (!draft.awaitsStart) await startByItself(ctx, draft);
    }
    await deleteAbandonedDocuments(ctx, abandonedBefore);
  },
});

/** One that was started or removed meanwhile is none any more. */
async function removeStale(ctx: Ctx, id: string): Promise<void> {
  try {
    await removeDraft(ctx, system, id);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'process.notDraft')) throw error;
  }
}
