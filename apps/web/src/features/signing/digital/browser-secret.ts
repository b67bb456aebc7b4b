import { streamingCrypto } from '@lavra/pades';

/** One secret per browser: the window that comes back from a provider knows no process, and proves with it that it is this browser. */
const KEY = 'lavra-browser';

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** 32 random bytes in hex, made when first asked for. */
export function browserSecret(): string {
  const stored = localStorage.getItem(KEY);
  if (stored && /^[0-9a-f]{64}$/.test(stored)) return stored;
  const made = hex(crypto.getRandomValues(new Uint8Array(32)));
  localStorage.setItem(KEY, made);
  return made;
}

/** SHA-256 (hex) of the secret's characters: what the server keeps until the callback. */
export async function browserSecretHash(): Promise<string> {
  // Not Web Crypto, which browsers give to secure addresses only: an intranet may have none.
  const hash = (await streamingCrypto()).createHash('sha256');
  hash.update(new TextEncoder().encode(browserSecret()));
  return hex(await hash.digest());
}
