import type { Ctx } from '../../context.ts';
import { insertIssuedCertificate } from './authority.store.ts';
import type { x509 } from './x509.ts';

/** Written before the key signs anything: what we issued can always be told. */
export function recordIssuedCertificate(ctx: Ctx, certificate: x509.X509Certificate, signerId: string): Promise<void> {
  return insertIssuedCertificate(ctx, {
    serial: certificate.serialNumber,
    subject: certificate.subject,
    certificate: Buffer.from(certificate.rawData),
    signerId,
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
  });
}
