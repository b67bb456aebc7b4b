import { type Kysely, sql } from 'kysely';

const statements = [
  // Files on their way in pieces: a day, then the rows go. Their bytes are blobs that nobody refers to, which live as long.
  `create table upload_part (
    owner_id uuid not null references app_user (id) on delete cascade,
    upload_id uuid not null,
    start bigint not null,
    size bigint not null check (size > 0),
    blob_hash text not null,
    created_at timestamptz not null,
    primary key (owner_id, upload_id, start)
  )`,
  `create index upload_part_created_at on upload_part (created_at)`,
];

/** Uploads that go on where they broke off (docs/decisions/079). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
