import { mkdir, open, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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
    await makeFolder(dataDir);
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

/** With what is missing above it. Node's own way asks without end where a folder is there and takes none, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || (await isThere(dirname(path)))) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path);
  }
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
