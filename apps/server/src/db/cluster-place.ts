import { createHash } from 'node:crypto';
import { chmod, chown, lchown, lstat, mkdir, readdir, readlink, realpath, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Files of another major version cannot be opened: each has a directory of its own. */
export const MAJOR = 'pg18';

const SOCKET_PATH_LIMIT = 107;

export interface Owner {
  uid: number;
  gid: number;
}

/** A number that no person, service or distribution has (65520 to 65533 are unused everywhere), not `nobody`'s, whom others run as too. */
const OWN_ID = 65_530;
export const NOBODY = 65_534;

/** PostgreSQL refuses to run as root: then the data directory's owner runs it, or a user of its own when that is root too. */
export async function clusterOwner(dataDir: string): Promise<Owner | null> {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = await stat(dataDir);
  return uid === 0 ? { uid: OWN_ID, gid: OWN_ID } : { uid, gid };
}

/** Gives files to the server's user, inner ones first: a change that was interrupted is seen at the directory itself and made again. */
export async function giveTo(owner: Owner, path: string): Promise<void> {
  const facts = await lstat(path).catch(() => null);
  if (!facts || facts.uid === owner.uid) return;
  if (facts.isDirectory()) for (const name of await readdir(path)) await giveTo(owner, join(path, name));
  await lchown(path, owner.uid, owner.gid);
}

/**
 * Directory that holds the cluster: the data directory; or, when the server's user cannot get there (a
 * project in root's home), one under /var/lib that a link in the data directory points to.
 */
export async function clusterHome(dataDir: string, owner: Owner | null): Promise<string> {
  if (!owner) return dataDir;
  const link = join(dataDir, MAJOR);
  const known = await lstat(link).catch(() => null);
  if (known?.isSymbolicLink()) return dirname(await readlink(link));
  const elsewhere = !known && !(await canEnter(dirname(await realpath(dataDir)), owner));
  const home = elsewhere ? join('/var/lib/lavra', createHash('sha256').update(dataDir).digest('hex').slice(0, 16)) : dataDir;
  await mkdir(home, { recursive: true });
  // The server's user may pass through, not list.
  await chmod(home, 0o711);
  if (elsewhere)
    await symlink(join(home, MAJOR), link).catch((error: NodeJS.ErrnoException) => {
      // Another program that starts at the same moment was faster, and chose the same.
      if (error.code !== 'EEXIST') throw error;
    });
  return home;
}

async function canEnter(directory: string, owner: Owner): Promise<boolean> {
  const facts = await stat(directory);
  const bit = facts.uid === owner.uid ? 0o100 : facts.gid === owner.gid ? 0o010 : 0o001;
  if ((facts.mode & bit) === 0) return false;
  const parent = dirname(directory);
  return parent === directory || canEnter(parent, owner);
}

/** Where the server's socket lives, for the server's user and root only; a unix socket's path has at most 107 bytes. */
export async function socketDirectory(cluster: string, owner: Owner | null): Promise<string> {
  const beside = `${cluster}-socket`;
  const fits = Buffer.byteLength(join(beside, '.s.PGSQL.5432.lock')) <= SOCKET_PATH_LIMIT;
  const key = owner ? `${cluster} ${owner.uid}` : cluster;
  const directory = fits ? beside : join(tmpdir(), `lavra-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (!fits) await refuseForeign(directory, owner);
  if (owner) await chown(directory, owner.uid, owner.gid);
  await chmod(directory, 0o700);
  return directory;
}

/** In a shared temporary directory somebody else could have been there first. */
async function refuseForeign(directory: string, owner: Owner | null): Promise<void> {
  const facts = await lstat(directory);
  const uids = [process.getuid?.(), owner?.uid];
  if (!facts.isDirectory() || !uids.includes(facts.uid)) throw new Error(`${directory} belongs to another user`);
}
