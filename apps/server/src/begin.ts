import { resolve } from 'node:path';
import { readVariables, withoutEmpty } from './config-variables.ts';
import { beginDatabase } from './db/begun-database.ts';
import { type Lifetime, liveUntilSignal, STOP_DATABASE_MS } from './lifetime.ts';

/**
 * How `npm start` and a release begin: the embedded server of an installation that is there starts while all else is loaded, which takes as long.
 * What the environment says is judged by `main.ts`; what has a fault in itself begins nothing.
 */
async function begin(life: Lifetime): Promise<void> {
  const faults: string[] = [];
  const { DATABASE_URL, LAVRA_DATA_DIR } = readVariables(withoutEmpty(process.env), faults);
  if (faults.length === 0 && DATABASE_URL === null) {
    const database = await beginDatabase(resolve(LAVRA_DATA_DIR));
    if (database) life.opened(database.stop, STOP_DATABASE_MS);
  }
  const { start } = await import('./main.ts');
  life.signal.throwIfAborted();
  await start(life);
}

liveUntilSignal(begin).catch(async (error: unknown) => (await import('./main.ts')).endAtOnce(error));
