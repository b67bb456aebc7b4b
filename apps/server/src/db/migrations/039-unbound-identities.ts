import { type Kysely, sql } from 'kysely';

const statements = [
  // By which its holder names it: the subject is the provider's.
  `alter table account_identity add column id uuid not null default gen_random_uuid()`,
  `create unique index account_identity_id on account_identity (id)`,
  // Since when its holder wants it to open the account no more: kept, or the next sign-in would bind it again.
  `alter table account_identity add column unbound_at timestamptz`,
];

/** Identities that an account's holder unbinds. Needs `account_identity` of 027. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
