import { mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { inWords, StartFault } from './start-fault.ts';

/**
 * Makes the data directory and tries whether it takes a file, before anything is started over it. A node whose database, files and
 * secret are elsewhere needs none.
 * @throws StartFault
 */
export async function prepareDataDir({ dataDir, databaseUrl, s3, secret, profile }: Config): Promise<void> {
  if (profile === 'prod' && databaseUrl && s3 && secret) return;
  const probe = join(dataDir, `.probe-${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const file = await open(probe, 'w', 0o600);
    try {
      await file.writeFile('probe');
      await file.sync();
    } finally {
      await file.close();
      await unlink(probe);
    }
  } catch (error) {
    throw new StartFault('LAVRA_DATA_DIR', `cannot be written, ${inWords(error)}`, { cause: error });
  }
}
