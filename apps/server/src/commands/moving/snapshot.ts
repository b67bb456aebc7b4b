import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import pg from 'pg';
import type { ConnectionOptions } from '../../db/client.ts';
import { copyOut } from '../../db/copy-stream.ts';
import { StartFault } from '../../start-fault.ts';

export interface SnapshotTable {
  schema: string;
  name: string;
  /** Those that the server computes by itself are not among them. */
  columns: string[];
}

export interface SnapshotFacts {
  /** What made the schema, in order. */
  migrations: string[];
  storageId: string | null;
  sequences: { name: string; value: string }[];
  tables: SnapshotTable[];
}

/** A file as the inventory of a database names it. */
export interface InventoryEntry {
  sha256: string;
  /** False: nobody referred to it (yet). */
  isNeeded: boolean;
}

/** All that a database held at one moment: read from a server, or from a backup. */
export interface Snapshot {
  facts: SnapshotFacts;
  read(table: SnapshotTable): AsyncIterable<Uint8Array>;
  inventory(): AsyncIterable<InventoryEntry>;
}

/** Texts that any PostgreSQL, of any settings, reads as the value they came of. */
export const PLAIN = `set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 3; set timezone = 'UTC';
  set bytea_output = 'hex'; set client_encoding = 'UTF8'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`;

/** Limits of a minute are nobody's loss; what is extensions' comes with them. */
const TABLES = `
  select n.nspname as schema, c.relname as name,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ((n.nspname = current_schema() and c.relkind = 'r' and c.relpersistence = 'p') or (n.nspname = 'pgboss' and c.relname = 'job'))
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by 1, 2`;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const columnsOf = ({ columns }: SnapshotTable): string => columns.map(quoted).join(', ');

/**
 * A consistent snapshot through a connection of our own, beside whoever works: one transaction sees one moment, and no tool of
 * PostgreSQL's has to be here or fit its version. Whatever a row of it refers to has been stored before that row was
 * committed: bytes that are copied after the snapshot was taken are enough.
 * `keeps` also keeps a newer version's start from changing the schema: rows of a table that is written anew are seen by no snapshot of before.
 * @throws StartFault when there is no installation's data
 */
export async function withSnapshot<T>(
  connection: ConnectionOptions,
  act: (snapshot: Snapshot) => Promise<T>,
  { keeps = false } = {},
): Promise<T> {
  const client = new pg.Client({ ...connection, application_name: 'lavra moving' });
  // Told by the statement under way.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(PLAIN);
    const { rows: kept } = keeps ? await client.query<SnapshotTable>(TABLES) : { rows: [] };
    await client.query('begin isolation level repeatable read read only');
    // Sees nothing yet: the moment is that of the first question.
    if (kept.length > 0)
      await client.query(
        `lock table ${kept.map(({ schema, name }) => `${quoted(schema)}.${quoted(name)}`).join(', ')} in access share mode`,
      );
    const facts = await readFacts(client);
    const schema = (await client.query<{ name: string }>('select current_schema() as name')).rows[0]?.name ?? 'public';
    return await act({
      facts,
      read: (table) => copyOut(client, `copy (select ${columnsOf(table)} from ${quoted(table.schema)}.${quoted(table.name)}) to stdout`),
      inventory: () =>
        readInventory(copyOut(client, `copy (select hash, kind is not null from ${quoted(schema)}.blob order by hash) to stdout`)),
    });
  } finally {
    await client.end().catch(() => {});
  }
}

async function readFacts(client: pg.Client): Promise<SnapshotFacts> {
  const { rows: tables } = await client.query<SnapshotTable>(TABLES);
  const has = (name: string) => tables.some((table) => table.name === name);
  if (!has('kysely_migration') || !has('blob'))
    throw new StartFault('DATABASE_URL', 'there is no data of Lavra in this database: nothing to take over');
  const { rows: migrations } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  const { rows: identity } = await client.query<{ id: string }>('select id from storage_identity');
  const { rows: sequences } = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences where schemaname = current_schema() and last_value is not null`,
  );
  return { tables, sequences, migrations: migrations.map(({ name }) => name), storageId: identity[0]?.id ?? null };
}

/** Lines of hash and whether somebody refers to it, as they are copied out and as a backup keeps them. */
export async function* readInventory(lines: AsyncIterable<Uint8Array>): AsyncGenerator<InventoryEntry> {
  for await (const line of createInterface({ input: Readable.from(lines, { objectMode: false }), crlfDelay: Number.POSITIVE_INFINITY })) {
    const [sha256 = '', isNeeded = ''] = line.split('\t');
    if (sha256 !== '') yield { sha256, isNeeded: isNeeded === 't' };
  }
}
