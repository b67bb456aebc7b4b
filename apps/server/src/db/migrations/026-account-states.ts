import { type Kysely, sql } from 'kysely';

const statements = [
  // Deactivated by an administrator, and whether it was activated then: `activated` is false meanwhile, so that an older node lets nobody in either.
  `alter table app_user add column deactivated_at timestamptz, add column was_activated boolean`,
  `alter table app_user add constraint app_user_state check (
    (deactivated_at is null) = (was_activated is null) and (deactivated_at is null or not activated)
  )`,
  `alter table app_user add column time_zone text not null default 'America/Sao_Paulo'`,
  // What the nightly sweep looks for: addresses that nobody confirmed.
  `create index app_user_unconfirmed on app_user (created_at) where not activated and deactivated_at is null`,
  // The address that an account's holder wants to have, until they open its link.
  `alter table account_key add column new_email text`,
  `alter table account_key drop constraint account_key_purpose_check`,
  `alter table account_key add constraint account_key_purpose_check check (
    purpose in ('activation', 'reset') and new_email is null or purpose = 'email' and new_email is not null
  )`,
  `alter table session add column last_used_at timestamptz`,
];

/** States of an account, its time zone, a change of its address, and when a session was last used. Needs 014. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
