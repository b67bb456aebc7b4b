import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { prepareDataDir } from '../data-dir.ts';
import { type ConnectionOptions, openDatabase } from '../db/client.ts';
import { claimAlone } from '../installation/presence.ts';
import { readSecretFile } from '../installation/secret-file.ts';
import { megabytes, terminalLanguage, terminalWords, type Words } from '../language/terminal.ts';
import type { Locale } from '../language/translator.ts';
import { StartFault } from '../start-fault.ts';
import type { BlobPlace } from '../storage/blob-place.ts';
import { MARK, movedMark, proveStorage } from '../storage/know-storage.ts';
import { openPlace } from '../storage/open-storage.ts';
import { replaceIdentity } from '../storage/storage-identity.store.ts';
import { assertSomethingThere, withDatabase } from './existing-installation.ts';
import { asCommand, type Write } from './moving/command.ts';
import { copyBlobs } from './moving/copy-blobs.ts';
import { withSnapshot } from './moving/snapshot.ts';
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
 * longest; begun again when they are stopped, it carries what came since, then the database in one transaction. The
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

async function move({ from, to, ...other }: Houses, isAlone: boolean, { write, say, language }: Told): Promise<number> {
  return withSnapshot(from.connection, async (snapshot) => {
    const id = snapshot.facts.storageId;
    if (id === null) throw new StartFault(databaseVariable(from.config), 'no Lavra has been started over this database: nothing to move');
    if ((await from.place.readNote(MARK))?.trim() !== id)
      throw new StartFault(from.place.setting.variable, 'this is not the storage of this database, or it has moved already');
    if (other.otherStorage) {
      await proveStorage(to.place);
      await claimStorage(to.place, id, movedMark(id));
      const { files, bytes, copied, faults } = await copyBlobs(from.place, to.place, snapshot.inventory());
      write(say('move.files', { files, size: megabytes(bytes, language), copied }));
      for (const { sha256, fault } of faults) write(`${sha256}  ${say(`fault.${fault}`)}`);
      if (faults.length > 0 && isAlone)
        throw new StartFault(from.place.setting.variable, `files are missing or damaged (${faults.length})`);
    }
    if (!isAlone) {
      write(say('move.stop'));
      return 0;
    }
    if (other.otherDatabase) {
      const own = from.config.secret ?? (await readSecretFile(from.config.dataDir)).current;
      const secret = await settleSecret(to.config, own);
      await withDatabase(to.config, (there) => loadInto(there, to.config, snapshot, secret));
    }
    if (other.otherStorage) {
      await to.place.writeNote(MARK, id);
      await from.place.writeNote(MARK, movedMark(id));
    }
    // Two databases over one storage would each remove what only the other names.
    if (other.otherDatabase) await withClient(from.connection, (db) => replaceIdentity(db, randomUUID()));
    write(say('move.done'));
    return 0;
  });
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
