import { type Kysely, sql } from 'kysely';

const statements = [
  // What pages are made of, by names that change with the bytes; packed: in Brotli.
  `create table page_file (
    name text primary key,
    type text not null,
    is_packed boolean not null,
    bytes bytea not null,
    superseded_at timestamptz
  )`,
];

/** Pages of two versions beside each other (docs/decisions/088). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
