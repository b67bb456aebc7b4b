import { type AccountState, accountState, DomainError } from '@lavra/domain';
import { type Expression, type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { AppUserTable, Database } from '../../db/tables.ts';

/** An account as it is kept. */
export interface User {
  id: string;
  login: string;
  email: string;
  firstName: string;
  lastName: string;
  /** argon2id; null for social login. */
  passwordHash: string | null;
  /** 'password' or the social provider's id. */
  loginType: string;
  langKey: AppUserTable['lang_key'];
  /** IANA's name. */
  timeZone: string;
  state: AccountState;
  authorities: AppUserTable['authorities'];
  createdAt: Date;
}

function selectUser(ctx: Ctx) {
  return ctx.db
    .selectFrom('app_user')
    .select(['id', 'login', 'email', 'first_name as firstName', 'last_name as lastName', 'password_hash as passwordHash'])
    .select(['login_type as loginType', 'lang_key as langKey', 'time_zone as timeZone', 'authorities', 'created_at as createdAt'])
    .select(['activated', 'deactivated_at as deactivatedAt', 'erased_at as erasedAt']);
}

function toUser<Row extends { activated: boolean; deactivatedAt: Date | null; erasedAt: Date | null }>(row: Row | undefined) {
  if (!row) return undefined;
  const { activated, deactivatedAt, erasedAt, ...user } = row;
  return { ...user, state: accountState({ activated, deactivatedAt, erasedAt }) };
}

export async function findUserByEmail(ctx: Ctx, email: string): Promise<User | undefined> {
  return toUser(await selectUser(ctx).where('email', '=', email).executeTakeFirst());
}

export async function findUserById(ctx: Ctx, id: string): Promise<User | undefined> {
  return toUser(await selectUser(ctx).where('id', '=', id).executeTakeFirst());
}

/** Who these accounts are; those that are gone are left out. */
export async function findAccountNames(ctx: Ctx, ids: readonly string[]): Promise<Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>[]> {
  if (ids.length === 0) return [];
  return ctx.db
    .selectFrom('app_user')
    .select(['id', 'email', 'first_name as firstName', 'last_name as lastName'])
    .where('id', 'in', ids)
    .execute();
}

/** What an account is called, as SQL, for a statement that reads more on its way; null: there is none. */
export function accountNameOf(id: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(select trim(app_user.first_name || ' ' || app_user.last_name) from app_user where app_user.id = ${id})`;
}

/** Whether an account can be entered, as SQL (its id as SQL as well). */
export function isAccountOpen(id: Expression<string>) {
  return sql<boolean>`exists (select from app_user where app_user.id = ${id} and app_user.activated)`;
}

/** With the account's row held until the end of the transaction; what names it is not kept waiting. */
export async function holdUserById(tx: Ctx, id: string): Promise<User | undefined> {
  return toUser(await selectUser(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst());
}

/**
 * SQL for the accounts of these addresses (SQL as well). They are held until the end: one that is being activated at this moment
 * is seen as it will be.
 */
export function accountsWithEmail(emails: RawBuilder<unknown>) {
  return sql`select id, email, activated from app_user where email in (${emails}) for key share`;
}

/** What others need of an account, as JSON has it. */
export type AccountJson = Pick<User, 'id' | 'email' | 'firstName' | 'lastName' | 'langKey' | 'authorities'> & { createdAt: string };

/** SQL for it (the id as SQL as well); null where there is none, or its data were erased. */
export function accountJson(id: Expression<string>) {
  return sql<AccountJson | null>`(
    select json_build_object('id', id, 'email', email, 'firstName', first_name, 'lastName', last_name, 'langKey', lang_key,
      'authorities', authorities, 'createdAt', created_at)
    from app_user where app_user.id = ${id} and erased_at is null)`;
}

export async function hasAnyUser(ctx: Ctx): Promise<boolean> {
  return (await ctx.db.selectFrom('app_user').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Keys of earlier starts are good too: who reads one console is not told about another. */
export async function insertFirstAccountKey(ctx: Ctx, hash: string): Promise<void> {
  await ctx.db.insertInto('first_account_key').values({ key_hash: hash, created_at: ctx.clock.now() }).execute();
}

/** True when one of the printed keys was shown; all of them end with it. */
export async function useFirstAccountKey(tx: Ctx, hash: string): Promise<boolean> {
  const found = await tx.db.selectFrom('first_account_key').select('key_hash').where('key_hash', '=', hash).executeTakeFirst();
  if (found) await tx.db.deleteFrom('first_account_key').execute();
  return found !== undefined;
}

/** Nobody has shown that its address is theirs, and no administrator has shut it. */
function isUnconfirmed(e: ExpressionBuilder<Database, 'app_user'>) {
  return e.and([e('app_user.activated', '=', false), e('app_user.deactivated_at', 'is', null)]);
}

/** Two first registrations at once must not both become administrator: the rest of the transaction runs alone. */
export async function lockRegistration(tx: Ctx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('lavra:registration'))`.execute(tx.db);
}

/**
 * Writes an account, or replaces one of the same e-mail that nobody has confirmed. Its id; undefined when the e-mail is taken, be it
 * by an account that was deactivated, or by one that an administrator made for whoever reads its mail. Keys of the replaced one are dead.
 */
export async function insertUser(tx: Ctx, user: Omit<User, 'state' | 'timeZone'> & { activated: boolean }): Promise<string | undefined> {
  const { id, login, email, activated, authorities } = user;
  const replacing = {
    login,
    email,
    first_name: user.firstName,
    last_name: user.lastName,
    password_hash: user.passwordHash,
    login_type: user.loginType,
    lang_key: user.langKey,
    activated,
    authorities,
    created_at: user.createdAt,
    created_by: null,
  };
  const written = await tx.db
    .insertInto('app_user')
    .values({ id, ...replacing })
    .onConflict((conflict) => conflict.column('email').doUpdateSet(replacing).where(isUnconfirmed).where('app_user.created_by', 'is', null))
    .returning('id')
    .executeTakeFirst();
  if (written) await useUpKeys(tx, written.id);
  return written?.id;
}

export async function insertKey(
  tx: Ctx,
  key: { hash: string; userId: string; purpose: 'activation' | 'reset'; expiresAt: Date; deviceId: string | null },
): Promise<void> {
  await tx.db
    .insertInto('account_key')
    .values({ key_hash: key.hash, user_id: key.userId, purpose: key.purpose, expires_at: key.expiresAt, device_id: key.deviceId })
    .execute();
}

/** The account behind a key that is still good, and the browser that the key was made for. */
export async function findByKey(ctx: Ctx, hash: string, purpose: 'activation' | 'reset') {
  return ctx.db
    .selectFrom('account_key')
    .innerJoin('app_user', 'app_user.id', 'account_key.user_id')
    .select(['app_user.id', 'app_user.password_hash as passwordHash', 'account_key.device_id as deviceId'])
    .where('key_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst();
}

/** Whoever changes how an account is entered, or enters it, does it alone: taken before its keys. The account as it is then. */
export async function lockUser(tx: Ctx, id: string): Promise<User> {
  const user = toUser(await selectUser(tx).where('id', '=', id).forUpdate().executeTakeFirst());
  if (!user) throw new DomainError('request.unauthorized');
  return user;
}

/** The authorities that the provider of single sign-on gives by its roles. */
export async function followAuthorities(tx: Ctx, id: string, authorities: User['authorities']): Promise<void> {
  await tx.db.updateTable('app_user').set({ authorities }).where('id', '=', id).execute();
}

/** Name and address as that provider has them; false, and nothing is changed, where the address is another account's. */
export async function followPerson(tx: Ctx, id: string, person: Pick<User, 'firstName' | 'lastName' | 'email'>): Promise<boolean> {
  const { firstName, lastName, email } = person;
  const written = await tx.db
    .updateTable('app_user')
    .set({ first_name: firstName, last_name: lastName, email, login: email })
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('app_user as other').select('other.id').where('other.email', '=', email).where('other.id', '!=', id))),
    )
    .executeTakeFirst();
  return Number(written.numUpdatedRows) === 1;
}

/** Takes a key that is still good, once. */
export async function useKey(tx: Ctx, hash: string): Promise<boolean> {
  const written = await tx.db
    .updateTable('account_key')
    .set({ used_at: tx.clock.now() })
    .where('key_hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', tx.clock.now())
    .executeTakeFirst();
  return Number(written.numUpdatedRows) === 1;
}

/** No key that was mailed before opens the account any more. */
export async function useUpKeys(tx: Ctx, userId: string): Promise<void> {
  await tx.db
    .updateTable('account_key')
    .set({ used_at: tx.clock.now() })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
}

/** Its address is confirmed. @throws DomainError account.keyInvalid for one that was deactivated: no mailed link opens it */
export async function activateUser(tx: Ctx, id: string): Promise<void> {
  const written = await tx.db
    .updateTable('app_user')
    .set({ activated: true })
    .where('id', '=', id)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst();
  if (Number(written.numUpdatedRows) !== 1) throw new DomainError('account.keyInvalid');
}

/** Shuts an account; false when it is shut already. */
export async function deactivateUser(tx: Ctx, id: string): Promise<boolean> {
  const written = await tx.db
    .updateTable('app_user')
    .set((e) => ({ deactivated_at: tx.clock.now(), was_activated: e.ref('activated'), activated: false }))
    .where('id', '=', id)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst();
  return Number(written.numUpdatedRows) === 1;
}

/** Those who give up the administration do it one after the other, until the end of their transactions. */
export async function lockAdministrators(tx: Ctx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('lavra:administrators'))`.execute(tx.db);
}

/** Whether an active account other than this one administers the installation. */
export async function hasOtherAdministrator(tx: Ctx, id: string): Promise<boolean> {
  const other = await tx.db
    .selectFrom('app_user')
    .select('id')
    .where('id', '!=', id)
    .where('activated', '=', true)
    .where(sql<boolean>`'ROLE_ADMIN' = any(authorities)`)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** Gives a deactivated account the state that it had before; false when it is none. */
export async function reactivateUser(tx: Ctx, id: string): Promise<boolean> {
  const written = await tx.db
    .updateTable('app_user')
    .set((e) => ({ deactivated_at: null, was_activated: null, activated: e.fn.coalesce('was_activated', e.lit(false)) }))
    .where('id', '=', id)
    .where('deactivated_at', 'is not', null)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
  return Number(written.numUpdatedRows) === 1;
}

export async function setPassword(tx: Ctx, id: string, passwordHash: string): Promise<void> {
  await tx.db.updateTable('app_user').set({ password_hash: passwordHash }).where('id', '=', id).execute();
}

/** By what a social account is entered: the provider whose word its e-mail is. */
export async function setLoginType(tx: Ctx, id: string, loginType: string): Promise<void> {
  await tx.db.updateTable('app_user').set({ login_type: loginType }).where('id', '=', id).execute();
}

/** The name that whoever holds the mailbox gives themself, in place of what a stranger typed. */
export async function setName(tx: Ctx, id: string, firstName: string): Promise<void> {
  await tx.db.updateTable('app_user').set({ first_name: firstName, last_name: '' }).where('id', '=', id).execute();
}

export async function updateProfile(
  tx: Ctx,
  id: string,
  profile: { firstName: string; lastName: string; langKey: 'pt-br' | 'en' | 'es'; timeZone: string | undefined },
): Promise<void> {
  await tx.db
    .updateTable('app_user')
    .set({ first_name: profile.firstName, last_name: profile.lastName, lang_key: profile.langKey })
    .set((e) => ({ version: e('version', '+', 1), modified_by: null, modified_at: tx.clock.now() }))
    .$if(profile.timeZone !== undefined, (query) => query.set({ time_zone: profile.timeZone ?? '' }))
    .where('id', '=', id)
    .execute();
}

/** With their account. */
export async function removeKeysOf(tx: Ctx, userId: string): Promise<void> {
  await tx.db.deleteFrom('account_key').where('user_id', '=', userId).execute();
}

export async function removeExpiredKeys(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db.deleteFrom('account_key').where('expires_at', '<', before).execute();
}
