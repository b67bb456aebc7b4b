import { createHash, randomBytes } from 'node:crypto';
import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { ProvenIdentity, SignInRequest } from '../../../identity/identity.ts';
import { findFlow, insertFlow, type SignInFlow, useFlow } from './identities.store.ts';

const FLOW_MS = 10 * 60_000;

const newSecret = () => randomBytes(32).toString('base64url');
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Where a provider sends people back to, registered there and compared letter by letter. One for each, so that none answers for another (RFC 9700 §4.4). */
export function returnUrl(publicUrl: string, provider: string): string {
  return `${publicUrl}/login/return/${provider}`;
}

/** Nonce and PKCE's verifier follow from the state under our key: nothing of them is kept. */
function requestOf(ctx: Ctx, provider: string, state: string): SignInRequest {
  const derived = (purpose: string) => ctx.secrets.sign(purpose, state).toString('base64url');
  return {
    redirectUri: returnUrl(ctx.publicUrl, provider),
    state,
    nonce: derived('sign-in-nonce'),
    codeVerifier: derived('sign-in-verifier'),
  };
}

/**
 * Writes down that a browser goes to a provider, and answers the address. The browser's secret is a cookie of its own: another
 * browser cannot bring the answer, and whoever is handed somebody else's answer is not signed in as them.
 * @throws DomainError identity.provider*
 */
export async function beginFlow(
  ctx: Ctx,
  { provider, browser = newSecret(), remember }: { provider: string; browser?: string | undefined; remember: boolean },
): Promise<{ url: string; browser: string }> {
  const state = newSecret();
  const url = await ctx.identity.authorise(provider, requestOf(ctx, provider, state));
  const expiresAt = new Date(ctx.clock.now().getTime() + FLOW_MS);
  await insertFlow(ctx, { stateHash: hashOf(state), browserHash: hashOf(browser), provider, remember, expiresAt });
  return { url, browser };
}

/** What came back from a provider: the query of our address, and the browser's secret. */
export interface FlowAnswer {
  provider: string;
  query: string;
  browser: string | null;
}

/**
 * Takes the answer of a sign-in that began in this browser, once, and asks the provider who this is. A stranger's answer changes
 * nothing. One that fails at the provider is over: its code may have been used.
 * @throws DomainError identity.*
 */
export async function finishFlow(
  ctx: Ctx,
  { provider, query, browser }: FlowAnswer,
): Promise<{ flow: SignInFlow; identity: ProvenIdentity }> {
  const answer = new URLSearchParams(query);
  const [state = '', ...more] = answer.getAll('state');
  const flow = more.length === 0 ? await findFlow(ctx, hashOf(state)) : undefined;
  if (!flow || flow.provider !== provider || browser === null || flow.browserHash !== hashOf(browser))
    throw new DomainError('identity.signInUnknown');
  if (flow.usedAt !== null) throw new DomainError('identity.signInUsed');
  if (flow.expiresAt <= ctx.clock.now()) throw new DomainError('identity.signInExpired');
  if (!(await useFlow(ctx, flow.stateHash))) throw new DomainError('identity.signInUsed');
  return { flow, identity: await ctx.identity.whoIs(provider, requestOf(ctx, provider, state), answer) };
}
