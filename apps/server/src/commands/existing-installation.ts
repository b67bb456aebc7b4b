import type { Config } from '../config.ts';
import type { ConnectionOptions } from '../db/client.ts';
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts';
import { ensureDatabase } from '../db/ensure-database.ts';
import { readSecretFile } from '../installation/secret-file.ts';
import { StartFault } from '../start-fault.ts';

/** A mistyped folder must not become an installation of its own, on which a command then acts. @throws StartFault */
export async function assertSomethingThere({ secret, dataDir }: Pick<Config, 'secret' | 'dataDir'>): Promise<void> {
  if (secret !== null) return;
  const { path, current, next } = await readSecretFile(dataDir);
  if (current === null && next === null)
    throw new StartFault('LAVRA_DATA_DIR', `there is no secret at ${path}, and LAVRA_SECRET is not set`);
}

/** With the installation's database, beside programs that use it or without one. */
export async function withDatabase<T>(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  act: (connection: ConnectionOptions) => Promise<T>,
): Promise<T> {
  if (databaseUrl) return act({ connectionString: databaseUrl });
  const embedded = await startEmbeddedPostgres(dataDir);
  try {
    await ensureDatabase(embedded, 'lavra');
    return await act({ host: embedded.host, user: embedded.user, database: 'lavra' });
  } finally {
    await embedded.stop();
  }
}
