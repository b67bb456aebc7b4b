import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { MARKS } from '../installation/presence.ts';

const STALE_CLAIM_MS = 120_000;

/** The first answer, for whoever repeats the request. */
export interface KeptReply {
  body: unknown;
  status?: number;
  headers?: Record<string, string>;
}

/**
 * True when the caller now holds the key. A claim without an answer belongs to a node that died where nobody bears its mark any more, or after two
 * minutes. A node that lost its database for a moment may be at it still: what it makes is named after the key (`onceFor`).
 */
export async function claimKey(ctx: Ctx, id: string, requestHash: string): Promise<boolean> {
  const now = ctx.clock.now();
  const held_by = ctx.mark();
  const isDead = sql<boolean>`case when idempotency_key.held_by is null then false else pg_try_advisory_xact_lock(${sql.raw(MARKS)}, idempotency_key.held_by) end`;
  const row = await ctx.db
    .insertInto('idempotency_key')
    .values({ id, request_hash: requestHash, reply: null, created_at: now, held_by })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ created_at: now, request_hash: requestHash, held_by })
        .where('idempotency_key.reply', 'is', null)
        .where((eb) => eb.or([eb('idempotency_key.created_at', '<', new Date(now.getTime() - STALE_CLAIM_MS)), isDead])),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function readKey(ctx: Ctx, id: string) {
  return ctx.db.selectFrom('idempotency_key').select(['request_hash as requestHash', 'reply']).where('id', '=', id).executeTakeFirst();
}

export async function storeReply(ctx: Ctx, id: string, reply: KeptReply): Promise<void> {
  await ctx.db
    .updateTable('idempotency_key')
    .set({ reply: JSON.stringify(reply) })
    .where('id', '=', id)
    .execute();
}

export async function releaseKey(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.deleteFrom('idempotency_key').where('id', '=', id).where('reply', 'is', null).execute();
}

export async function removeOldAnswers(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db.deleteFrom('idempotency_key').where('created_at', '<', before).execute();
}
