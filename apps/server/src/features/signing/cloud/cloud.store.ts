import type { Ctx } from '../../../context.ts';
import { type Attempt, attemptColumns } from '../signing.store.ts';

export async function findAttemptByState(ctx: Ctx, stateHash: string): Promise<Attempt | undefined> {
  return ctx.db
    .selectFrom('signing_attempt')
    .select(attemptColumns)
    .where('kind', '=', 'cloud')
    .where('state_hash', '=', stateHash)
    .executeTakeFirst();
}

/** Keeps what the attempt waits for; false when it was closed meanwhile. */
export async function keepPending(tx: Ctx, id: string, pending: { stateHash: string; secret: Buffer; expiresAt: Date }): Promise<boolean> {
  const changed = await tx.db
    .updateTable('signing_attempt')
    .set({ state_hash: pending.stateHash, secret: pending.secret, expires_at: pending.expiresAt, updated_at: tx.clock.now() })
    .where('id', '=', id)
    .where('state', '=', 'authorizing')
    .executeTakeFirst();
  return Number(changed.numUpdatedRows) === 1;
}

/** `authorizing` → `signing`, once, while it is waited for. `until`: when its token must have come. */
export async function claimAttempt(ctx: Ctx, id: string, until: Date): Promise<boolean> {
  const now = ctx.clock.now();
  const changed = await ctx.db
    .updateTable('signing_attempt')
    .set({ state: 'signing', expires_at: until, updated_at: now })
    .where('id', '=', id)
    .where('state', '=', 'authorizing')
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(changed.numUpdatedRows) === 1;
}

/** Keeps the token of an attempt that is being signed; false when it was closed meanwhile. */
export async function keepAuthorization(tx: Ctx, id: string, secret: Buffer, expiresAt: Date): Promise<boolean> {
  const changed = await tx.db
    .updateTable('signing_attempt')
    .set({ secret, expires_at: expiresAt, updated_at: tx.clock.now() })
    .where('id', '=', id)
    .where('state', '=', 'signing')
    .executeTakeFirst();
  return Number(changed.numUpdatedRows) === 1;
}

/** Holds an attempt that still waits for its holder until the end of the transaction; false when it no longer waits. */
export async function lockWaiting(tx: Ctx, id: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('signing_attempt')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'authorizing')
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** A claimed attempt whose time is over, held until the end of the transaction; null when there is none. */
export async function lockLapsed(
  tx: Ctx,
  which: { attemptId: string } | { signerId: string },
): Promise<{ id: string; secret: Buffer | null } | null> {
  const row = await tx.db
    .selectFrom('signing_attempt')
    .select(['id', 'secret'])
    .where('attemptId' in which ? 'id' : 'signer_id', '=', 'attemptId' in which ? which.attemptId : which.signerId)
    .where('kind', '=', 'cloud')
    .where('state', '=', 'signing')
    .where('expires_at', '<=', tx.clock.now())
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Whether the provider's values are written down: all of them or none. */
export async function hasValues(ctx: Ctx, attemptId: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('prepared_signature')
    .select('attempt_id')
    .where('attempt_id', '=', attemptId)
    .where('value', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Cloud attempts whose token is over, or never came, and that nothing was heard of since `before`. */
export async function listStaleCloudAttemptIds(ctx: Ctx, before: Date): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('signing_attempt')
    .select('id')
    .where('kind', '=', 'cloud')
    .where('state', '=', 'signing')
    .where((eb) =>
      eb.or([eb.and([eb('expires_at', '<', ctx.clock.now()), eb('updated_at', '<', before)]), eb('reason', '=', 'server.clockBehind')]),
    )
    .limit(500)
    .execute();
  return rows.map(({ id }) => id);
}

/** Attempts of every kind whose holder was waited for in vain. */
export async function listOverdueAttemptIds(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('signing_attempt')
    .select('id')
    .where('state', '=', 'authorizing')
    .where('expires_at', '<=', ctx.clock.now())
    .limit(500)
    .execute();
  return rows.map(({ id }) => id);
}
