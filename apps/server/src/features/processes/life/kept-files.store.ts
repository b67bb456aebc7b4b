import { limits } from '@lavra/domain';
import { sql } from 'kysely';
import type { Ctx } from '../../../context.ts';

/** How long what an account started is kept; `since`: only what it started from then on; `until`: and before. */
export interface KeptBound {
  ownerId: string;
  since: Date | null;
  until: Date | null;
  days: number;
}

const DAY_MS = 86_400_000;
/** A warning that was not followed by the removal for so long is given again: whoever got it has forgotten it. */
const WARNING_HOLDS_DAYS = 60;

/** Ended processes of an account with files that were not removed. */
function endedOf(ctx: Ctx, { ownerId, since, until }: KeptBound, endedBefore: Date) {
  let ended = ctx.db
    .selectFrom('signature_process')
    .where('owner_id', '=', ownerId)
    .where('finalized_at', 'is not', null)
    .where('files_removed_at', 'is', null)
    .where('finalized_at', '<=', endedBefore)
    .where('status', 'not in', ['DRAFT', 'IN_PROGRESS']);
  if (since !== null) ended = ended.where('created_at', '>=', since);
  if (until !== null) ended = ended.where('created_at', '<', until);
  return ended;
}

/** Those that ended before then and whose people were not warned yet: noted as warned. Call inside the transaction that queues their mails. */
export async function takeUnwarned(tx: Ctx, bound: KeptBound, endedBefore: Date, limit: number): Promise<string[]> {
  const now = tx.clock.now();
  const found = endedOf(tx, bound, endedBefore)
    .select('id')
    .where((eb) =>
      eb.or([eb('files_warned_at', 'is', null), eb('files_warned_at', '<', new Date(now.getTime() - WARNING_HOLDS_DAYS * DAY_MS))]),
    )
    .orderBy('finalized_at')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked();
  const rows = await tx.db
    .updateTable('signature_process')
    .set({ files_warned_at: now })
    .where('id', 'in', sql<string>`(${found})`)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Those whose days are over, and whose people were warned a week ago or earlier; after `after`, by id. */
export async function listOverdue(ctx: Ctx, bound: KeptBound, after: string | null, limit: number): Promise<string[]> {
  const now = ctx.clock.now().getTime();
  let overdue = endedOf(ctx, bound, new Date(now - bound.days * DAY_MS))
    .select('id')
    .where('files_warned_at', '<=', new Date(now - limits.retentionWarningDays * DAY_MS))
    .where('files_warned_at', '>=', new Date(now - WARNING_HOLDS_DAYS * DAY_MS));
  if (after !== null) overdue = overdue.where('id', '>', after);
  const rows = await overdue.orderBy('id').limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** When the people of a process were warned; null: never. */
export async function findWarnedAt(ctx: Ctx, id: string): Promise<Date | null> {
  const row = await ctx.db.selectFrom('signature_process').select('files_warned_at as warnedAt').where('id', '=', id).executeTakeFirst();
  return row?.warnedAt ?? null;
}
