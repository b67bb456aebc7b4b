import { type Kysely, sql } from 'kysely';

const statements = [
  // The sealed copy to print of a finished document, made when somebody first asks for it.
  `alter table document
    add column printable_copy_hash text references blob (hash),
    add column printable_copy_size bigint`,
  `create index document_printable_copy on document (printable_copy_hash) where printable_copy_hash is not null`,
  `alter table blob drop constraint blob_kind_check`,
  `alter table blob add constraint blob_kind_check
    check (kind in ('upload', 'preparation', 'signature', 'seal', 'extension', 'image', 'report', 'page', 'copy'))`,
];

/** Copies to print. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
