import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MAJOR } from './cluster-place.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

/** A server that starts while the rest of the program is loaded. */
export interface BegunDatabase {
  readonly server: Promise<EmbeddedPostgres>;
  /** Who is told from now on what becomes of it; standard error until then. */
  tellTo(tell: (line: string) => void): void;
  /** Also of one that is still to answer. */
  stop(): Promise<void>;
}

let begun: { dataDir: string; database: BegunDatabase } | null = null;

/** Starts the server of a cluster that is there, and returns when its process runs. Null: there is none, and who makes it has looked at more first. */
export async function beginDatabase(dataDir: string): Promise<BegunDatabase | null> {
  if (process.platform === 'win32' || !(await stat(join(dataDir, MAJOR)).catch(() => null))) return null;
  let hear = (line: string): void => void process.stderr.write(`${line}\n`);
  const launched = Promise.withResolvers<void>();
  const server = startEmbeddedPostgres(dataDir, (line) => hear(line), launched.resolve);
  // Its fault is told to who asks for it, if anybody comes to that.
  const settled = server.then(
    () => {},
    () => {},
  );
  const database: BegunDatabase = {
    server,
    tellTo: (tell) => void (hear = tell),
    stop: () =>
      server.then(
        ({ stop }) => stop(),
        () => {},
      ),
  };
  begun = { dataDir, database };
  await Promise.race([launched.promise, settled]);
  return database;
}

/** What was begun for these data; whoever takes it is the only one. */
export function takeBegun(dataDir: string): BegunDatabase | null {
  const taken = begun?.dataDir === dataDir ? begun.database : null;
  if (taken) begun = null;
  return taken;
}
