import { type Kysely, sql } from 'kysely';

const statements = [
  // What only a program itself knows to be slow or short of something; by the database's clock, which all nodes share.
  `create table node_attention (
    node uuid primary key,
    told_at timestamptz not null,
    attention jsonb not null
  )`,
];

/** A page of any node tells what is slow at all of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
