import { type Kysely, sql } from 'kysely';

const statements = [
  // Every file of the storage. `kind`: what it was first referred to as; null while nothing has. `size`: null where only the
  // bytes themselves know it, until they are checked.
  `create table blob (
    hash text primary key,
    size bigint,
    kind text check (kind in ('upload', 'preparation', 'signature', 'seal', 'extension', 'image', 'report')),
    first_seen timestamptz not null,
    touched_at timestamptz not null,
    checked_at timestamptz
  )`,
  `create index blob_unchecked on blob (checked_at nulls first)`,
  `insert into blob (hash, size, kind, first_seen, touched_at)
    select distinct on (hash) hash, size, kind, first_seen, first_seen from (
      select blob_hash as hash, size, kind, created_at as first_seen from document_revision
      union all select evidence_report_hash, evidence_report_size, 'report', coalesce(sealed_at, created_at) from signature_process
        where evidence_report_hash is not null
      union all select image_hash, null, 'image', created_at from signature_evidence where image_hash is not null
    ) as referred order by hash, first_seen, size nulls last`,
  // What is referred to is in the inventory, and nothing that is referred to can leave it.
  `alter table document_revision add constraint document_revision_blob foreign key (blob_hash) references blob (hash)`,
  `alter table signature_process add constraint signature_process_report foreign key (evidence_report_hash) references blob (hash)`,
  `alter table signature_evidence add constraint signature_evidence_image foreign key (image_hash) references blob (hash)`,
  `create index document_revision_blob on document_revision (blob_hash)`,
  `create index signature_process_report on signature_process (evidence_report_hash) where evidence_report_hash is not null`,
  `create index signature_evidence_image on signature_evidence (image_hash) where image_hash is not null`,
  `create table storage_fault (
    hash text primary key,
    fault text not null check (fault in ('missing', 'damaged', 'wrongSize')),
    first_seen timestamptz not null,
    last_seen timestamptz not null,
    told_at timestamptz,
    healed_at timestamptz
  )`,
  // Which storage belongs to this database: one row. `marked_at`: since when the storage carries the id itself.
  `create table storage_identity (
    is_one boolean primary key default true check (is_one),
    id uuid not null,
    marked_at timestamptz
  )`,
  // What an account has uploaded: on the last day that it uploaded something, and in all that is kept.
  `create table upload_usage (
    user_id uuid primary key references app_user (id),
    day date not null,
    day_bytes bigint not null,
    total_bytes bigint not null
  )`,
  `insert into upload_usage (user_id, day, day_bytes, total_bytes)
    select owner_id, current_date, 0, sum(size) from document group by owner_id`,
];

/** The inventory of stored files, their faults, whose storage it is, and how much each account keeps there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
