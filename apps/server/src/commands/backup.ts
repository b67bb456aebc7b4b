import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import type { ConnectionOptions } from '../db/client.ts';
import { readSecretFile } from '../installation/secret-file.ts';
import { megabytes, terminalLanguage, terminalWords } from '../language/terminal.ts';
import { describeProgram } from '../program.ts';
import { StartFault } from '../start-fault.ts';
import type { BlobPlace } from '../storage/blob-place.ts';
import { openDiskPlace } from '../storage/disk-place.ts';
import { openPlace } from '../storage/open-storage.ts';
import { assertSomethingThere, withDatabase } from './existing-installation.ts';
import { sealBackup, writeSnapshot } from './moving/backup-files.ts';
import { asCommand, type Write } from './moving/command.ts';
import { type CopiedBlobs, copyBlobs } from './moving/copy-blobs.ts';
import { holdingFolder } from './moving/hold-folder.store.ts';
import { type InventoryEntry, withSnapshot } from './moving/snapshot.ts';

/** Files that went at night while a backup ran: the snapshot is taken anew so often, then it is told as a fault. */
const ROUNDS = 3;

/**
 * `lavra backup`: the database first, as of one moment, then the bytes that it names; bytes never change under their hash and were
 * stored before anything named them, so that this order makes a restore complete while people read and sign. What is removed
 * meanwhile (files whose days are over) would be missing: then a newer snapshot is taken, which does not name it.
 */
export async function runBackup(args: readonly string[], environment: NodeJS.ProcessEnv, write: Write): Promise<number> {
  const language = terminalLanguage(environment);
  const say = terminalWords(language);
  const [path, option] = args;
  if (path === undefined || path.startsWith('-') || args.length > 2 || (option !== undefined && option !== '--with-secret')) {
    write(say('backup.usage'));
    return 2;
  }
  const config = readConfig(environment);
  await assertSomethingThere(config);
  const folder = resolve(path);
  await makeFolder(folder);
  return withDatabase(config, async (connection) => {
    const place = await openPlace(config);
    const copied = await holdingFolder(connection, folder, async () => {
      const done = await backUp(connection, place, folder);
      if (!(await keepSecret(config, folder, option !== undefined))) write(say('backup.noSecret'));
      await sealBackup(folder, { files: done.files, bytes: done.bytes, faults: done.faults });
      return done;
    });
    write(say('backup.done', { folder, files: copied.files, size: megabytes(copied.bytes, language), copied: copied.copied }));
    for (const { sha256, fault } of copied.faults) write(`${sha256}  ${say(`fault.${fault}`)}`);
    if (copied.faults.length > 0) write(say('backup.faults'));
    return copied.faults.length === 0 ? 0 : 1;
  });
}

/** A folder of our own: one that holds something else is not written into. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  const ours = ['snapshot', 'snapshot.new', 'snapshot.old', 'blobs', 'backup.json', 'backup.json.new', 'secret'];
  const stranger = names.find((name) => !ours.includes(name));
  if (stranger !== undefined) throw new StartFault(folder, `this folder holds something else (${stranger}): name another`);
}

async function backUp(connection: ConnectionOptions, from: BlobPlace, folder: string): Promise<CopiedBlobs> {
  const to = openDiskPlace(join(folder, 'blobs'));
  const { version } = describeProgram({ profile: 'prod', services: [] });
  for (let round = 1; ; round += 1) {
    const named = new Set<string>();
    const { copied, migrations } = await withSnapshot(connection, async (snapshot) => {
      await writeSnapshot(folder, snapshot, version, new Date());
      return { copied: await copyBlobs(from, to, noted(snapshot.inventory(), named)), migrations: snapshot.facts.migrations };
    });
    // A newer version that was started meanwhile may have written a table anew, whose rows no moment of before sees.
    const isOfToday = await withSnapshot(connection, async ({ facts }) => facts.migrations.length === migrations.length);
    if (round === ROUNDS && !isOfToday)
      throw new StartFault(folder, 'the schema was changed again and again while it was read: run it again');
    if (round < ROUNDS && (!isOfToday || (copied.faults.length > 0 && (await wereRemoved(connection, copied))))) continue;
    // What was erased leaves the backup with the next run of it.
    for await (const { sha256 } of to.list()) if (!named.has(sha256)) await to.delete(sha256);
    await to.sweepLeftovers(new Date());
    return copied;
  }
}

async function* noted(inventory: AsyncIterable<InventoryEntry>, names: Set<string>): AsyncGenerator<InventoryEntry> {
  for await (const entry of inventory) {
    names.add(entry.sha256);
    yield entry;
  }
}

/** True when one of them is named no more. */
async function wereRemoved(connection: ConnectionOptions, { faults }: CopiedBlobs): Promise<boolean> {
  const missing = new Set(faults.map(({ sha256 }) => sha256));
  return withSnapshot(connection, async (snapshot) => {
    for await (const { sha256, isNeeded } of snapshot.inventory()) if (isNeeded) missing.delete(sha256);
    return missing.size > 0;
  });
}

/** With it the backup opens everything, and is to be kept as such; without it nobody signs with what is restored. False: it is not in there. */
async function keepSecret({ secret, dataDir }: Config, folder: string, isWanted: boolean): Promise<boolean> {
  const path = join(folder, 'secret');
  await rm(path, { force: true });
  if (!isWanted) return false;
  const value = secret ?? (await readSecretFile(dataDir)).current;
  if (value === null) throw new StartFault('LAVRA_SECRET', 'there is no secret to put into the backup');
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(value);
    await file.sync();
  } finally {
    await file.close();
  }
  return true;
}

if (import.meta.main) await asCommand(runBackup);
