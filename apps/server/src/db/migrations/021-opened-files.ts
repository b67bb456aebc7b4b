import { type Kysely, sql } from 'kysely';

/** The protected file that a document was opened from, by its owner with its password. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table document add column opened_from text check (opened_from ~ '^[0-9a-f]{64}$')`).execute(db);
}
