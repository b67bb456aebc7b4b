import { type Kysely, sql } from 'kysely';

/** A client that closes its creation sequences itself must not have one started behind its back after a failure halfway. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table signature_process add column awaits_start boolean not null default false').execute(db);
}
