import { type KeyObject, sign, webcrypto } from 'node:crypto';
import { ecdsaDer } from './ecdsa-der.ts';
import { KEY_ALGORITHM } from './keys.ts';

/** ECDSA over SHA-256, as DER. */
export async function signEcdsa(key: webcrypto.CryptoKey, data: Uint8Array): Promise<Uint8Array> {
  return ecdsaDer(new Uint8Array(await webcrypto.subtle.sign(KEY_ALGORITHM, key, Buffer.from(data))));
}

/**
 * The same with a key of the authority's, at once: a thread and a promise for each signature take several times as long as the signature. DER is
 * what Node does with a bare key.
 */
export function signAtOnce(key: KeyObject, data: Uint8Array): Uint8Array {
  return new Uint8Array(sign('sha256', data, key));
}
