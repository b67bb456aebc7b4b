import { type Kysely, sql } from 'kysely';

const statements = [
  `alter table signer add column user_id uuid references app_user (id)`,
  // Whoever was invited before, where the address is a confirmed account's. What is bound later: docs/decisions/033.
  `update signer set user_id = app_user.id from app_user
   where app_user.email = signer.email and app_user.activated and signer.status <> 'WAITING'`,
  // What an account was asked to sign.
  `create index signer_inbox on signer (user_id, signature_process_id) where user_id is not null`,
  // What a sign-in looks for: who was invited by this address and is nobody's yet.
  `create index signer_unbound on signer (email) where user_id is null`,
];

/** Signers are bound to accounts by id, so that a changed e-mail moves nothing. Needs `app_user` of 001, `signer` of 002. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
