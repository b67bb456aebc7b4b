import { DomainError } from '@lavra/domain';
import type { Visitor } from '../../../access/actor.ts';
import type { DeviceClaim } from '../../../access/device-claim.ts';
import type { Opened } from '../../../access/entrance.ts';
import { recordRefusal } from '../../../audit/audit.store.ts';
import type { Ctx } from '../../../context.ts';
import { openProvenSession } from '../open-session.ts';
import { finishFlow } from '../social/sign-in-flow.ts';
import { accountOfPerson } from './account-of-person.ts';
import { ssoMode } from './sso-mode.ts';
import type { Vouch } from './sso-sessions.store.ts';
import { vouchOf } from './vouch-of.ts';

/** What came back from the provider, and what the browser shows of itself. */
export interface SsoAnswer {
  query: string;
  browser: string | null;
  device: DeviceClaim | null;
}

/**
 * Takes what the provider of single sign-on sent back: whoever may enter has an account here, made now where there is none, as the
 * provider says it is. Nothing is made of an answer that is refused.
 * @throws DomainError request.notFound outside of single sign-on mode; identity.*, permission.login, account.deactivated, request.tooMany
 */
export async function finishSingleSignOn(ctx: Ctx, actor: Visitor, { device, ...answer }: SsoAnswer): Promise<Opened> {
  const { userId, vouch } = await knownBy(ctx, actor, answer).catch(async (error: unknown) => {
    const { ip } = actor.from;
    if (error instanceof DomainError) await recordRefusal(ctx, { kind: 'session.opened', outcome: 'refused', reason: error.code, ip });
    throw error;
  });
  return openProvenSession(ctx, actor, { userId, proof: { by: 'singleSignOn', vouch }, remember: false, device });
}

async function knownBy(ctx: Ctx, { from }: Visitor, answer: Omit<SsoAnswer, 'device'>): Promise<{ userId: string; vouch: Vouch }> {
  const settings = ssoMode(ctx);
  const { identity } = await finishFlow(ctx, { provider: settings.provider, ...answer });
  const { roles, ...vouch } = vouchOf(ctx, settings, identity);
  // Before an account is made of them; the door asks again.
  if (!vouch.permissions.includes('LOGIN')) throw new DomainError('permission.login');
  return { userId: await ctx.transaction((tx) => accountOfPerson(tx, { identity, roles, from })), vouch };
}
