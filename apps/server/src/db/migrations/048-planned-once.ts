import { type Kysely, sql } from 'kysely';

/**
 * The lists' function is called by every act with one process. Its statements were planned anew each time, which took longer than they
 * do; one plan serves all, since each of them begins at the few processes that are given.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter function list_processes(uuid[], boolean) set plan_cache_mode = force_generic_plan`).execute(db);
}
