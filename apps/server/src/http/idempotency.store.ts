import type { Ctx } from '../context.ts';

const STALE_CLAIM_MS = 120_000;

/** The first answer, for whoever repeats the request. */
export interface KeptReply {
  body: unknown;
  status?: number;
  headers?: Record<string, string>;
}

/** True when the caller now holds the key. A claim without an answer after two minutes belongs to a node that died. */
export async function claimKey(ctx: Ctx, id: string, requestHash: string): Promise<boolean> {
  const now = ctx.clock.now();
  const row = await ctx.db
    .insertInto('idempotency_key')
    .values({ id, request_hash: requestHash, reply: null, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ created_at: now, request_hash: requestHash })
        .where('idempotency_key.reply', 'is', null)
        .where('idempotency_key.created_at', '<', new Date(now.getTime() - STALE_CLAIM_MS)),
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
