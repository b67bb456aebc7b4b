import { readSuccess, textIn } from './answers.ts';
import type { Fields } from './answers.ts';
import type { PendingAuthorization } from './pending.ts';
import { endpoint, pscOf } from './context.ts';
import type { PscContext } from './context.ts';
import { isSameHolder } from './identification.ts';
import { failure, send } from './network.ts';
import type { Call } from './network.ts';
import type { PscId } from './providers.ts';
import { grantedScope } from './scopes.ts';
import type { PscScope } from './scopes.ts';

/** A person's permission to use their key: plain data, secret, short-lived. */
export interface PscAuthorization {
  readonly psc: PscId;
  readonly accessToken: string;
  readonly scope: PscScope;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** True: the provider named the holder, and it is who was asked. False: it named nobody, the certificate alone tells. */
  readonly holderConfirmed: boolean;
  readonly slotAlias: string | null;
}

/**
 * POST /token, authorization_code. Throws PSC_WRONG_HOLDER when somebody else authorised, PSC_SCOPE_REFUSED, PSC_EXPIRED for a
 * code that was used or waited too long.
 */
export async function exchangeCode(context: PscContext, pending: PendingAuthorization, code: string): Promise<PscAuthorization> {
  const psc = pscOf(context, pending.psc);
  const call: Call = {
    psc,
    call: 'token',
    url: endpoint(psc, 'token'),
    form: {
      grant_type: 'authorization_code',
      client_id: psc.clientId,
      client_secret: psc.clientSecret,
      code,
      code_verifier: pending.codeVerifier,
      redirect_uri: pending.redirectUri,
    },
    deadlineMs: context.deadlines.callMs,
  };
  const fields = readSuccess(call, await send(context.outside, call));
  const { accessToken, expiresAt } = tokenIn(context, call, fields, pending.lifetimeSeconds);
  const holder = textIn(fields, 'authorized_identification');
  if (holder !== null && !isSameHolder(pending.identification, holder)) throw failure(call, 'PSC_WRONG_HOLDER');
  const scope = grantedScope(pending.scope, fields['scope']);
  if (scope === null) throw failure(call, 'PSC_SCOPE_REFUSED');
  return { psc: psc.id, accessToken, scope, expiresAt, holderConfirmed: holder !== null, slotAlias: textIn(fields, 'slot_alias') };
}

/** POST /client_token: the application's own token. Its only use here is to show that the credentials are right. */
export async function clientToken(context: PscContext, id: PscId): Promise<{ accessToken: string; expiresAt: string }> {
  const psc = pscOf(context, id);
  const call: Call = {
    psc,
    call: 'client_token',
    url: endpoint(psc, 'client_token'),
    form: { grant_type: 'client_credentials', client_id: psc.clientId, client_secret: psc.clientSecret },
    deadlineMs: context.deadlines.callMs,
  };
  return tokenIn(context, call, readSuccess(call, await send(context.outside, call)), 300);
}

function tokenIn({ outside }: PscContext, call: Call, fields: Fields, askedSeconds: number): { accessToken: string; expiresAt: string } {
  const accessToken = textIn(fields, 'access_token');
  // RFC 6750 §2.1: anything else would not survive the header it has to travel in.
  if (accessToken === null || !/^[\w.~+/-]+=*$/.test(accessToken)) throw failure(call, 'PSC_BAD_ANSWER');
  const type = textIn(fields, 'token_type');
  if (type !== null && type.toLowerCase() !== 'bearer') throw failure(call, 'PSC_BAD_ANSWER');
  const said = Number(textIn(fields, 'expires_in') ?? askedSeconds);
  // Who signs asked for no more: a token that could do more is neither kept nor waited with.
  const seconds = Number.isFinite(said) ? Math.min(Math.max(said, 0), askedSeconds) : askedSeconds;
  return { accessToken, expiresAt: new Date(outside.now().getTime() + seconds * 1000).toISOString() };
}

/** Throws PSC_EXPIRED without asking anybody when the token's time is over. */
export function assertAuthorized({ outside }: PscContext, { psc, expiresAt }: PscAuthorization, call: Pick<Call, 'psc' | 'call'>): void {
  if (outside.now().getTime() >= Date.parse(expiresAt)) throw failure(call, 'PSC_EXPIRED', { token: psc });
}
