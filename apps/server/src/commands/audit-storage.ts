import pino from 'pino';
import { system } from '../access/actor.ts';
import { ConfigError, readConfig } from '../config.ts';
import { type ConnectionOptions, openDatabase } from '../db/client.ts';
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts';
import { createOutageLog } from '../db/outage-log.ts';
import { writeAuditReport } from '../features/stored-files/write-audit-report.ts';
import { terminalLanguage, terminalWords } from '../language/terminal.ts';
import { describeStartFailure } from '../start-failure.ts';
import { keepLedger } from '../storage/keep-ledger.ts';
import { knowStorage, proveStorage } from '../storage/know-storage.ts';
import { openPlace } from '../storage/open-storage.ts';
import { verifiedStore } from '../storage/verified-store.ts';

/**
 * `npm run audit-storage`: reads every stored file, compares it with the inventory and writes what it finds down, beside a
 * running installation or without one. Answers the exit code: 0 all is whole, 1 something is missing or changed.
 */
export async function runAudit(environment: NodeJS.ProcessEnv, write: (line: string) => void): Promise<number> {
  const say = terminalWords(terminalLanguage(environment));
  const config = readConfig(environment);
  const embedded = config.databaseUrl === null ? await startEmbeddedPostgres(config.dataDir) : null;
  const connection: ConnectionOptions = embedded
    ? { host: embedded.host, user: embedded.user, database: 'lavra' }
    : { connectionString: config.databaseUrl ?? '' };
  const log = pino({ level: 'silent' });
  const clock = { now: () => new Date() };
  const client = openDatabase(connection, createOutageLog(log));
  try {
    const place = await openPlace(config);
    await proveStorage(place);
    // Everything would be missing from a storage that is another's.
    await knowStorage(client.db, clock, place);
    const storage = verifiedStore(place, keepLedger(client.db, clock, log));
    const faults = await writeAuditReport({ db: client.db, clock, storage, log }, system, { write, say });
    write('');
    write(faults === 0 ? say('audit.whole') : say('audit.faults', { faults }));
    return faults === 0 ? 0 : 1;
  } finally {
    await client.close();
    await embedded?.stop();
  }
}

if (import.meta.main) {
  try {
    process.exitCode = await runAudit(process.env, (line) => void process.stdout.write(`${line}\n`));
  } catch (error) {
    process.stderr.write(`${error instanceof ConfigError ? error.message : describeStartFailure(error)}\n`);
    process.exitCode = 2;
  }
}
