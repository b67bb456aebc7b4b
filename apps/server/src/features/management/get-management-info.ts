import type { getManagementInfo as call, Reply } from '@lavra/api';
import type { Visitor } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { RIBBON_PROFILE } from '../../config.ts';
import { hasAnyAccount } from '../accounts/has-any-account.ts';

/** What the pages ask at their start. `mailboxUrl`: of the development mailbox, when the development world runs. */
export async function getManagementInfo(ctx: Ctx, _actor: Visitor, mailboxUrl: string | null): Promise<Reply<typeof call>> {
  const { profile, maxUploadBytes, sso } = ctx.config;
  return {
    activeProfiles: [profile, ...(profile === 'dev' ? ['api-docs'] : [])],
    'display-ribbon-on-profiles': RIBBON_PROFILE,
    // In production a stranger is not told that nobody administers yet.
    firstAccount: profile === 'dev' && sso === null && !(await hasAnyAccount(ctx)),
    ssoEnabled: sso !== null,
    socialProviders: sso === null ? [...ctx.identity.providers] : [],
    maxUploadBytes,
    mailboxUrl,
  };
}
