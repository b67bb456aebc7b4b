import { type Kysely, sql } from 'kysely';

const statements = [
  // What a file was that is kept no longer: of each stored part of it, and of what was made beside it. Nobody holds its bytes any more.
  `create table removed_file (
    document_id uuid not null references document (id),
    seq integer not null,
    kind text not null,
    blob_hash text not null,
    size bigint not null,
    file_hash text,
    removed_at timestamptz not null,
    primary key (document_id, kind, seq)
  )`,
  `alter table document add column files_removed_at timestamptz`,
  // `files_warned_at`: when its people were told that its files go.
  `alter table signature_process add column files_warned_at timestamptz, add column files_removed_at timestamptz`,
  `create index signature_process_kept on signature_process (owner_id, finalized_at) where finalized_at is not null and files_removed_at is null`,
  // The SHA-256 of a picture that is kept no longer.
  `alter table signature_evidence add column removed_image_hash text`,
  // Of an account whose person had their data erased: what is left of it is an id.
  `alter table app_user add column erased_at timestamptz`,
];

/** Files that are kept no longer, and accounts whose data were erased. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
