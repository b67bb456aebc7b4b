import { type Kysely, sql } from 'kysely';

const statements = [
  // One row for the whole installation. `secret_check`: an HMAC under the installation secret, which tells another one from it.
  `create table installation (
    one boolean primary key default true check (one),
    secret_check bytea not null
  )`,
];

/** What a start must find as it was left. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
