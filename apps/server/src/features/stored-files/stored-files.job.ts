import type { Ctx } from '../../context.ts';
import { defineJob } from '../../jobs/queue.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { adoptUnknownFiles, auditFaults, auditSlice } from './audit-blobs.ts';
import { removeForgotten } from './remove-forgotten.ts';
import { storageFaultMail } from './storage-fault.mail.ts';
import { listAdministrators, takeUntoldFaults } from './stored-files.store.ts';

const DAY_MS = 24 * 3_600_000;
/** A night's share of reading: a terabyte is through in some two months. */
const NIGHTLY_BYTES = 16 * 1024 ** 3;

/** Every hour: what writers that died left half written, and what nobody has referred to for a day. */
export const sweepStorageJob = defineJob<Record<string, never>>({
  name: 'sweep-storage',
  cron: '23 * * * *',
  exclusive: true,
  expireInSeconds: 3000,
  async run(ctx) {
    const leftovers = await ctx.storage.sweepLeftovers(new Date(ctx.clock.now().getTime() - DAY_MS));
    const removed = await removeForgotten(ctx);
    if (leftovers + removed > 0) ctx.log.info({ leftovers, removed }, 'storage cleaned up');
  },
});

/** Every night a share of the stored files is read and compared, and files that nobody knows are entered. */
export const auditStorageJob = defineJob<Record<string, never>>({
  name: 'audit-storage',
  cron: '41 2 * * *',
  exclusive: true,
  retryLimit: 1,
  expireInSeconds: 6 * 3600,
  async run(ctx) {
    await adoptUnknownFiles(ctx);
    const checked = await auditSlice(ctx, NIGHTLY_BYTES);
    ctx.log.info({ checked }, 'stored files audited');
  },
});

/** Every ten minutes: files at fault are looked at again, and the administrators are written to about new faults, once each. */
export const watchStorageFaultsJob = defineJob<Record<string, never>>({
  name: 'watch-storage-faults',
  cron: '*/10 * * * *',
  exclusive: true,
  async run(ctx) {
    await auditFaults(ctx);
    await tellAdministrators(ctx);
  },
});

export async function tellAdministrators(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (tx) => {
    const faults = await takeUntoldFaults(tx);
    if (faults.length === 0) return;
    for (const { email, firstName, langKey } of await listAdministrators(tx))
      await queueMail(tx, email, langKey, storageFaultMail(tx, langKey, { name: firstName, faults }));
  });
}
