import { type Kysely, sql } from 'kysely';

const statements = [
  // One row: the newest instant at which anything was recorded here, give or take seconds.
  `create table clock_mark (
    one boolean primary key default true check (one),
    seen timestamptz not null
  )`,
  `insert into clock_mark (seen) select coalesce(max(at), '-infinity') from event`,
  `create index signature_process_stuck on signature_process (problem) where problem is not null`,
];

/** By what a clock that went back is noticed, and the index by which stuck processes are counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
