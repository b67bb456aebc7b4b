import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';

/** The address that an account waits to have; null: none. */
export async function findPendingEmail(ctx: Ctx, userId: string): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('account_key')
    .select('new_email')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'email')
    .where('used_at', 'is', null)
    .where('expires_at', '>', ctx.clock.now())
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.new_email ?? null;
}

/** A key that makes an address the account's; those of before are dead. */
export async function insertEmailKey(tx: Ctx, key: { hash: string; userId: string; newEmail: string; expiresAt: Date }): Promise<void> {
  await dropEmailKeys(tx, key.userId);
  await tx.db
    .insertInto('account_key')
    .values({ key_hash: key.hash, user_id: key.userId, purpose: 'email', new_email: key.newEmail, expires_at: key.expiresAt })
    .execute();
}

/** No address waits any more. */
export async function dropEmailKeys(tx: Ctx, userId: string): Promise<void> {
  await tx.db
    .updateTable('account_key')
    .set({ used_at: tx.clock.now() })
    .where('user_id', '=', userId)
    .where('purpose', '=', 'email')
    .where('used_at', 'is', null)
    .execute();
}

/** What a key that is still good would make the account's address; null for another account's key. */
export async function findNewEmail(ctx: Ctx, hash: string, userId: string): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('account_key')
    .select('new_email')
    .where('key_hash', '=', hash)
    .where('user_id', '=', userId)
    .where('purpose', '=', 'email')
    .where('used_at', 'is', null)
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst();
  return row?.new_email ?? null;
}

/** @throws DomainError account.userexists */
export async function setEmail(tx: Ctx, userId: string, email: string): Promise<void> {
  try {
    await tx.db
      .updateTable('app_user')
      .set((e) => ({ email, login: email, version: e('version', '+', 1), modified_by: null, modified_at: tx.clock.now() }))
      .where('id', '=', userId)
      .execute();
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw new DomainError('account.userexists', { field: 'email' });
    throw error;
  }
}
