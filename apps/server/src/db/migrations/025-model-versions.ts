import { type Kysely, sql } from 'kysely';

const statements = [
  `alter table signature_model add column version integer not null default 1`,
  `alter table signature_model add column search text not null generated always as (lower(f_unaccent(name))) stored`,
];

/** Signature models are an entity: what a version of them overwrites, and how they are searched. Needs `f_unaccent` of 001. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
