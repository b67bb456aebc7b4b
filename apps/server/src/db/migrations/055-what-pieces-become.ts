import { type Kysely, sql } from 'kysely';

/** Pieces of an upload become one file, whose hash stands at the first of them, and no second one (docs/decisions/081). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table upload_part add column becomes text`).execute(db);
}
