import { randomUUID } from 'node:crypto';
import pg from 'pg';
import pino from 'pino';
import type { Config } from '../../config.ts';
import type { ConnectionOptions } from '../../db/client.ts';
import { jobs } from '../../features.ts';
import { judgeSecret } from '../../installation/secret-check.ts';
import { promoteNextSecret, readSecretFile, writeNextSecret } from '../../installation/secret-file.ts';
import { openJobQueue } from '../../jobs/queue.ts';
import { StartFault } from '../../start-fault.ts';
import type { BlobPlace } from '../../storage/blob-place.ts';
import { MARK, movedMark, restoredMark } from '../../storage/know-storage.ts';
import { replaceIdentity } from '../../storage/storage-identity.store.ts';
import { assertEmptyDatabase, loadSnapshot } from './load-snapshot.store.ts';
import type { Snapshot } from './snapshot.ts';

export const databaseVariable = ({ databaseUrl }: Pick<Config, 'databaseUrl'>) => (databaseUrl ? 'DATABASE_URL' : 'LAVRA_DATA_DIR');

/** Looked at before the hours that the bytes take. @throws StartFault */
export async function assertEmpty(connection: ConnectionOptions, variable: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await assertEmptyDatabase(client, variable);
  } finally {
    await client.end();
  }
}

/**
 * Marks a storage as the one of the database that is on its way, before its first byte: a start over another database refuses it, and a
 * run that was killed knows its own again.
 * @throws StartFault when something else lies there
 */
export async function claimStorage(place: BlobPlace, id: string, mark = id): Promise<void> {
  const found = (await place.readNote(MARK))?.trim() ?? null;
  if (found === id) return;
  const fault = (reason: string) => new StartFault(place.setting.variable, `${place.setting.value}: ${reason}; nothing was changed`);
  if (found !== null && found !== movedMark(id)) throw fault('this storage belongs to another database');
  if (found === null) for await (const _ of place.list()) throw fault('this storage is not empty');
  await place.writeNote(MARK, mark);
}

/**
 * Marks a storage for a backup of the database `of`, and answers the id of the database that is made of it: another one, because whoever
 * the backup is of may live on, and of two databases over one storage each removes what only the other names. A run that was
 * killed knows its own again.
 * @throws StartFault when something else lies there, the storage of the backup's own database too
 */
export async function claimForRestore(place: BlobPlace, of: string): Promise<string> {
  const found = (await place.readNote(MARK))?.trim() ?? null;
  const begun = restoredMark(of, '');
  if (found?.startsWith(begun)) return found.slice(begun.length);
  const id = randomUUID();
  await claimStorage(place, restoredMark(of, id));
  return id;
}

/** The secret that the new installation has: configured, or in its folder; `offered` goes there where there is none. */
export async function settleSecret({ secret, dataDir }: Config, offered: string | null): Promise<string | null> {
  if (secret !== null) return secret;
  const { current } = await readSecretFile(dataDir);
  if (current !== null) return current;
  if (offered === null) return null;
  await writeNextSecret(dataDir, offered);
  await promoteNextSecret(dataDir);
  return offered;
}

/** The database last, in one transaction, when the bytes are all there; `identity`: of its storage, where it is another now; `last` runs right before the commit. @throws StartFault, also for a secret that opens nothing of it */
export async function loadInto(
  connection: ConnectionOptions,
  config: Config,
  snapshot: Snapshot,
  secret: string | null,
  identity: string | null = null,
  last = async (): Promise<void> => {},
): Promise<string[]> {
  const queue = await openJobQueue(connection, jobs, pino({ level: 'silent' }), { background: false });
  await queue.stop();
  return loadSnapshot(connection, snapshot, databaseVariable(config), async (db) => {
    if (secret !== null && (await judgeSecret(db, secret)) === 'other')
      throw new StartFault(
        config.secret === null ? 'LAVRA_DATA_DIR' : 'LAVRA_SECRET',
        'the secret does not open what is to be restored; nothing was changed in the database',
      );
    if (identity !== null) await replaceIdentity(db, identity);
    await last();
  });
}
