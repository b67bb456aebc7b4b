import { canDeleteDraft, limits } from '@lavra/domain';
import { system } from '../../../access/actor.ts';
import { defineJob } from '../../../jobs/queue.ts';
import type { Ctx } from '../../../context.ts';
import { releaseDocuments } from '../../documents/process-documents.ts';
import { deleteAbandonedDocuments } from '../../documents/sweep-documents.ts';
import { deleteDraft, holdDraft, staleDrafts } from '../processes.store.ts';
import { startProcess } from './start-process.ts';

/** Starts drafts that a client left without closing, removes the ones that cannot start, and documents nobody used. */
export const sweepDraftsJob = defineJob<Record<string, never>>({
  name: 'sweep-drafts',
  cron: '* * * * *',
  async run(ctx) {
    const now = ctx.clock.now();
    const abandonedBefore = new Date(now.getTime() - limits.draftLifetimeHours * 3_600_000);
    for await (const draft of staleDrafts(ctx, new Date(now.getTime() - limits.draftAutoStartSeconds * 1000))) {
      if (canDeleteDraft(draft, now)) await removeDraft(ctx, draft.id);
      // One that is not complete stays until its day is over: its client may come back. Whether a sequence that
      // failed halfway is complete only its client knows: one that says it closes its own is waited for.
      else if (!draft.awaitsStart)
        await startProcess(ctx, system, draft.id).catch((error) => ctx.log.debug({ err: error }, 'draft not startable'));
    }
    await deleteAbandonedDocuments(ctx, abandonedBefore);
  },
});

/** Its documents become unassigned. Never touches a started process. */
function removeDraft(ctx: Ctx, id: string): Promise<void> {
  return ctx.transaction(async (tx) => {
    if (!(await holdDraft(tx, id))) return;
    await releaseDocuments(tx, id);
    await deleteDraft(tx, id);
  });
}
