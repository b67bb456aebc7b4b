import type { Ctx } from '../../context.ts';
import { insertIssuedCertificate } from './authority.store.ts';
import type { SignerCertificate } from './issue-signer-certificate.ts';

/** Written before the key signs anything: what we issued can always be told. */
export function recordIssuedCertificate(ctx: Ctx, { der, ...facts }: SignerCertificate, signerId: string): Promise<void> {
  return insertIssuedCertificate(ctx, { ...facts, certificate: Buffer.from(der), signerId });
}
