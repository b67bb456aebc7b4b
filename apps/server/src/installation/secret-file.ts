import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFault } from '../start-fault.ts';
import { writeDurably } from '../write-durably.ts';

/** Where the embedded default keeps the secret; beside it, while it is being rotated, the one that follows. */
export interface SecretFile {
  path: string;
  /** Null: there is none yet. */
  current: string | null;
  next: string | null;
}

export const LEAST_LENGTH = 32;

const pathOf = (dataDir: string) => join(dataDir, 'secret');
const nextOf = (dataDir: string) => `${pathOf(dataDir)}.next`;

export const newSecret = () => randomBytes(48).toString('base64url');

/** @throws StartFault when a file is there and holds no secret */
export async function readSecretFile(dataDir: string): Promise<SecretFile> {
  return { path: pathOf(dataDir), current: await read(pathOf(dataDir)), next: await read(nextOf(dataDir)) };
}

/** The first secret, unless another start was faster; answers the one that counts. */
export async function createSecretFile(dataDir: string): Promise<string> {
  const unfinished = `${pathOf(dataDir)}.${process.pid}.tmp`;
  await writeDurably(unfinished, newSecret());
  try {
    // Never in place of another: unlike a rename, a link refuses that.
    await link(unfinished, pathOf(dataDir));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(unfinished);
  }
  await syncDirectory(dataDir);
  const { current } = await readSecretFile(dataDir);
  if (current === null) throw new StartFault('LAVRA_DATA_DIR', `the secret at ${pathOf(dataDir)} went away while it was made`);
  return current;
}

/** Puts the secret that follows beside today's, on the disk before anything is encrypted with it. */
export async function writeNextSecret(dataDir: string, secret: string): Promise<void> {
  const unfinished = `${nextOf(dataDir)}.${process.pid}.tmp`;
  await writeDurably(unfinished, secret);
  await rename(unfinished, nextOf(dataDir));
  await syncDirectory(dataDir);
}

/** The one that follows takes the place of the one before: what the database keeps opens with it alone. */
export async function promoteNextSecret(dataDir: string): Promise<void> {
  await rename(nextOf(dataDir), pathOf(dataDir));
  await syncDirectory(dataDir);
}

/** A rotation that never came about. */
export async function dropNextSecret(dataDir: string): Promise<void> {
  await unlink(nextOf(dataDir)).catch((error: NodeJS.ErrnoException) => {
    // Another start was faster.
    if (error.code !== 'ENOENT') throw error;
  });
}

async function read(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const secret = text.trim();
  if (secret.length < LEAST_LENGTH) throw new StartFault('LAVRA_DATA_DIR', `${path} is damaged: restore it from a backup`);
  return secret;
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
