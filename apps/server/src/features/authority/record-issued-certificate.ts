import type { Ctx } from '../../context.ts';
import type { Write } from '../../db/at-once.ts';
import { insertIssuedCertificate, issuedCertificateWrite, type IssuedRow } from './authority.store.ts';
import type { SignerCertificate } from './issue-signer-certificate.ts';

/** Written before the key signs anything: what we issued can always be told. */
export function recordIssuedCertificate(ctx: Ctx, certificate: SignerCertificate, signerId: string): Promise<void> {
  return insertIssuedCertificate(ctx, rowOf(certificate, signerId));
}

/** The same as a part of the statement of the act that the key will sign for. */
export function issuedCertificateWrites(ctx: Ctx, certificate: SignerCertificate, signerId: string): Write[] {
  return [issuedCertificateWrite(ctx, rowOf(certificate, signerId))];
}

function rowOf({ der, ...facts }: SignerCertificate, signerId: string): IssuedRow {
  return { ...facts, certificate: Buffer.from(der), signerId };
}
