/**
 * What a process leaves behind for good: rows, and bytes of tables with their indexes, and of files. One document of one page with one signer through the
 * product's own calls; what jobs and mails leave goes after days and weeks, and is told apart.
 *
 *     node bench/sizes.ts [processes, default 300]     (short: 3)
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { makeDocument } from './make-document.ts';
import { startBenchedProduct } from './product.ts';
import { wholeJob } from './whole-job.ts';

const total = Number(process.argv[2] ?? 300);
/** Go with time: the queue keeps its ended jobs for days, mails their rows for a month, the security log for a year. */
const passing = /^(pgboss\.|mail$|idempotency_key$|audit_event$)/;

interface Measured {
  name: string;
  rows: number;
  bytes: number;
}

/** Each table as it is on the disk, without what was deleted in it. */
async function measure(client: pg.Client): Promise<Map<string, Measured>> {
  await client.query('vacuum full');
  await client.query('analyze');
  const { rows } = await client.query<Measured>(
    `select case when n.nspname = 'public' then '' else n.nspname || '.' end || c.relname as name, c.reltuples::float8 as rows,
       pg_total_relation_size(c.oid)::float8 as bytes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'pgboss')`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

await using product = await startBenchedProduct();
const path = join(product.directory, 'input.pdf');
await makeDocument(path, { pages: 1, padding: 0, objectStreams: false }, () => new Uint8Array());
const pdf = new Uint8Array(await readFile(path));
await wholeJob(product, pdf);
const client = await product.connect();
const before = await measure(client);
const filesBefore = await files();
for (let n = 0; n < total; n += 1) await wholeJob(product, pdf);
const after = await measure(client);
const stored = (await files()) - filesBefore;
await client.end();

async function files(): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>('select coalesce(sum(size), 0)::float8 as bytes from blob');
  return rows[0]?.bytes ?? 0;
}

const grown = [...after.values()]
  .map(({ name, rows, bytes }) => ({
    name,
    rows: (rows - (before.get(name)?.rows ?? 0)) / total,
    bytes: (bytes - (before.get(name)?.bytes ?? 0)) / total,
  }))
  .filter(({ rows }) => rows > 0)
  .toSorted((one, other) => other.bytes - one.bytes);
const sum = (those: typeof grown) => ({
  rows: those.reduce((all, { rows }) => all + rows, 0),
  bytes: those.reduce((all, { bytes }) => all + bytes, 0),
});
const line = (name: string, { rows, bytes }: { rows: number; bytes: number }) =>
  console.log(`  ${name.padEnd(28)} ${rows.toFixed(1).padStart(6)} rows ${Math.round(bytes).toString().padStart(8)} bytes`);
console.log(`one page, one signer, ${total} times; of each process stay:`);
const lasting = grown.filter(({ name }) => !passing.test(name));
for (const one of lasting) line(one.name, one);
line('together', sum(lasting));
line('goes with time', sum(grown.filter(({ name }) => passing.test(name))));
line('files in the storage', { rows: 0, bytes: stored / total });
const { bytes } = sum(lasting);
const terabytes = (count: number, each: number) => ((count * each) / 1e12).toFixed(2);
console.log(`computed: of 100,000,000 processes ${terabytes(1e8, bytes)} TB of tables and ${terabytes(1e8, stored / total)} TB of files`);
