import { webcrypto } from 'node:crypto';
import type { Signer } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { loadAuthority } from './authority.ts';
import { ecdsaDer } from './ecdsa-der.ts';
import { KEY_ALGORITHM } from './x509.ts';

/** Signs with the platform's seal. */
export async function sealSigner(ctx: Ctx): Promise<Signer> {
  const { seal, platform, root } = await loadAuthority(ctx);
  return { certificate: seal.der, chain: [platform.der, root.der], sign: (data) => signEcdsa(seal.privateKey, data) };
}

/** ECDSA over SHA-256, as DER. */
export async function signEcdsa(key: webcrypto.CryptoKey, data: Uint8Array): Promise<Uint8Array> {
  return ecdsaDer(new Uint8Array(await webcrypto.subtle.sign(KEY_ALGORITHM, key, Buffer.from(data))));
}
