import { type Kysely, sql } from 'kysely';

/** Counters and locks that guard accounts, in a table that a crash of the database does not empty. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table account_limit (
    bucket text not null,
    window_start timestamptz not null,
    count integer not null,
    primary key (bucket, window_start)
  )`,
    )
    .execute(db);
}
