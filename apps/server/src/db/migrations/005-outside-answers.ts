import { type Kysely, sql } from 'kysely';

const statements = [
  // Unlogged: a crash may forget what can be asked again.
  `create unlogged table outside_answer (
    key text primary key,
    url text not null,
    body bytea not null,
    size integer not null,
    fetched_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  // Lists and answers are packed by nobody: their bytes are serial numbers, dates and signatures.
  `alter table outside_answer alter column body set storage external`,
];

/** CRLs, OCSP answers and issuers that were fetched and checked, for every node. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
