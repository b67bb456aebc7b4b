import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import { prepareDataDir } from '../data-dir.ts';
import type { ConnectionOptions } from '../db/client.ts';
import { megabytes, terminalLanguage, terminalWords } from '../language/terminal.ts';
import { StartFault } from '../start-fault.ts';
import { openDiskPlace } from '../storage/disk-place.ts';
import { MARK, proveStorage } from '../storage/know-storage.ts';
import { openPlace } from '../storage/open-storage.ts';
import { runAudit } from './audit-storage.ts';
import { withDatabase } from './existing-installation.ts';
import { openSnapshot, readSeal } from './moving/backup-files.ts';
import { asCommand, type Write } from './moving/command.ts';
import { copyBlobs } from './moving/copy-blobs.ts';
import { assertEmpty, claimForRestore, databaseVariable, loadInto, settleSecret } from './moving/target.ts';

/**
 * `lavra restore`: the bytes first, then the database in one transaction, whose end is the end of the restore. Killed before, it
 * leaves an empty database and a storage that no other database is let into; begun again it goes on. What is restored is brought to
 * today's schema, and read once more by the audit.
 */
export async function runRestore(args: readonly string[], environment: NodeJS.ProcessEnv, write: Write): Promise<number> {
  const language = terminalLanguage(environment);
  const say = terminalWords(language);
  const [path] = args;
  if (path === undefined || path.startsWith('-') || args.length > 1) {
    write(say('restore.usage'));
    return 2;
  }
  const folder = resolve(path);
  const seal = await readSeal(folder);
  const config = readConfig(environment);
  await prepareDataDir(config);
  await withDatabase(config, async (connection) => {
    const { copied, ran, secret } = await restore(folder, connection, config, seal.faults.length);
    if (ran.length > 0) write(say('restore.migrated', { names: ran.join(', ') }));
    if (secret === null) write(say('restore.noSecret'));
    write(say('restore.done', { files: copied.files, size: megabytes(copied.bytes, language), copied: copied.copied }));
  });
  return runAudit(environment, write);
}

async function restore(folder: string, connection: ConnectionOptions, config: Config, known: number) {
  const { manifest, snapshot } = await openSnapshot(folder);
  if (manifest.storageId === null) throw new StartFault(folder, 'this backup is of a database that no Lavra has been started over');
  await assertEmpty(connection, databaseVariable(config));
  const to = await openPlace(config);
  await proveStorage(to);
  const identity = await claimForRestore(to, manifest.storageId);
  const copied = await copyBlobs(openDiskPlace(join(folder, 'blobs')), to, snapshot.inventory());
  if (copied.faults.length > known)
    throw new StartFault(
      folder,
      `files of this backup are missing or damaged (${copied.faults.length}), ${copied.faults[0]?.sha256} for one`,
    );
  const offered = await readFile(join(folder, 'secret'), 'utf8').catch(() => null);
  const secret = await settleSecret(config, offered);
  const ran = await loadInto(connection, config, snapshot, secret, identity);
  await to.writeNote(MARK, identity);
  return { copied, ran, secret };
}

if (import.meta.main) await asCommand(runRestore);
