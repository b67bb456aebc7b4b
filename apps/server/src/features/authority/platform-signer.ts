import type { Signer } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { loadAuthority } from './authority.ts';
import { signAtOnce } from './sign-ecdsa.ts';

/** Signs with the platform's seal. */
export async function sealSigner(ctx: Ctx): Promise<Signer> {
  const { seal, platform, root } = await loadAuthority(ctx);
  return { certificate: seal.der, chain: [platform.der, root.der], sign: async (data) => signAtOnce(seal.privateKey, data) };
}
