import { type Kysely, sql } from 'kysely';

const statements = [
  // What the machine of entities asks of a table.
  `alter table app_user add column version integer not null default 1`,
  `alter table app_user add column search text not null
    generated always as (lower(f_unaccent(email || ' ' || first_name || ' ' || last_name))) stored`,
  `create index app_user_search on app_user using gin (search gin_trgm_ops)`,
  // The login of the administrator who did it, as it was then; null: the account's own holder.
  `alter table app_user add column created_by text, add column modified_by text, add column modified_at timestamptz`,
  // What was done to somebody, for whoever looks for it.
  `create index audit_event_subject on audit_event (subject_id, id) where subject_id is not null`,
  `create index audit_event_kind on audit_event (kind, id)`,
];

/** Accounts as an entity of the administrators, and the security log as it is searched. Needs 001, 014 and 026. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
