import { KeyObject, sign, type webcrypto } from 'node:crypto';

/** A key as the synchronous call takes it: a thread and a promise for each signature take several times as long as the signature. */
const keyObjects = new WeakMap<webcrypto.CryptoKey, KeyObject>();

/** ECDSA over SHA-256, as DER. */
export async function signEcdsa(key: webcrypto.CryptoKey, data: Uint8Array): Promise<Uint8Array> {
  const known = keyObjects.get(key) ?? KeyObject.from(key);
  keyObjects.set(key, known);
  return new Uint8Array(sign('sha256', data, { key: known, dsaEncoding: 'der' }));
}
