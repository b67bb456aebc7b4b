import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** Key derivation (HKDF): what is derived from the installation secret; the secret itself is never handed out. */
export interface Secrets {
  /** HMAC-SHA-256 under a key of its own for each purpose. */
  sign(purpose: string, data: string): Buffer;
  verify(purpose: string, data: string, mac: Buffer): boolean;
  /** A key of its own for each purpose, 256 bits, for libraries that compute the MAC themselves. */
  key(purpose: string): Buffer;
  /** AES-256-GCM; the purpose is bound to the text. */
  encrypt(purpose: string, plain: Uint8Array): Buffer;
  decrypt(purpose: string, sealed: Uint8Array): Buffer;
}

const MOST_KEPT = 100;

export function deriveSecrets(secret: string): Secrets {
  // The purposes are a handful, and every call derives some of them.
  const derived = new Map<string, Buffer>();
  const keyOf = (purpose: string) => {
    const known = derived.get(purpose) ?? Buffer.from(hkdfSync('sha256', secret, 'lavra', purpose, 32));
    if (derived.size < MOST_KEPT) derived.set(purpose, known);
    return known;
  };
  // A copy: whoever is given a key may do with it what they like.
  const key = (purpose: string) => Buffer.from(keyOf(purpose));
  const sign = (purpose: string, data: string) => createHmac('sha256', keyOf(purpose)).update(data).digest();
  return {
    sign,
    key,
    verify(purpose, data, mac) {
      const expected = sign(purpose, data);
      return expected.length === mac.length && timingSafeEqual(expected, mac);
    },
    encrypt(purpose, plain) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyOf(`encrypt:${purpose}`), iv);
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    decrypt(purpose, sealed) {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv('aes-256-gcm', keyOf(`encrypt:${purpose}`), bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
    },
  };
}
