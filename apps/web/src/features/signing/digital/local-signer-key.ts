import { type LocalSignerGreeted, meetingCode, meetingText } from '@lavra/api';

/** The key of the LAVRA_SIGNER that this browser knows: one person's browser, one program. */
const KEY = 'lavra-signer-key';

export function knownKey(): string | null {
  return localStorage.getItem(KEY);
}

/** From now on only this key is believed. */
export function rememberKey(key: string): void {
  localStorage.setItem(KEY, key);
}

export function forgetKey(): void {
  localStorage.removeItem(KEY);
}

export function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** The code that the program's window shows too; null when the proof does not hold for the key. */
export async function codeOf(
  port: number,
  pageNonce: string,
  { key, nonce }: LocalSignerGreeted,
  signature: string,
): Promise<string | null> {
  const meeting = { origin: window.location.origin, port, key, pageNonce, signerNonce: nonce };
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  try {
    const imported = await crypto.subtle.importKey('spki', bytesOf(key), algorithm, false, ['verify']);
    const holds = await crypto.subtle.verify(algorithm, imported, bytesOf(signature), new TextEncoder().encode(meetingText(meeting)));
    return holds ? await meetingCode(meeting) : null;
  } catch {
    // Not a key, or not base64.
    return null;
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
