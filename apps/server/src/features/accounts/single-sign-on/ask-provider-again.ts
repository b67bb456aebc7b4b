import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, type DomainErrorCode } from '@lavra/domain';
import { revokeSession } from '../../../access/sessions.store.ts';
import type { TokenClaims } from '../../../access/token.ts';
import { recordAudit } from '../../../audit/audit.store.ts';
import type { Ctx } from '../../../context.ts';
import type { ProvenIdentity } from '../../../identity/identity.ts';
import type { SsoSettings } from '../../../identity/sso-settings.ts';
import { openTokens, type ProviderTokens } from './provider-tokens.ts';
import { followProvider } from './follow-provider.ts';
import { claimAsking, endAsking, findVouch, forgetVouch, updateVouch, type Vouch } from './sso-sessions.store.ts';
import { vouchOf } from './vouch-of.ts';

/** What has more time left than this is not asked about. */
const WINDOW_MS = 60_000;
/** Longer than the provider is given to answer. */
const ASKING_MS = 25_000;
const LOOK_AGAIN_MS = 200;

/** What a provider answers of a session that is over there. */
const OVER: ReadonlySet<DomainErrorCode> = new Set<DomainErrorCode>(['identity.codeUsed', 'identity.refused']);

/**
 * Asks the provider of single sign-on whether it still vouches for a session, once little of what it said is left, and has the
 * account follow what it says now. Several who ask at once, on whichever node, ask it once: some give every refresh token once.
 * Until when it vouches.
 * @throws DomainError request.unauthorized: the session is over; identity.provider*: it could not be asked
 */
export async function askProviderAgain(ctx: Ctx, settings: SsoSettings, claims: TokenClaims): Promise<Date> {
  const vouch = await findVouch(ctx, claims.sid);
  if (!vouch || vouch.provider !== settings.provider) throw new DomainError('request.unauthorized');
  if (vouch.until.getTime() - ctx.clock.now().getTime() > WINDOW_MS) return vouch.until;
  const until = new Date(ctx.clock.now().getTime() + ASKING_MS);
  if (!(await claimAsking(ctx, claims.sid, { seen: vouch.until, until }))) return theOthersAnswer(ctx, claims.sid, vouch);
  const held = openTokens(ctx, vouch.sealed);
  if (held === null) return over(ctx, claims);
  let identity: ProvenIdentity;
  try {
    identity = await ctx.identity.refresh(settings.provider, { refreshToken: held.refreshToken, subject: vouch.subject });
  } catch (error) {
    if (error instanceof DomainError && OVER.has(error.code)) return over(ctx, claims);
    await endAsking(ctx, claims.sid);
    throw error;
  }
  return keepAnswer(ctx, settings, claims, { identity, held });
}

async function keepAnswer(
  ctx: Ctx,
  settings: SsoSettings,
  claims: TokenClaims,
  { identity, held }: { identity: ProvenIdentity; held: ProviderTokens },
): Promise<Date> {
  const vouch = vouchOf(ctx, settings, identity, held);
  if (!vouch.permissions.includes('LOGIN')) await over(ctx, claims);
  await ctx.transaction(async (tx) => {
    await followProvider(tx, claims.sub, identity, vouch.roles);
    await updateVouch(tx, claims.sid, vouch);
  });
  return vouch.until;
}

/** @throws DomainError always: the session is over here too */
async function over(ctx: Ctx, { sub, sid }: TokenClaims): Promise<never> {
  await ctx.transaction(async (tx) => {
    await revokeSession(tx, sid);
    await forgetVouch(tx, sid);
    await recordAudit(tx, { kind: 'session.ended', outcome: 'success', reason: 'singleSignOn', accountId: sub, subjectId: sid });
  });
  throw new DomainError('request.unauthorized');
}

async function theOthersAnswer(ctx: Ctx, sessionId: string, seen: Vouch): Promise<Date> {
  for (let waited = 0; waited < ASKING_MS; waited += LOOK_AGAIN_MS) {
    const now = await findVouch(ctx, sessionId);
    if (!now) throw new DomainError('request.unauthorized');
    if (now.until > seen.until) return now.until;
    if (now.askedUntil === null || now.askedUntil <= ctx.clock.now()) break;
    await sleep(LOOK_AGAIN_MS);
  }
  throw new DomainError('identity.providerUnavailable');
}
