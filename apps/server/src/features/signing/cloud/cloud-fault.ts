import { DomainError, type DomainErrorCode } from '@lavra/domain';
import { PscError, type PscErrorCode } from '@lavra/psc';
import { signingFault } from '../signing-fault.ts';

/** What a provider's failure means to the signer. */
const reasons: Readonly<Record<PscErrorCode, DomainErrorCode>> = {
  PSC_NOT_CONFIGURED: 'signing.providerMisconfigured',
  PSC_CREDENTIALS_REFUSED: 'signing.providerMisconfigured',
  PSC_SCOPE_REFUSED: 'signing.providerMisconfigured',
  PSC_NOT_OFFERED: 'signing.providerMisconfigured',
  PSC_UNREACHABLE: 'signing.providerUnavailable',
  PSC_TIMEOUT: 'signing.providerUnavailable',
  PSC_UNAVAILABLE: 'signing.providerUnavailable',
  PSC_REFUSED_BY_USER: 'signing.authorizationRefused',
  PSC_EXPIRED: 'signing.authorizationExpired',
  PSC_WRONG_HOLDER: 'certificate.otherHolder',
  PSC_NO_CERTIFICATE: 'certificate.notFound',
  PSC_STATE_MISMATCH: 'signing.authorizationUnknown',
  PSC_TOO_MANY_HASHES: 'signing.providerFault',
  PSC_INVALID_REQUEST: 'signing.providerFault',
  PSC_REQUEST_REFUSED: 'signing.providerFault',
  PSC_BAD_ANSWER: 'signing.providerFault',
  PSC_WRONG_HASH_COUNT: 'signing.providerFault',
  PSC_BAD_SIGNATURE: 'signing.providerFault',
};

/** Refusals that another try with the same authorisation may overcome. */
const passing: readonly DomainErrorCode[] = [
  'signing.providerUnavailable',
  'certificate.revocationUnknown',
  'request.conflict',
  'storage.damaged',
  'storage.full',
  'storage.unavailable',
];

export interface CloudFault {
  reason: DomainErrorCode;
  /** Values of the reason's sentence. */
  params: Readonly<Record<string, string | number>>;
  /** It may go away by itself. */
  passing: boolean;
}

/** The one place where what went wrong at a provider, or with its certificate, becomes a reason. */
export function cloudFault(error: unknown): CloudFault {
  if (error instanceof DomainError) return { reason: error.code, params: error.params, passing: passing.includes(error.code) };
  if (error instanceof PscError) return { reason: reasons[error.code], params: {}, passing: passing.includes(reasons[error.code]) };
  const { reason, permanent } = signingFault(error);
  return { reason, params: {}, passing: !permanent };
}
