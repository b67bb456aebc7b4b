import { webcrypto } from 'node:crypto';
import type { RevocationSource, Signer } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { loadAuthority } from './authority.ts';
import { earliestCertificateEnd } from './authority.store.ts';
import { ecdsaDer } from './ecdsa-der.ts';
import { type CrlIssuer, makeRevocationList } from './revocation-list.ts';
import { KEY_ALGORITHM, x509 } from './x509.ts';

/** Signs with the platform's seal. */
export async function sealSigner(ctx: Ctx): Promise<Signer> {
  const { seal, platform, root } = await loadAuthority(ctx);
  return { certificate: seal.der, chain: [platform.der, root.der], sign: (data) => signEcdsa(seal.privateKey, data) };
}

/** ECDSA over SHA-256, as DER. */
export async function signEcdsa(key: webcrypto.CryptoKey, data: Uint8Array): Promise<Uint8Array> {
  return ecdsaDer(new Uint8Array(await webcrypto.subtle.sign(KEY_ALGORITHM, key, Buffer.from(data))));
}

/**
 * Validation material for everything this installation issues, and for its timestamp authority. The people CRL does
 * not outlive the certificate of any of these signers that still holds (docs/decisions/002).
 */
export async function revocationSource(ctx: Ctx, signerIds: readonly string[]): Promise<RevocationSource> {
  const firstEnd = await earliestCertificateEnd(ctx, signerIds, ctx.clock.now());
  const { root, people, platform } = await loadAuthority(ctx);
  return {
    async material(certificates) {
      // Only the lists of these certificates' issuers: another signer's short list would limit a signature it says nothing about.
      const issuers = new Set(certificates.map((der) => new x509.X509Certificate(Buffer.from(der)).issuer));
      const wanted = ([root, people, platform] as const).filter((member) => issuers.has(member.certificate.subject));
      const [own, outside] = await Promise.all([
        Promise.all(wanted.map((member) => makeRevocationList(ctx, member.id as CrlIssuer, member === people ? firstEnd : null))),
        ctx.timestamps?.material?.(),
      ]);
      return {
        certificates: [root.der, people.der, platform.der, ...(outside?.certificates ?? [])],
        crls: [...own, ...(outside?.crls ?? [])],
        ocsps: [],
      };
    },
  };
}
