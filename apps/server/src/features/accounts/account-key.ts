import { createHash, randomBytes } from 'node:crypto';

/** A one-time key for a mail's link: 256 random bits; the database keeps its SHA-256 only. */
export function newAccountKey(): { key: string; hash: string } {
  const key = randomBytes(32).toString('base64url');
  return { key, hash: accountKeyHash(key) };
}

export function accountKeyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
