import { type Kysely, sql } from 'kysely';

const statements = [
  // The signature page as a file of its own, for documents that came with signatures; once the process has finished.
  // `page_apart`: nothing was appended to this one.
  `alter table document
    add column page_apart boolean not null default false,
    add column signature_page_hash text references blob (hash),
    add column signature_page_size bigint`,
  `update document set page_apart = true where prior_signatures > 0`,
  `create index document_signature_page on document (signature_page_hash) where signature_page_hash is not null`,
  `alter table blob drop constraint blob_kind_check`,
  `alter table blob add constraint blob_kind_check
    check (kind in ('upload', 'preparation', 'signature', 'seal', 'extension', 'image', 'report', 'page'))`,
  // What preparing the file does to it, told to whoever uploaded it.
  `alter table document add column notices jsonb not null default '[]'`,
];

/** Separate signature pages, and what is told of an uploaded file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
