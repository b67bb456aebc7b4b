import { X509Certificate } from 'node:crypto';

/** Common name of who issued a certificate (DER); its whole name where there is none. */
export function issuerName(certificate: Uint8Array): string {
  const { issuer } = new X509Certificate(certificate);
  return /^CN=(.+)$/m.exec(issuer)?.[1] ?? issuer.replaceAll('\n', ', ');
}
