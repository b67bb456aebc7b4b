import { type Kysely, sql } from 'kysely';

/** A problem's sentence may name something, e.g. the damaged document. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table signature_process add column problem_params jsonb').execute(db);
}
