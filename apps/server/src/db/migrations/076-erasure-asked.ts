import { type Kysely, sql } from 'kysely';

const statements = [
  // When somebody asked to be forgotten of whom a process that runs still needs something; null: nobody did, or it is done.
  `alter table signer add column erasure_asked_at timestamptz`,
  `alter table stakeholder add column erasure_asked_at timestamptz`,
  `create index signer_erasure_asked on signer (id) where erasure_asked_at is not null`,
  `create index stakeholder_erasure_asked on stakeholder (id) where erasure_asked_at is not null`,
  // What was left of accounts that were erased before.
  `update signer set erasure_asked_at = app_user.erased_at from app_user where app_user.id = signer.user_id and app_user.erased_at is not null`,
];

/** What an erased person left in processes that run is forgotten once they have ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
