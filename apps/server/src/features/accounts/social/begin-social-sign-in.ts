import type { Visitor } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { beginFlow } from './sign-in-flow.ts';

/** Where a browser goes to sign in through a provider, and the secret that it keeps until it comes back. @throws DomainError identity.provider* */
export function beginSocialSignIn(
  ctx: Ctx,
  _actor: Visitor,
  { provider, remember, browser }: { provider: string; remember: boolean; browser: string | null },
): Promise<{ url: string; browser: string }> {
  return beginFlow(ctx, { provider, remember, browser: browser ?? undefined });
}
