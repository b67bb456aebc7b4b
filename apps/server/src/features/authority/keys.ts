import { randomBytes, webcrypto } from 'node:crypto';

/** Every key of the installation's authority: what all validators of today read. */
export const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export type KeyPair = webcrypto.CryptoKeyPair;

export function newKeyPair(extractable: boolean): Promise<KeyPair> {
  return webcrypto.subtle.generateKey(KEY_ALGORITHM, extractable, ['sign', 'verify']);
}

/** 127 random bits, positive (RFC 5280 §4.1.2.2). */
export function newSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}

/** `at` as the DER GeneralizedTime of an extension value. */
export function generalizedTime(at: Date): Uint8Array {
  const text = `${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  return Uint8Array.from([0x18, text.length, ...Buffer.from(text, 'latin1')]);
}
