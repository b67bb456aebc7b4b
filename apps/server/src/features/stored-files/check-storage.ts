import type { checkStorage as call, Reply } from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { StorageError } from '../../storage/blob-store.ts';
import { listFaultsSince, summarizeInventory } from './stored-files.store.ts';

const NAMED = 50;

/** Tries the storage, and tells what the inventory knows of its files. Of a file's name enough is told to find it. */
export async function checkStorage(ctx: Ctx, actor: Person): Promise<Reply<typeof call>> {
  const began = performance.now();
  const reason = await ctx.storage.probe().then(
    () => null,
    (error: unknown) => (error instanceof StorageError ? error.code : 'storage.unavailable'),
  );
  const ms = Math.round(performance.now() - began);
  const [inventory, faults] = await Promise.all([summarizeInventory(ctx), listFaultsSince(ctx, NAMED)]);
  await recordAudit(ctx, {
    kind: 'installation.checked',
    outcome: reason === null ? 'success' : 'failure',
    ...(reason === null ? {} : { reason }),
    accountId: actor.userId,
    subjectId: 'storage',
    ip: actor.from.ip,
  });
  return {
    works: reason === null,
    reason,
    ms,
    kind: ctx.config.s3 ? 's3' : 'disk',
    ...inventory,
    oldestCheck: inventory.oldestCheck?.toISOString() ?? null,
    faults: faults.map(({ hash, fault, firstSeen }) => ({ file: `${hash.slice(0, 12)}…`, fault, firstSeen: firstSeen.toISOString() })),
  };
}
