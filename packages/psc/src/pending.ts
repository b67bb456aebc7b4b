import { PscError } from './errors.ts';
import type { Identification } from './identification.ts';
import type { AuthorizationMode, PscId } from './providers.ts';
import type { PscScope } from './scopes.ts';

/**
 * An authorisation that waits for a person: plain data, to be stored on the server between the two steps and used once. It holds
 * the PKCE verifier and must not reach a browser.
 */
export interface PendingAuthorization {
  readonly psc: PscId;
  readonly mode: AuthorizationMode;
  readonly identification: Identification;
  readonly scope: PscScope;
  /** Returned with the callback; the caller keeps which process, signer and browser it belongs to. */
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly lifetimeSeconds: number;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** Where the browser goes; null for push. */
  readonly url: string | null;
  /** What the provider calls a push request; null for a redirect. */
  readonly transaction: string | null;
}

/** Throws PSC_EXPIRED when the person took longer than they were given. */
export function assertStillWaiting({ psc, expiresAt }: PendingAuthorization, now: Date, call: string): void {
  if (now.getTime() >= Date.parse(expiresAt)) throw new PscError('PSC_EXPIRED', psc, { call });
}
