import type { SecondFactorDemand } from '@lavra/domain';
import { sql } from 'kysely';
import type { Ctx } from '../../../context.ts';

/** A passkey as it is kept. */
export interface KeptPasskey {
  id: string;
  userId: string;
  credentialId: string;
  publicKey: Buffer;
  signCount: number;
  transports: string[];
  name: string;
  synced: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
}

function selectPasskey(ctx: Ctx) {
  return ctx.db
    .selectFrom('passkey')
    .select(['id', 'user_id as userId', 'credential_id as credentialId', 'public_key as publicKey', 'sign_count as signCount'])
    .select(['transports', 'name', 'synced', 'created_at as createdAt', 'last_used_at as lastUsedAt']);
}

export function listPasskeys(ctx: Ctx, userId: string): Promise<KeptPasskey[]> {
  return selectPasskey(ctx).where('user_id', '=', userId).orderBy('created_at').orderBy('id').execute();
}

export function findPasskey(ctx: Ctx, credentialId: string): Promise<KeptPasskey | undefined> {
  return selectPasskey(ctx).where('credential_id', '=', credentialId).executeTakeFirst();
}

/** False when somebody has this passkey already. */
export async function insertPasskey(tx: Ctx, passkey: Omit<KeptPasskey, 'createdAt' | 'lastUsedAt'>): Promise<boolean> {
  const { id, userId, credentialId, publicKey, signCount, transports, name, synced } = passkey;
  const written = await tx.db
    .insertInto('passkey')
    .values({
      id,
      name,
      transports,
      synced,
      user_id: userId,
      credential_id: credentialId,
      public_key: publicKey,
      sign_count: signCount,
      created_at: tx.clock.now(),
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return Number(written.numInsertedOrUpdatedRows) === 1;
}

/** Notes a use; false when its counter was passed meanwhile by another use. */
export async function notePasskeyUse(tx: Ctx, id: string, use: { signCount: number; synced: boolean }): Promise<boolean> {
  const written = await tx.db
    .updateTable('passkey')
    .set({ sign_count: use.signCount, synced: use.synced, last_used_at: tx.clock.now() })
    .where('id', '=', id)
    .where((e) => e.or([e('sign_count', '<', use.signCount), e('sign_count', '=', 0)]))
    .executeTakeFirst();
  return Number(written.numUpdatedRows) === 1;
}

/** False when the account has no such passkey. */
export async function updatePasskeyName(tx: Ctx, userId: string, id: string, name: string): Promise<boolean> {
  const written = await tx.db.updateTable('passkey').set({ name }).where('user_id', '=', userId).where('id', '=', id).executeTakeFirst();
  return Number(written.numUpdatedRows) === 1;
}

/** The name of the passkey that is gone; undefined when the account has none such. */
export async function deletePasskey(tx: Ctx, userId: string, id: string): Promise<string | undefined> {
  const gone = await tx.db.deleteFrom('passkey').where('user_id', '=', userId).where('id', '=', id).returning('name').executeTakeFirst();
  return gone?.name;
}

/** An app's secret, confirmed or not. */
export interface KeptTotp {
  sealedSecret: Buffer;
  lastStep: number;
  createdAt: Date;
  confirmedAt: Date | null;
  lastUsedAt: Date | null;
}

export function findTotp(ctx: Ctx, userId: string): Promise<KeptTotp | undefined> {
  return ctx.db
    .selectFrom('totp')
    .select(['sealed_secret as sealedSecret', 'last_step as lastStep'])
    .select(['created_at as createdAt', 'confirmed_at as confirmedAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** A secret that nobody has confirmed is replaced; false where there is one that was. */
export async function offerTotp(tx: Ctx, userId: string, sealedSecret: Buffer): Promise<boolean> {
  const offered = { sealed_secret: sealedSecret, last_step: 0, created_at: tx.clock.now() };
  const written = await tx.db
    .insertInto('totp')
    .values({ user_id: userId, ...offered })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(offered).where('totp.confirmed_at', 'is', null))
    .executeTakeFirst();
  return Number(written.numInsertedOrUpdatedRows) === 1;
}

/** Takes a step's code, which is good once: false when it, or a later one, was taken before. */
export async function takeStep(tx: Ctx, userId: string, step: number): Promise<boolean> {
  const written = await tx.db
    .updateTable('totp')
    .set({ last_step: step, last_used_at: tx.clock.now() })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return Number(written.numUpdatedRows) === 1;
}

export async function markTotpConfirmed(tx: Ctx, userId: string): Promise<void> {
  await tx.db.updateTable('totp').set({ confirmed_at: tx.clock.now() }).where('user_id', '=', userId).execute();
}

/** False when the account had no confirmed one. */
export async function deleteTotp(tx: Ctx, userId: string): Promise<boolean> {
  const gone = await tx.db.deleteFrom('totp').where('user_id', '=', userId).returning('confirmed_at').executeTakeFirst();
  return gone !== undefined && gone.confirmed_at !== null;
}

/** What an account has. */
export interface FactorCounts {
  totp: boolean;
  passkeys: number;
  backupCodes: number;
}

export async function countFactors(ctx: Ctx, userId: string): Promise<FactorCounts> {
  const { rows } = await sql<FactorCounts>`select
      exists (select 1 from totp where user_id = ${userId} and confirmed_at is not null) as "totp",
      (select count(*) from passkey where user_id = ${userId}) as "passkeys",
      (select count(*) from backup_code where user_id = ${userId} and used_at is null) as "backupCodes"`.execute(ctx.db);
  return rows[0] ?? { totp: false, passkeys: 0, backupCodes: 0 };
}

/** These codes in the place of all before. */
export async function replaceBackupCodes(tx: Ctx, userId: string, hashes: readonly string[]): Promise<void> {
  await tx.db.deleteFrom('backup_code').where('user_id', '=', userId).execute();
  if (hashes.length === 0) return;
  await tx.db
    .insertInto('backup_code')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute();
}

/** Takes a code, once. */
export async function takeBackupCode(tx: Ctx, userId: string, hash: string): Promise<boolean> {
  const written = await tx.db
    .updateTable('backup_code')
    .set({ used_at: tx.clock.now() })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return Number(written.numUpdatedRows) === 1;
}

/** Whether this code, used or not, is one of the account's: those of before were taken away. */
export async function hasBackupCode(tx: Ctx, userId: string, hash: string): Promise<boolean> {
  const found = await tx.db
    .selectFrom('backup_code')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return found !== undefined;
}

/** Every factor of an account, and what was begun with them; true when there was one. */
export async function deleteFactors(tx: Ctx, userId: string): Promise<boolean> {
  const { totp, passkeys } = await countFactors(tx, userId);
  for (const table of ['totp', 'passkey', 'backup_code', 'factor_challenge'] as const)
    await tx.db.deleteFrom(table).where('user_id', '=', userId).execute();
  return totp || passkeys > 0;
}

export async function findPolicy(ctx: Ctx): Promise<SecondFactorDemand> {
  const row = await ctx.db.selectFrom('second_factor_policy').select('required_of').executeTakeFirst();
  return row?.required_of ?? 'nobody';
}

/** What it was before. */
export async function writePolicy(tx: Ctx, requiredOf: SecondFactorDemand): Promise<SecondFactorDemand> {
  const before = await findPolicy(tx);
  await tx.db
    .insertInto('second_factor_policy')
    .values({ required_of: requiredOf })
    .onConflict((conflict) => conflict.column('one').doUpdateSet({ required_of: requiredOf }))
    .execute();
  return before;
}

/** Active accounts, and those of them that have a factor. */
export async function countProtected(ctx: Ctx): Promise<{ accounts: number; withFactor: number }> {
  const { rows } = await sql<{ accounts: number; withFactor: number }>`
    select count(*) as "accounts", count(*) filter (
      where exists (select 1 from totp where totp.user_id = app_user.id and confirmed_at is not null)
        or exists (select 1 from passkey where passkey.user_id = app_user.id)
    ) as "withFactor"
    from app_user where activated`.execute(ctx.db);
  return rows[0] ?? { accounts: 0, withFactor: 0 };
}
