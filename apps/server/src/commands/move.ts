import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { prepareDataDir } from '../data-dir.ts';
import { type ConnectionOptions, openDatabase } from '../db/client.ts';
import { claimMoving, liftFence, type Moving, raiseFence } from '../db/writing-fence.ts';
import { claimAlone } from '../installation/presence.ts';
import { readSecretFile } from '../installation/secret-file.ts';
import { megabytes, terminalLanguage, terminalWords, type Words } from '../language/terminal.ts';
import type { Locale } from '../language/translator.ts';
import { StartFault } from '../start-fault.ts';
import type { BlobPlace } from '../storage/blob-place.ts';
import { MARK, movedMark, proveStorage, restoredMark } from '../storage/know-storage.ts';
import { openPlace } from '../storage/open-storage.ts';
import { replaceIdentity } from '../storage/storage-identity.store.ts';
import { assertSomethingThere, withDatabase } from './existing-installation.ts';
import { asCommand, type Write } from './moving/command.ts';
import { copyBlobs } from './moving/copy-blobs.ts';
import { type Snapshot, withSnapshot } from './moving/snapshot.ts';
import { assertEmpty, claimStorage, databaseVariable, loadInto, settleSecret } from './moving/target.ts';

/** Where it says what it does, and in which words. */
interface Told {
  write: Write;
  say: Words;
  language: Locale;
}

interface Houses {
  from: { config: Config; connection: ConnectionOptions; place: BlobPlace };
  to: { config: Config; place: BlobPlace };
  otherDatabase: boolean;
  otherStorage: boolean;
}

/**
 * `lavra move`: another database, another storage, or both. Begun beside running nodes it carries the bytes over, which take the
 * longest. To another database it then goes on beside them: from the fence on they read and write nothing (db/writing-fence.ts), and what came since and
 * the database, in one transaction, follow. Files alone follow when the nodes are stopped and it is begun again. The
 * house that was left stays as it was, and a start over it is refused.
 */
export async function runMove(args: readonly string[], environment: NodeJS.ProcessEnv, write: Write): Promise<number> {
  const language = terminalLanguage(environment);
  const say = terminalWords(language);
  const [file] = args;
  if (file === undefined || file.startsWith('-') || args.length > 1) {
    write(say('move.usage'));
    return 2;
  }
  const from = readConfig(environment);
  const to = readConfig({ ...besides(environment), ...parseEnv(await readFile(file, 'utf8')) });
  await assertSomethingThere(from);
  await prepareDataDir(to);
  const places = { from: await openPlace(from), to: await openPlace(to) };
  const otherStorage = addressOf(places.from) !== addressOf(places.to);
  const otherDatabase = from.databaseUrl !== to.databaseUrl || (!from.databaseUrl && resolve(from.dataDir) !== resolve(to.dataDir));
  if (!otherStorage && !otherDatabase) throw new StartFault(file, 'names the database and the storage that are in use: nothing to move');
  return withDatabase(from, async (connection) => {
    const houses = {
      from: { config: from, connection, place: places.from },
      to: { config: to, place: places.to },
      otherDatabase,
      otherStorage,
    };
    if (otherDatabase) await withDatabase(to, (there) => assertEmpty(there, databaseVariable(to)));
    const presence = await claimAlone(connection);
    try {
      return await move(houses, presence !== null, { write, say, language });
    } finally {
      await presence?.leave();
    }
  });
}

/** What a service manager says beside its file of variables holds for the new house too, unless FILE says otherwise. */
const besides = ({ LAVRA_PROFILE, LAVRA_DATA_DIR }: NodeJS.ProcessEnv) => ({ LAVRA_PROFILE, LAVRA_DATA_DIR });

const addressOf = ({ setting }: BlobPlace) =>
  `${setting.variable} ${setting.variable === 'LAVRA_DATA_DIR' ? resolve(setting.value) : setting.value}`;

async function move(houses: Houses, isAlone: boolean, told: Told): Promise<number> {
  const { from, otherDatabase } = houses;
  const { write, say } = told;
  if (!isAlone) {
    // Before anybody has to wait for it.
    await withSnapshot(from.connection, (snapshot) => carryFiles(houses, snapshot, told));
    if (!otherDatabase) {
      write(say('move.stop'));
      return 0;
    }
  }
  const moving = await claimMoving(from.connection);
  if (!moving) throw new StartFault(databaseVariable(from.config), 'somebody else is moving these data at this moment');
  try {
    // Another move may have ended since it was looked at: the fence is that one's, and stays.
    const id = await withSnapshot(from.connection, (snapshot) => idOf(houses, snapshot));
    const identity = otherDatabase ? randomUUID() : id;
    try {
      if (!isAlone) {
        write(say('move.reading'));
        await raiseFence(from.connection);
      }
      await withSnapshot(from.connection, (snapshot) => carryAll(houses, { snapshot, identity, moving }, told), { keeps: true });
    } catch (error) {
      const isHere = await stay(houses, id).catch(() => false);
      if (!isAlone && isHere) await liftFence(from.connection);
      throw error;
    }
    await moving.assertHeld();
    await leaveHouse(houses, id, identity);
  } finally {
    await moving.leave();
  }
  write(isAlone ? say('move.done') : say('move.doneBeside'));
  return 0;
}

/** Whether a move that failed leaves the house where it was: what is over there may be used already, and nothing may be written in both places. */
async function stay(houses: Houses, id: string): Promise<boolean> {
  const { place } = houses.from;
  const mark = (await place.readNote(MARK))?.trim();
  if (mark !== movedMark(id)) return mark === id;
  if (!(await isEmptyStill(houses))) return false;
  await place.writeNote(MARK, id);
  return true;
}

/**
 * The last notes. A storage that both databases have knows one of them, at every moment: the other one by this note. Of two storages the one that is
 * left is closed before the other one is opened.
 */
async function leaveHouse({ from, to, otherDatabase, otherStorage }: Houses, id: string, identity: string): Promise<void> {
  if (!otherStorage) return from.place.writeNote(MARK, identity);
  await from.place.writeNote(MARK, movedMark(id));
  await to.place.writeNote(MARK, identity);
  // Nor may it be moved once more, to a third place.
  if (otherDatabase) await withClient(from.connection, (db) => replaceIdentity(db, randomUUID()));
}

const isEmptyStill = ({ to }: Houses): Promise<boolean> =>
  withDatabase(to.config, (there) => assertEmpty(there, databaseVariable(to.config))).then(
    () => true,
    () => false,
  );

/** The id of database and storage. @throws StartFault where they are not each other's any more; of a move that was broken off after its note they are */
async function idOf({ from, to, otherStorage }: Houses, { facts: { storageId: id } }: Snapshot): Promise<string> {
  if (id === null) throw new StartFault(databaseVariable(from.config), 'no Lavra has been started over this database: nothing to move');
  const mark = (await from.place.readNote(MARK))?.trim();
  if (mark === id || (mark === movedMark(id) && otherStorage && (await isBegun(to.place, id)))) return id;
  throw new StartFault(from.place.setting.variable, 'this is not the storage of this database, or it has moved already');
}

/** Whether a move into this storage was begun, and not ended. */
async function isBegun(place: BlobPlace, id: string): Promise<boolean> {
  const mark = (await place.readNote(MARK))?.trim() ?? '';
  return mark === movedMark(id) || mark.startsWith(restoredMark(id, ''));
}

/** Files that the snapshot names, to the other storage if there is one; answers the id of both, and how many could not be had. */
async function carryFiles(houses: Houses, snapshot: Snapshot, { write, say, language }: Told) {
  const { from, to, otherStorage } = houses;
  const id = await idOf(houses, snapshot);
  if (!otherStorage) return { id, lost: 0 };
  await proveStorage(to.place);
  if (!(await isBegun(to.place, id))) await claimStorage(to.place, id, movedMark(id));
  const { files, bytes, copied, faults } = await copyBlobs(from.place, to.place, snapshot.inventory());
  write(say('move.files', { files, size: megabytes(bytes, language), copied }));
  for (const { sha256, fault } of faults) write(`${sha256}  ${say(`fault.${fault}`)}`);
  return { id, lost: faults.length };
}

/** What is left of the files, then the database; nobody writes into the house meanwhile. */
async function carryAll(
  houses: Houses,
  { snapshot, identity, moving }: { snapshot: Snapshot; identity: string; moving: Moving },
  told: Told,
): Promise<void> {
  const { from, to, otherDatabase, otherStorage } = houses;
  const { id, lost } = await carryFiles(houses, snapshot, told);
  if (lost > 0) throw new StartFault(from.place.setting.variable, `files are missing or damaged (${lost})`);
  if (!otherDatabase) return;
  const own = from.config.secret ?? (await readSecretFile(from.config.dataDir)).current;
  const secret = await settleSecret(to.config, own);
  await withDatabase(to.config, (there) =>
    loadInto(there, to.config, snapshot, secret, identity, async () => {
      await moving.assertHeld();
      if (!otherStorage) return;
      // Killed from here on neither house opens, or, once this is committed, the other one.
      await from.place.writeNote(MARK, movedMark(id));
      await to.place.writeNote(MARK, restoredMark(id, identity));
    }),
  );
}

async function withClient(
  connection: ConnectionOptions,
  act: (db: ReturnType<typeof openDatabase>['db']) => Promise<unknown>,
): Promise<void> {
  const client = openDatabase(connection, { away: () => {}, answered: () => {} });
  try {
    await act(client.db);
  } finally {
    await client.close();
  }
}

if (import.meta.main) await asCommand(runMove);
