import type { Ctx } from '../../../context.ts';
import type { ProvenIdentity } from '../../../identity/identity.ts';

/** A sign-in that went to a provider. */
export interface SignInFlow {
  stateHash: string;
  browserHash: string;
  provider: string;
  remember: boolean;
  expiresAt: Date;
  usedAt: Date | null;
}

export async function insertFlow(ctx: Ctx, flow: Omit<SignInFlow, 'usedAt'>): Promise<void> {
  await ctx.db
    .insertInto('sign_in_flow')
    .values({
      state_hash: flow.stateHash,
      browser_hash: flow.browserHash,
      provider: flow.provider,
      remember: flow.remember,
      created_at: ctx.clock.now(),
      expires_at: flow.expiresAt,
    })
    .execute();
}

export async function findFlow(ctx: Ctx, stateHash: string): Promise<SignInFlow | undefined> {
  return ctx.db
    .selectFrom('sign_in_flow')
    .select(['state_hash as stateHash', 'browser_hash as browserHash', 'provider', 'remember'])
    .select(['expires_at as expiresAt', 'used_at as usedAt'])
    .where('state_hash', '=', stateHash)
    .executeTakeFirst();
}

/** Takes a flow's answer, once; false when it was taken before. */
export async function useFlow(ctx: Ctx, stateHash: string): Promise<boolean> {
  const written = await ctx.db
    .updateTable('sign_in_flow')
    .set({ used_at: ctx.clock.now() })
    .where('state_hash', '=', stateHash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return Number(written.numUpdatedRows) === 1;
}

/** Keeps what a provider said of somebody without an account, until they ask for one. */
export async function keepIdentity(ctx: Ctx, stateHash: string, kept: { sealed: Buffer; expiresAt: Date }): Promise<void> {
  await ctx.db
    .updateTable('sign_in_flow')
    .set({ identity: kept.sealed, expires_at: kept.expiresAt })
    .where('state_hash', '=', stateHash)
    .execute();
}

/** The last of a browser's kept identities, with the flow that it came by. */
export async function findKeptIdentity(ctx: Ctx, browserHash: string) {
  return ctx.db
    .selectFrom('sign_in_flow')
    .select(['state_hash as stateHash', 'identity', 'remember', 'expires_at as expiresAt'])
    .where('browser_hash', '=', browserHash)
    .where('identity', 'is not', null)
    .orderBy('used_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Takes a kept identity, once; false when it was taken before. */
export async function takeKeptIdentity(tx: Ctx, stateHash: string): Promise<boolean> {
  const written = await tx.db
    .updateTable('sign_in_flow')
    .set({ identity: null })
    .where('state_hash', '=', stateHash)
    .where('identity', 'is not', null)
    .executeTakeFirst();
  return Number(written.numUpdatedRows) === 1;
}

/** Whose identity this is, and whether they unbound it; held until the end. */
export async function findLinkedUser(
  tx: Ctx,
  { issuer, subject }: Pick<ProvenIdentity, 'issuer' | 'subject'>,
): Promise<{ userId: string; isUnbound: boolean } | null> {
  const row = await tx.db
    .selectFrom('account_identity')
    .select(['user_id as userId', 'unbound_at as unboundAt'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .forUpdate()
    .executeTakeFirst();
  return row ? { userId: row.userId, isUnbound: row.unboundAt !== null } : null;
}

/** Whether it opens this account; asked while the account is held, without which it is not unbound. */
export async function isBound(tx: Ctx, userId: string, { issuer, subject }: Pick<ProvenIdentity, 'issuer' | 'subject'>): Promise<boolean> {
  const row = await tx.db
    .selectFrom('account_identity')
    .select('id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('user_id', '=', userId)
    .where('unbound_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the account of this address is somebody else's at the same issuer. */
export async function findOthersIdentity(
  tx: Ctx,
  { issuer, subject, email }: Pick<ProvenIdentity, 'issuer' | 'subject'> & { email: string },
): Promise<boolean> {
  const row = await tx.db
    .selectFrom('account_identity')
    .innerJoin('app_user', 'app_user.id', 'account_identity.user_id')
    .select('account_identity.subject')
    .where('app_user.email', '=', email)
    .where('issuer', '=', issuer)
    .where('subject', '!=', subject)
    .executeTakeFirst();
  return row !== undefined;
}

/** Binds an identity to an account; false when it is somebody's already. */
export async function linkIdentity(
  tx: Ctx,
  userId: string,
  { issuer, subject, provider }: Pick<ProvenIdentity, 'issuer' | 'subject' | 'provider'>,
): Promise<boolean> {
  const now = tx.clock.now();
  const written = await tx.db
    .insertInto('account_identity')
    .values({ issuer, subject, user_id: userId, provider, linked_at: now, last_used_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(written.numInsertedOrUpdatedRows ?? 0) === 1;
}

export async function noteIdentityUsed(tx: Ctx, { issuer, subject, provider }: Pick<ProvenIdentity, 'issuer' | 'subject' | 'provider'>) {
  await tx.db
    .updateTable('account_identity')
    .set({ last_used_at: tx.clock.now(), provider })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute();
}

/** Those of an account, bound or not any more, in the order in which they came. */
export function listIdentities(ctx: Ctx, userId: string) {
  return ctx.db
    .selectFrom('account_identity')
    .select(['id', 'provider', 'linked_at as linkedAt', 'last_used_at as lastUsedAt', 'unbound_at as unboundAt'])
    .where('user_id', '=', userId)
    .orderBy('linked_at')
    .orderBy('id')
    .execute();
}

/** Null: it opens the account again. */
export async function setUnbound(tx: Ctx, id: string, at: Date | null): Promise<void> {
  await tx.db.updateTable('account_identity').set({ unbound_at: at }).where('id', '=', id).execute();
}

/** An account that takes another's place (nobody had confirmed that one) keeps none of its identities. */
export async function removeIdentities(tx: Ctx, userId: string): Promise<void> {
  await tx.db.deleteFrom('account_identity').where('user_id', '=', userId).execute();
}

export interface ConfirmedCpf {
  cpf: string;
  /** The provider's name, as its button had it. */
  by: string;
  assurance: string | null;
  at: Date;
}

export async function setConfirmedCpf(tx: Ctx, userId: string, { cpf, by, assurance, at }: ConfirmedCpf): Promise<void> {
  await tx.db
    .updateTable('app_user')
    .set({ cpf, cpf_confirmed_by: by, cpf_assurance: assurance, cpf_confirmed_at: at })
    .where('id', '=', userId)
    .execute();
}

export async function findConfirmedCpfOf(ctx: Ctx, userId: string): Promise<ConfirmedCpf | null> {
  const row = await ctx.db
    .selectFrom('app_user')
    .select(['cpf', 'cpf_confirmed_by as by', 'cpf_assurance as assurance', 'cpf_confirmed_at as at'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!row?.cpf || !row.by || !row.at) return null;
  return { cpf: row.cpf, by: row.by, assurance: row.assurance, at: row.at };
}

export async function removeOldFlows(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db.deleteFrom('sign_in_flow').where('expires_at', '<', before).execute();
}
