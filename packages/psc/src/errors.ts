import type { PscId } from './providers.ts';

/**
 * Everything that asking a provider can end in, as a closed set of codes.
 *
 * Set-up:   PSC_NOT_CONFIGURED (no address, no credentials or no such provider here) · PSC_CREDENTIALS_REFUSED (client_id or
 *           client_secret are wrong, or the application may not do this) · PSC_NOT_OFFERED (the provider has no such call, format
 *           or algorithm).
 * Network:  PSC_UNREACHABLE (no connection) · PSC_TIMEOUT (no answer within the deadline) · PSC_UNAVAILABLE (it answers, but is
 *           out of order or wants us to slow down).
 * Person:   PSC_REFUSED_BY_USER · PSC_EXPIRED (the request, the code or the token is too old or used up: ask the person again) ·
 *           PSC_WRONG_HOLDER (somebody else authorised) · PSC_NO_CERTIFICATE · PSC_STATE_MISMATCH (a callback of another request).
 * Request:  PSC_TOO_MANY_HASHES (`maximum`) · PSC_SCOPE_REFUSED (fewer rights than needed were granted) · PSC_INVALID_REQUEST (the
 *           caller's own: no CPF, no hash) · PSC_REQUEST_REFUSED (the provider says no and names no other cause).
 * Answer:   PSC_BAD_ANSWER (cannot be read as what was asked for) · PSC_WRONG_HASH_COUNT (not one signature for each hash) ·
 *           PSC_BAD_SIGNATURE (a signature value in no encoding that is known).
 */
export const pscErrorCodes = [
  'PSC_NOT_CONFIGURED',
  'PSC_CREDENTIALS_REFUSED',
  'PSC_NOT_OFFERED',
  'PSC_UNREACHABLE',
  'PSC_TIMEOUT',
  'PSC_UNAVAILABLE',
  'PSC_REFUSED_BY_USER',
  'PSC_EXPIRED',
  'PSC_WRONG_HOLDER',
  'PSC_NO_CERTIFICATE',
  'PSC_STATE_MISMATCH',
  'PSC_TOO_MANY_HASHES',
  'PSC_SCOPE_REFUSED',
  'PSC_INVALID_REQUEST',
  'PSC_REQUEST_REFUSED',
  'PSC_BAD_ANSWER',
  'PSC_WRONG_HASH_COUNT',
  'PSC_BAD_SIGNATURE',
] as const;

export type PscErrorCode = (typeof pscErrorCodes)[number];

/**
 * A refusal. `message` is for logs and never holds a secret, a token or a CPF; users are told by the code. `details`: the call
 * (`call`), the HTTP `status`, the provider's own `error` word.
 */
export class PscError extends Error {
  override readonly name = 'PscError';
  readonly code: PscErrorCode;
  readonly psc: PscId | null;
  readonly details: Readonly<Record<string, string | number>>;

  constructor(code: PscErrorCode, psc: PscId | null, details: Record<string, string | number> = {}, cause?: unknown) {
    const said = Object.entries(details).map(([name, value]) => `${name} ${value}`);
    super([code, psc, ...said].filter((part) => part !== null).join(', '), cause === undefined ? undefined : { cause });
    this.code = code;
    this.psc = psc;
    this.details = details;
  }
}
