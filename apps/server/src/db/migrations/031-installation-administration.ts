import { type Kysely, sql } from 'kysely';

const statements = [
  // Levels as pino calls them; a name that a later version does not know any more is ignored.
  `create table logger_level (
    name text primary key,
    level text not null,
    changed_at timestamptz not null
  )`,
  // One row for each list of public authorities that was loaded; `version` is what other nodes notice.
  `create table trust_list (
    kind text primary key check (kind in ('icp-brasil')),
    version integer not null,
    source text not null check (source in ('upload', 'address')),
    file_hash text not null,
    loaded_at timestamptz not null,
    checked_at timestamptz not null,
    fault text,
    fault_at timestamptz
  )`,
  // Every authority that reached a pinned root when it was loaded: none is forgotten, old signatures may need it.
  `create table trust_list_certificate (
    kind text not null,
    fingerprint text not null,
    certificate bytea not null,
    listed_at timestamptz not null,
    primary key (kind, fingerprint)
  )`,
  // What administrators were warned of: a certificate that is renewed ends at another time, and is warned of anew.
  `create table expiry_warning (
    subject text not null,
    ends_at timestamptz not null,
    days integer not null,
    told_at timestamptz not null,
    primary key (subject, ends_at, days)
  )`,
];

/** What administrators set and were told: levels of the log, ICP-Brasil's list of authorities, ends of certificates. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
