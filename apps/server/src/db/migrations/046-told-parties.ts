import { type Kysely, sql } from 'kysely';

/** Whether a process's interested parties hear of its success; those from before do, as they did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table signature_process add column tell_stakeholders boolean not null default true').execute(db);
}
