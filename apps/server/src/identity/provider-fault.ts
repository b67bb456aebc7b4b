import { DomainError, type DomainErrorCode } from '@lavra/domain';
import { AuthorizationResponseError, ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';

/** What a provider says in `error` (RFC 6749 §4.1.2.1, §5.2; OpenID Connect Core §3.1.2.6) means to the person. */
const said: Readonly<Record<string, DomainErrorCode>> = {
  access_denied: 'identity.refused',
  login_required: 'identity.refused',
  interaction_required: 'identity.refused',
  consent_required: 'identity.refused',
  account_selection_required: 'identity.refused',
  temporarily_unavailable: 'identity.providerUnavailable',
  server_error: 'identity.providerUnavailable',
  invalid_grant: 'identity.codeUsed',
  invalid_client: 'identity.providerMisconfigured',
  unauthorized_client: 'identity.providerMisconfigured',
  invalid_scope: 'identity.providerMisconfigured',
  invalid_request: 'identity.providerMisconfigured',
  unsupported_response_type: 'identity.providerMisconfigured',
};

/** What the library found wrong. */
const found: Readonly<Record<string, DomainErrorCode>> = {
  OAUTH_TIMEOUT: 'identity.providerUnavailable',
  OAUTH_ABORT: 'identity.providerUnavailable',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'identity.clockOff',
  // Nonce, audience, issuer; a state or issuer parameter that is not ours.
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'identity.answerInvalid',
  OAUTH_INVALID_RESPONSE: 'identity.answerInvalid',
};

/** The one place where what went wrong at a provider becomes a refusal. Nobody is signed in by any of them. */
export function providerFault(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  return new DomainError(codeOf(error));
}

function codeOf(error: unknown): DomainErrorCode {
  if (error instanceof AuthorizationResponseError) return spoken(error.error);
  if (error instanceof ResponseBodyError) return error.status >= 500 ? 'identity.providerUnavailable' : spoken(error.error);
  if (error instanceof WWWAuthenticateChallengeError)
    return error.status >= 500 ? 'identity.providerUnavailable' : 'identity.providerMisconfigured';
  if (error instanceof ClientError) {
    if (error.cause instanceof Response && error.cause.status >= 500) return 'identity.providerUnavailable';
    return (Object.hasOwn(found, error.code ?? '') && found[error.code ?? '']) || 'identity.providerFault';
  }
  // The platform's fetch throws nothing else.
  return error instanceof TypeError ? 'identity.providerUnavailable' : 'identity.providerFault';
}

function spoken(word: string): DomainErrorCode {
  return (Object.hasOwn(said, word) && said[word]) || 'identity.providerFault';
}
