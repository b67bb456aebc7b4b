import { type Kysely, sql } from 'kysely';

/** The sentence of a failed attempt may name something, e.g. when the certificate ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table signing_attempt add column reason_params jsonb').execute(db);
}
