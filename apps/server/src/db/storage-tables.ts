import type { ColumnType, Generated } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type NullableInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

export type BlobKind = 'upload' | 'preparation' | 'signature' | 'seal' | 'extension' | 'image' | 'report' | 'page' | 'copy';

/** Every file of the storage, whoever refers to it. */
interface BlobTable {
  /** SHA-256 of the content, hex. */
  hash: string;
  /** Null for files of before the inventory whose size no row tells, until they are checked. */
  size: number | null;
  /** What it was first referred to as; null while nothing has. */
  kind: BlobKind | null;
  first_seen: Instant;
  /** When the same bytes were stored last: nobody takes them for forgotten for a day. */
  touched_at: Instant;
  checked_at: NullableInstant;
}

/** A file that a read or an audit found missing or changed. */
interface StorageFaultTable {
  hash: string;
  fault: 'missing' | 'damaged' | 'wrongSize';
  first_seen: Instant;
  last_seen: Instant;
  /** When the administrators were written to. */
  told_at: NullableInstant;
  healed_at: NullableInstant;
}

/** The storage that belongs to this database: one row. */
interface StorageIdentityTable {
  is_one: Generated<boolean>;
  id: string;
  marked_at: NullableInstant;
}

/** A piece of a file on its way. */
interface UploadPartTable {
  owner_id: string;
  upload_id: string;
  start: number;
  size: number;
  blob_hash: string;
  created_at: Date;
  /** Of the first piece: SHA-256 of the file that they become. */
  becomes: ColumnType<string | null, string | undefined, string>;
}

/** Bytes that an account has uploaded: on its last day of uploading, and kept in all. */
interface UploadUsageTable {
  user_id: string;
  day: ColumnType<string, string, string>;
  day_bytes: number;
  total_bytes: number;
}

/** A file that pages of some version are made of, for nodes of another one. */
interface PageFileTable {
  /** Below `/`: `assets/…`, `i18n/…`. */
  name: string;
  type: string;
  /** In Brotli. */
  is_packed: boolean;
  bytes: Buffer;
  /** Since when no version that was started last has it. */
  superseded_at: ColumnType<Date | null, undefined, Date | null>;
}

/** What is stored, what is on its way there, and what pages are made of. */
export interface StorageTables {
  blob: BlobTable;
  storage_fault: StorageFaultTable;
  storage_identity: StorageIdentityTable;
  upload_part: UploadPartTable;
  page_file: PageFileTable;
  upload_usage: UploadUsageTable;
}
