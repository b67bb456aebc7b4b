import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline as piped, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { StartFault } from '../../start-fault.ts';
import { writeDurably } from '../../write-durably.ts';
import { readInventory, type Snapshot } from './snapshot.ts';

const FORMAT = 1;
const KEPT = 'snapshot';
const INVENTORY = 'inventory';
const MANIFEST = 'manifest.json';

/** Beside the manifest and nowhere else. */
const file = z.string().regex(/^[\w.-]+\.gz$/);
const table = z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()), file, sha256: z.string() });
const manifest = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  createdAt: z.string(),
  migrations: z.array(z.string()),
  storageId: z.string().nullable(),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  tables: z.array(table),
  inventory: z.object({ file, sha256: z.string() }),
});

export type Manifest = z.infer<typeof manifest>;

/**
 * Writes a snapshot into a backup's folder: beside, and named when every file is on the disk. Of a backup before, the snapshot
 * there stays the one until then.
 */
export async function writeSnapshot(folder: string, snapshot: Snapshot, version: string, now: Date): Promise<Manifest> {
  const unfinished = join(folder, `${KEPT}.new`);
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const tables: Manifest['tables'] = [];
  for (const one of snapshot.facts.tables) {
    const file = `${one.schema}.${one.name}.copy.gz`;
    tables.push({ ...one, file, sha256: await writeFile(join(unfinished, file), snapshot.read(one)) });
  }
  const inventory = { file: `${INVENTORY}.gz`, sha256: await writeFile(join(unfinished, `${INVENTORY}.gz`), inventoryLines(snapshot)) };
  const { migrations, storageId, sequences } = snapshot.facts;
  const written: Manifest = { format: FORMAT, version, createdAt: now.toISOString(), migrations, storageId, sequences, tables, inventory };
  await writeDurably(join(unfinished, MANIFEST), `${JSON.stringify(written, null, 2)}\n`);
  // A kill between the two leaves the one before as `.old`, and the folder without a finished snapshot: the next run makes it anew.
  const old = join(folder, `${KEPT}.old`);
  await rm(old, { recursive: true, force: true });
  await rename(join(folder, KEPT), old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(unfinished, join(folder, KEPT));
  await rm(old, { recursive: true, force: true });
  return written;
}

async function* inventoryLines(snapshot: Snapshot): AsyncGenerator<Uint8Array> {
  for await (const { sha256, isNeeded } of snapshot.inventory()) yield Buffer.from(`${sha256}\t${isNeeded ? 't' : 'f'}\n`);
}

/** Answers the hash of what was written, before its compression. */
async function writeFile(path: string, content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  const watch = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(Readable.from(content), watch, createGzip({ level: 4 }), createWriteStream(path, { mode: 0o600, flush: true }));
  return hash.digest('hex');
}

/** @throws StartFault when there is none, or one that this version does not know */
export async function openSnapshot(folder: string): Promise<{ manifest: Manifest; snapshot: Snapshot }> {
  const text = await readFile(join(folder, KEPT, MANIFEST), 'utf8').catch(() => null);
  if (text === null) throw new StartFault(folder, 'there is no finished backup here');
  const read = manifest.safeParse(parse(text));
  if (!read.success) throw new StartFault(folder, 'the manifest is damaged, or a newer Lavra has written it');
  const files = new Map(read.data.tables.map((one) => [`${one.schema}.${one.name}`, one]));
  const checked = (file: string, sha256: string) => readChecked(join(folder, KEPT, file), sha256);
  return {
    manifest: read.data,
    snapshot: {
      facts: read.data,
      read: ({ schema, name }) => {
        const found = files.get(`${schema}.${name}`);
        if (!found) throw new StartFault(folder, `the table ${name} is not in this backup`);
        return checked(found.file, found.sha256);
      },
      inventory: () => readInventory(checked(read.data.inventory.file, read.data.inventory.sha256)),
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @throws StartFault at its end, when it is not what was written */
async function* readChecked(path: string, sha256: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  try {
    const plain: AsyncIterable<Uint8Array> = piped(createReadStream(path), createGunzip(), () => {});
    for await (const chunk of plain) {
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    throw new StartFault(path, 'is missing or damaged: take another backup', { cause: error });
  }
  if (hash.digest('hex') !== sha256) throw new StartFault(path, 'is not what was written: take another backup');
}

const sealed = z.object({
  manifest: z.string(),
  files: z.number(),
  bytes: z.number(),
  faults: z.array(z.object({ sha256: z.string(), fault: z.string() })),
});

/** What stands at the end of a backup: that every file of this very snapshot is in it, apart from those named. */
export type Seal = Omit<z.infer<typeof sealed>, 'manifest'>;

const sealPath = (folder: string) => join(folder, 'backup.json');
const digestOf = async (folder: string) =>
  createHash('sha256')
    .update(await readFile(join(folder, KEPT, MANIFEST)))
    .digest('hex');

export async function sealBackup(folder: string, seal: Seal): Promise<void> {
  const unfinished = `${sealPath(folder)}.new`;
  await writeDurably(unfinished, `${JSON.stringify({ manifest: await digestOf(folder), ...seal }, null, 2)}\n`);
  await rename(unfinished, sealPath(folder));
}

/** @throws StartFault for one that broke off */
export async function readSeal(folder: string): Promise<Seal> {
  const text = await readFile(sealPath(folder), 'utf8').catch(() => '');
  const read = sealed.safeParse(parse(text));
  if (!read.success || read.data.manifest !== (await digestOf(folder)))
    throw new StartFault(folder, 'this backup was not finished: run it again, it goes on where it was');
  return read.data;
}
