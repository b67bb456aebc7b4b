import { filesRemovalAt } from '@lavra/domain';
import { system } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { eachByItself } from '../../jobs/each-by-itself.ts';
import { defineJob } from '../../jobs/queue.ts';
import { findWarnedAt, type KeptBound, listOverdue } from '../processes/life/kept-files.ts';
import type { SignatureProcess } from '../processes/signature-process.ts';
import { removeFiles } from './remove-files.ts';
import { daysKept, everyBound } from './retention-bounds.ts';
import { warnPeople } from './warn-people.ts';

const AT_ONCE = 200;

/**
 * Every night: whose files go within a week is told so, and files whose days are over, and whose people knew it for a week, are
 * removed. Never those of a process that runs.
 */
export const removeOldFilesJob = defineJob<Record<string, never>>({
  name: 'remove-old-files',
  // Past midnight in Brasília; before the storage's sweep of the hour.
  cron: '7 3 * * *',
  exclusive: true,
  expireInSeconds: 3 * 3600,
  async run(ctx) {
    let removed = 0;
    for await (const bound of everyBound(ctx)) {
      await warnPeople(ctx, bound);
      removed += await removeOverdue(ctx, bound);
    }
    if (removed > 0) ctx.log.info({ removed }, 'files of old processes removed');
  },
});

async function removeOverdue(ctx: Ctx, bound: KeptBound): Promise<number> {
  let removed = 0;
  for (let after: string | null = null; ;) {
    const ids: string[] = await listOverdue(ctx, bound, after, AT_ONCE);
    await eachByItself(ctx, ids, async (signatureProcessId) => {
      if (await removeFiles(ctx, system, { signatureProcessId, reason: 'retention', isDue })) removed += 1;
    });
    if (ids.length < AT_ONCE) return removed;
    after = ids.at(-1) ?? null;
  }
}

/** Asked once more under the process's lock: somebody may just have prolonged the days. */
async function isDue(tx: Ctx, signatureProcess: SignatureProcess): Promise<boolean> {
  const { id, finalizedAt } = signatureProcess;
  const [days, warnedAt] = [await daysKept(tx, signatureProcess), await findWarnedAt(tx, id)];
  if (days === null || warnedAt === null || finalizedAt === null) return false;
  return filesRemovalAt({ finalizedAt, warnedAt }, days) <= tx.clock.now();
}
