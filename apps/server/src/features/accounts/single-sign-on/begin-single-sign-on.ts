import type { Visitor } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { beginFlow } from '../social/sign-in-flow.ts';
import { ssoMode } from './sso-mode.ts';

/**
 * Where a browser goes to sign in, and the secret that it keeps until it comes back.
 * @throws DomainError request.notFound outside of single sign-on mode; identity.provider*
 */
export async function beginSingleSignOn(
  ctx: Ctx,
  _actor: Visitor,
  { browser }: { browser: string | null },
): Promise<{ url: string; browser: string }> {
  return beginFlow(ctx, { provider: ssoMode(ctx).provider, browser: browser ?? undefined, remember: false });
}
