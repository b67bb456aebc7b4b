import { DomainError, type DomainErrorCode } from '@lavra/domain';
import type { PscCertificate } from '@lavra/psc';
import type { Ctx } from '../../../context.ts';
import { type CertificateToJudge, type JudgedCertificate, judgeSigningCertificate } from '../digital/judge-certificate.ts';

/** Of several refusals the one that helps most: first what may pass, then what is wrong with the signer's own certificate. */
const helpfulness: readonly DomainErrorCode[] = [
  'certificate.revocationUnknown',
  'certificate.revoked',
  'certificate.notValid',
  'certificate.unsuitable',
  'certificate.company',
  'certificate.otherCompany',
  'certificate.application',
  'certificate.otherHolder',
  'certificate.notIcpBrasil',
  'certificate.unreadable',
];

export interface ChosenCertificate {
  alias: string | null;
  judged: JudgedCertificate;
}

/**
 * The first of a provider's certificates that the signer may sign with.
 * @throws DomainError certificate.*
 */
export async function chooseCertificate(
  ctx: Ctx,
  found: readonly PscCertificate[],
  who: Pick<CertificateToJudge, 'cpf' | 'cnpj'>,
): Promise<ChosenCertificate> {
  const refusals: DomainError[] = [];
  for (const { alias, certificate, chain } of found) {
    try {
      return { alias, judged: await judgeSigningCertificate(ctx, { certificate, chain, ...who }) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refusals.push(error);
    }
  }
  const [best] = refusals.toSorted((one, other) => helpfulness.indexOf(one.code) - helpfulness.indexOf(other.code));
  throw best ?? new DomainError('certificate.notFound');
}
