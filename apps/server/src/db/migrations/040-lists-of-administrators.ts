import { type Kysely, sql } from 'kysely';

/** Each order of a list is one index that ends with what breaks ties: a page is read, and nothing else. */
const lists = [
  `create index app_user_first_name on app_user (first_name collate people, id)`,
  `create index app_user_last_name on app_user (last_name collate people, id)`,
  `create index app_user_created on app_user (created_at, id)`,
  `create index app_user_modified on app_user (modified_at, id)`,
  `create index company_name on company (name collate people, id)`,
  `create index company_created on company (created_at, id)`,
  `create index company_search on company using gin (search gin_trgm_ops)`,
  `create index contract_search on contract using gin (search gin_trgm_ops)`,
];

/** The security log is read by its time, whatever is looked for beside it. What failed or was refused is rare, and far behind. */
const audit = [
  `drop index audit_event_at`,
  `drop index audit_event_account`,
  `drop index audit_event_subject`,
  `drop index audit_event_kind`,
  `create index audit_event_at on audit_event (at, id)`,
  `create index audit_event_account on audit_event (account_id, at, id) where account_id is not null`,
  `create index audit_event_subject on audit_event (subject_id, at, id) where subject_id is not null`,
  `create index audit_event_kind on audit_event (kind, at, id)`,
  `create index audit_event_failed on audit_event (outcome, at, id) where outcome <> 'success'`,
  `create index audit_event_kind_failed on audit_event (kind, outcome, at, id) where outcome <> 'success'`,
];

/**
 * What administrators list over the whole installation. Needs `app_user` of 001, `people` of 019, `audit_event` of 014, `modified_at` of
 * 030, `company` of 033, `contract` of 035.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...lists, ...audit]) await sql.raw(statement).execute(db);
}
