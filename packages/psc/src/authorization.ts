import { meaningOf } from './answers.ts';
import { endpoint, pscOf } from './context.ts';
import type { PscContext } from './context.ts';
import { toBase64Url } from './encodings.ts';
import { PscError } from './errors.ts';
import { identificationOf } from './identification.ts';
import { createPkce } from './pkce.ts';
import { assertStillWaiting } from './pending.ts';
import type { PendingAuthorization } from './pending.ts';
import type { PscId } from './providers.ts';
import { pushRedirect, startPush } from './push.ts';
import { longestLifetime, scopeFor } from './scopes.ts';
import type { PscScope } from './scopes.ts';

export interface AuthorizationRequest {
  readonly psc: PscId;
  /** CPF or CNPJ, mask or not. */
  readonly identification: string;
  /** How many hashes will be signed: the scope asked for is the least that suffices. */
  readonly hashes: number;
  readonly scope?: PscScope;
  /** Where the browser comes back to; not used by push. */
  readonly redirectUri: string;
  /** How long the person may take; default the specification's 90 s. */
  readonly waitSeconds?: number;
  /** How long the token lives; default 300 s. */
  readonly lifetimeSeconds?: number;
}

/** What came with the callback's query. */
export interface CallbackQuery {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly error?: string | undefined;
}

/** GET /authorize as an address for the browser, or, where the provider pushes, the request to the person's telephone. */
export async function beginAuthorization(context: PscContext, request: AuthorizationRequest): Promise<PendingAuthorization> {
  const psc = pscOf(context, request.psc);
  const identification = identificationOf(request.identification);
  const { verifier, challenge } = await createPkce(context.outside.random);
  const { waitSeconds = 90, lifetimeSeconds = 300 } = request;
  const push = psc.authorization === 'push';
  const pending = {
    psc: psc.id,
    mode: psc.authorization,
    identification,
    scope: request.scope ?? scopeFor(psc, request.hashes),
    state: toBase64Url(context.outside.random(24)),
    codeVerifier: verifier,
    redirectUri: push ? pushRedirect : request.redirectUri,
    lifetimeSeconds: Math.min(lifetimeSeconds, longestLifetime[identification.type]),
    expiresAt: new Date(context.outside.now().getTime() + waitSeconds * 1000).toISOString(),
  };
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: psc.clientId,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    redirect_uri: pending.redirectUri,
    state: pending.state,
    // Always sent: left out, a provider may grant an identification only.
    scope: pending.scope,
    lifetime: String(pending.lifetimeSeconds),
    login_hint: identification.value,
  });
  const url = `${endpoint(psc, 'authorize')}?${query}`;
  if (!push) return { ...pending, url, transaction: null };
  return { ...pending, url: null, transaction: await startPush(context, psc, url) };
}

/**
 * The code of a callback that belongs to the pending authorisation. Throws PSC_STATE_MISMATCH, PSC_EXPIRED, PSC_BAD_ANSWER (no
 * code), or what the provider's `error` means, PSC_REFUSED_BY_USER first of all.
 */
export function readCallback({ outside }: PscContext, pending: PendingAuthorization, query: CallbackQuery): string {
  const details = { call: 'callback' };
  // First: a stranger's callback may not even end somebody's authorisation.
  if (query.state !== pending.state) throw new PscError('PSC_STATE_MISMATCH', pending.psc, details);
  if (query.error) throw new PscError(meaningOf(query.error), pending.psc, details);
  assertStillWaiting(pending, outside.now(), 'callback');
  if (!query.code) throw new PscError('PSC_BAD_ANSWER', pending.psc, details);
  return query.code;
}
