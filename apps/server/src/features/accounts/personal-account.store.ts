import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';

/** What is kept of an account and of nobody else, without what would open it. */
export async function readPersonalAccount(ctx: Ctx, id: string) {
  const { db } = ctx;
  const account = await db
    .selectFrom('app_user')
    .select(['id', 'login', 'email', 'first_name as firstName', 'last_name as lastName', 'login_type as loginType'])
    .select(['lang_key as langKey', 'time_zone as timeZone', 'authorities', 'activated', 'deactivated_at as deactivatedAt'])
    .select(['created_at as createdAt', 'created_by as createdBy', 'modified_at as modifiedAt', 'modified_by as modifiedBy'])
    .select(['cpf', 'cpf_confirmed_by as cpfConfirmedBy', 'cpf_assurance as cpfAssurance', 'cpf_confirmed_at as cpfConfirmedAt'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!account) return undefined;
  const [identities, passkeys, apps, devices] = await Promise.all([
    db
      .selectFrom('account_identity')
      .select(['provider', 'issuer', 'subject', 'linked_at as linkedAt', 'last_used_at as lastUsedAt'])
      .where('user_id', '=', id)
      .execute(),
    db
      .selectFrom('passkey')
      .select(['name', 'synced', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
      .where('user_id', '=', id)
      .execute(),
    db.selectFrom('totp').select(['created_at as createdAt', 'confirmed_at as confirmedAt']).where('user_id', '=', id).execute(),
    db.selectFrom('known_device').select('last_seen_at as lastSeenAt').where('user_id', '=', id).execute(),
  ]);
  return { account, identities, passkeys, apps, devices };
}

/**
 * Takes from an account all that says whose it is; what is left is an id that others' evidence names. Its address is free again, and
 * where it stands as the administrator who wrote other accounts, the id stands there from now on. False: it was done before.
 */
export async function eraseAccount(
  tx: Ctx,
  { id, email }: { id: string; email: string },
  nobody: { login: string; name: string },
): Promise<boolean> {
  const now = tx.clock.now();
  const erased = await tx.db
    .updateTable('app_user')
    .set({ login: nobody.login, email: nobody.login, first_name: nobody.name, last_name: '', password_hash: null, login_type: 'password' })
    .set({
      activated: false,
      was_activated: false,
      deactivated_at: now,
      erased_at: now,
      authorities: sql`'{}'`,
      time_zone: 'America/Sao_Paulo',
    })
    .set({ cpf: null, cpf_confirmed_by: null, cpf_assurance: null, cpf_confirmed_at: null, created_by: null, modified_by: null })
    .set((e) => ({ version: e('version', '+', 1), modified_at: now }))
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
  if (Number(erased.numUpdatedRows) !== 1) return false;
  for (const column of ['created_by', 'modified_by'] as const)
    await tx.db
      .updateTable('app_user')
      .set({ [column]: nobody.login })
      .where(column, '=', email)
      .execute();
  return true;
}
