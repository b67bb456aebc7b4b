import { createHash, timingSafeEqual } from 'node:crypto';

/** What is kept of OAuth's `state` and of the browser's secret. */
export function sha256Hex(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether a secret is the one whose hash was kept; takes as long for a wrong one. */
export function isSecretOf(hash: string | null, secret: string): boolean {
  if (hash === null || hash.length !== 64) return false;
  return timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(sha256Hex(secret), 'hex'));
}
