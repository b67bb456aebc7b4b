import { type Kysely, sql } from 'kysely';

const statements = [
  // Unlogged, as the answers are: whoever signs or verifies by identifier writes it down again.
  `create unlogged table revocation_list_address (
    key text primary key,
    url text not null,
    issuer bytea not null,
    seen_at timestamptz not null
  )`,
  // Dotted; what the archive needs hangs on it (DOC-ICP-15.03).
  `alter table signature_evidence add column policy text`,
];

/** Where lists of authorities we believe were found, for browsers that ask; and the policy that a signature names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
