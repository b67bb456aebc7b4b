import { webcrypto } from 'node:crypto';
import { ecdsaDer } from './ecdsa-der.ts';
import { KEY_ALGORITHM } from './keys.ts';

/** ECDSA over SHA-256, as DER. */
export async function signEcdsa(key: webcrypto.CryptoKey, data: Uint8Array): Promise<Uint8Array> {
  return ecdsaDer(new Uint8Array(await webcrypto.subtle.sign(KEY_ALGORITHM, key, Buffer.from(data))));
}
