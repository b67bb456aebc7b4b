import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MailCatcher, startMailCatcher, startTimestampWorld } from '@lavra/make-believe';
import pg from 'pg';
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts';
import { ensureDatabase } from '../db/ensure-database.ts';
import type { TestApp } from './app.ts';
import { type DatabaseDoor, openDatabaseDoor, type Passing } from './database-door.ts';
import { freePort } from './free-port.ts';
import { overHttp, type Program, startProgram, stopProgram } from './program.ts';

type Index = 0 | 1;

/** Two real programs over one database and one data folder, each behind a door of its own. */
export interface TwoPrograms extends AsyncDisposable {
  at(index: Index): Pick<TestApp, 'call' | 'inject'>;
  doors: readonly [DatabaseDoor, DatabaseDoor];
  mailbox: MailCatcher['mailbox'];
  /** Straight to the database, through no door. */
  rows<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** SIGKILL. */
  kill(index: Index): Promise<void>;
  /** Where it was killed. */
  startAgain(index: Index): Promise<void>;
}

/** Of both: one that passkeys are made for. */
export const twoProgramsUrl = 'http://lavra.test';

/** `beforehand`: with the data folder, before the first program starts. */
export async function startTwoPrograms(beforehand: (dataDir: string) => Promise<void> = () => Promise.resolve()): Promise<TwoPrograms> {
  const directory = await mkdtemp(join(tmpdir(), 'lavra-two-programs-'));
  const dataDir = join(directory, 'data');
  await mkdir(dataDir);
  await beforehand(dataDir);
  const postgres = await startEmbeddedPostgres(directory);
  await ensureDatabase(postgres, 'lavra');
  const database = new pg.Pool({ host: postgres.host, user: postgres.user, database: 'lavra' });
  // Ends before who looks into it does.
  database.on('error', () => {});
  const [timestamps, mails] = await Promise.all([startTimestampWorld(), startMailCatcher({ directory: join(directory, 'mail') })]);
  const TSA_ROOTS = join(directory, 'roots.pem');
  await writeFile(TSA_ROOTS, timestamps.root.certificate.toString('pem'));
  const world = { SMTP_URL: mails.smtpUrl, TSA_URL: timestamps.url, TSA_ROOTS, LAVRA_ALLOW_PRIVATE_FETCH: timestamps.host };
  const doors = [await openDatabaseDoor(postgres.host), await openDatabaseDoor(postgres.host)] as const;
  const ports = [await freePort(), await freePort()] as const;
  const start = (index: Index): Promise<Program> => {
    const DATABASE_URL = `postgres://${postgres.user}@127.0.0.1:${doors[index].port}/lavra`;
    const PORT = String(ports[index]);
    return startProgram({ ...world, LAVRA_PUBLIC_URL: twoProgramsUrl, LAVRA_DATA_DIR: dataDir, DATABASE_URL, PORT });
  };
  const programs = [await start(0), await start(1)] as [Program, Program];
  const isDead = (index: Index) => programs[index].child.signalCode !== null;
  const kill = async (index: Index): Promise<void> => {
    if (!isDead(index)) await stopProgram(programs[index], 'SIGKILL');
  };
  return {
    at: (index) => overHttp(`http://127.0.0.1:${ports[index]}`),
    doors,
    mailbox: mails.mailbox,
    rows: async <Row extends object>(text: string, values: unknown[] = []) => (await database.query<Row>(text, values)).rows,
    kill,
    startAgain: async (index) => {
      if (isDead(index)) programs[index] = await start(index);
    },
    async [Symbol.asyncDispose]() {
      await kill(0);
      await kill(1);
      for (const door of doors) await door[Symbol.asyncDispose]();
      await database.end();
      await postgres.stop();
      await Promise.all([timestamps.close(), mails.close()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** What `first` does, or what follows from it, waits at its door, at such a statement, until `second` has been done. */
export async function whileHeld<First, Second>(
  door: DatabaseDoor,
  isIt: (statement: Passing) => boolean,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  const { promise: isDone, resolve: done } = Promise.withResolvers<void>();
  const { promise: isThere, resolve: there, reject: never } = Promise.withResolvers<void>();
  const tooLong = setTimeout(() => never(new Error('it never came there')), 20_000);
  door.holdNext(isIt, () => (there(), isDone));
  try {
    const acting = first();
    await isThere;
    const acted = await second();
    done();
    return [await acting, acted];
  } finally {
    clearTimeout(tooLong);
    done();
  }
}
