import { createHash } from 'node:crypto';
import { type Deadlines, signerCertificateEnd } from '@lavra/domain';
import type { Signer } from '@lavra/pades';
import type { Ctx } from '../../../context.ts';
import { loadAuthority } from '../../authority/authority.ts';
import { issueSignerCertificate } from '../../authority/issue-signer-certificate.ts';
import { recordIssuedCertificate } from '../../authority/record-issued-certificate.ts';
import { signEcdsa } from '../../authority/sign-ecdsa.ts';
import { newKeyPair } from '../../authority/keys.ts';

/**
 * A key for one act and a certificate that names the signer. The key cannot be exported and is forgotten with
 * the object; the certificate lives past the process's last deadline because validators want the final proofs to
 * be made while it holds (docs/decisions/002).
 */
export async function singleUseSigner(
  ctx: Ctx,
  person: { id: string; name: string; email: string; deadlines: Deadlines },
): Promise<{ signer: Signer; serial: string; fingerprint: string }> {
  const { people, root } = await loadAuthority(ctx);
  const keys = await newKeyPair(false);
  const certificate = await issueSignerCertificate(ctx, person, keys, signerCertificateEnd(person.deadlines, ctx.clock.now()));
  const { der } = certificate;
  await recordIssuedCertificate(ctx, certificate, person.id);
  return {
    signer: { certificate: der, chain: [people.der, root.der], sign: (data) => signEcdsa(keys.privateKey, data) },
    serial: certificate.serial,
    fingerprint: createHash('sha256').update(der).digest('hex'),
  };
}
