import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Texts } from './window/texts.ts';

/** This program's own key, by which pages know it again. It signs nothing but meetings (`meetingText`). */
export interface Identity {
  /** SPKI, base64. */
  readonly key: string;
  /** ECDSA on P-256 with SHA-256, r‖s, base64: what browsers verify. */
  sign(text: string): string;
}

/**
 * The key in the folder, made at the first run. Throws, in words of `texts`, when there is one that cannot be read or that others may have read or put there: pages would go on
 * believing it.
 */
export function openIdentity(folder: string, texts: Texts, platform: NodeJS.Platform = process.platform): Identity {
  const path = join(folder, 'key.pem');
  const pem = readOrMake(folder, path);
  if (platform !== 'win32' && (isOpen(folder, 0o022) || isOpen(path, 0o077))) {
    throw new Error(`${path}: ${texts.terminal.openKey}`);
  }
  const privateKey = createPrivateKey(pem);
  if (privateKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error(`${path}: not a key of P-256`);
  return {
    key: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64'),
    sign: (text) => sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64'),
  };
}

/** Whether it is somebody else's, or lets others do what the bits say. */
function isOpen(path: string, bits: number): boolean {
  const { mode, uid } = statSync(path);
  return (mode & bits) !== 0 || uid !== process.getuid?.();
}

function readOrMake(folder: string, path: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  try {
    // Never over a key that is there: two programs may start at once.
    writeFileSync(path, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8');
}
