import { createHash, randomBytes } from 'node:crypto';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type IdentityWorld, issuersAt, startIdentityWorld } from '../identity/world.ts';

export interface DevelopmentIdentities {
  readonly issuers: IdentityWorld['issuers'];
  close(): Promise<void>;
}

interface Kept {
  port: number;
  clientSecret: string;
}

const PREFERRED_PORT = 8027;

/**
 * Providers of identities of nobody, at the same address on every start, because an account is bound to the issuer's. Where this
 * installation's other node serves them, those are used; where a stranger has taken the port, another one is.
 */
export async function startDevelopmentIdentities(directory: string): Promise<DevelopmentIdentities> {
  const path = join(directory, 'identities.json');
  const kept = await keptOrNew(path);
  const { clientSecret } = kept;
  const start = (port: number) => startIdentityWorld({ port, clientSecret, isAllowedRedirect, mark: markOf(clientSecret) });
  try {
    return await start(kept.port);
  } catch {
    const address = `http://127.0.0.1:${kept.port}`;
    if (await isServed(address, clientSecret)) return { issuers: issuersAt(address, clientSecret), close: () => Promise.resolve() };
    const world = await start(0);
    const next = await written(path, { port: Number(new URL(world.address).port), clientSecret });
    // Another node may be reading it at this moment: the old one or the new one, whole.
    await rename(next, path);
    return world;
  }
}

/** The first of several nodes decides; a link is there whole or not at all, so that nobody reads half of it. */
async function keptOrNew(path: string): Promise<Kept> {
  const fresh: Kept = { port: PREFERRED_PORT, clientSecret: randomBytes(24).toString('base64url') };
  const own = await written(path, fresh);
  await link(own, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(own);
  return JSON.parse(await readFile(path, 'utf8')) as Kept;
}

/** Beside where it belongs, under a name that nobody else has. */
async function written(path: string, kept: Kept): Promise<string> {
  const own = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(own, JSON.stringify(kept), { mode: 0o600 });
  return own;
}

/** Nodes of a development start listen at ports of their own, and one behind a proxy is at any name: only the way back is checked. */
function isAllowedRedirect(uri: string): boolean {
  return /^\/(login\/return\/\w+|logout)?$/.test(URL.parse(uri)?.pathname ?? '');
}

/** What only a node of this installation can answer at. */
function markOf(clientSecret: string): string {
  return `/${createHash('sha256').update(clientSecret).digest('hex')}`;
}

async function isServed(address: string, clientSecret: string): Promise<boolean> {
  const answer = await fetch(`${address}${markOf(clientSecret)}`, { signal: AbortSignal.timeout(2000) }).catch(() => null);
  return answer?.status === 204;
}
