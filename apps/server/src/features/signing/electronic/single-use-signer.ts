import { createHash } from 'node:crypto';
import type { Signer } from '@lavra/pades';
import type { Ctx } from '../../../context.ts';
import { issueSignerCertificate, loadAuthority } from '../../authority/authority.ts';
import { recordIssuedCertificate } from '../../authority/record-issued-certificate.ts';
import { signEcdsa } from '../../authority/platform-signer.ts';
import { newKeyPair } from '../../authority/x509.ts';

const DAY_MS = 86_400_000;
const OPEN_END_DAYS = 365;
const GRACE_DAYS = 15;

/**
 * A key for one act and a certificate that names the signer. The key cannot be exported and is forgotten with
 * the object; the certificate lives past the process's deadline because validators want the final proofs to
 * be made while it holds (docs/decisions/002).
 */
export async function singleUseSigner(
  ctx: Ctx,
  person: { id: string; name: string; email: string; dueDate: Date | null },
): Promise<{ signer: Signer; serial: string; fingerprint: string }> {
  const { people, root } = await loadAuthority(ctx);
  const keys = await newKeyPair(false);
  const end = person.dueDate ?? new Date(ctx.clock.now().getTime() + OPEN_END_DAYS * DAY_MS);
  const certificate = await issueSignerCertificate(ctx, person, keys, new Date(end.getTime() + GRACE_DAYS * DAY_MS));
  const der = new Uint8Array(certificate.rawData);
  await recordIssuedCertificate(ctx, certificate, person.id);
  return {
    signer: { certificate: der, chain: [people.der, root.der], sign: (data) => signEcdsa(keys.privateKey, data) },
    serial: certificate.serialNumber,
    fingerprint: createHash('sha256').update(der).digest('hex'),
  };
}
