import type { Visitor } from '../../../access/actor.ts';
import type { DeviceClaim } from '../../../access/device-claim.ts';
import { findSessionDevice, revokeSession } from '../../../access/sessions.store.ts';
import { readToken } from '../../../access/token.ts';
import { recordAudit } from '../../../audit/audit.store.ts';
import type { Ctx } from '../../../context.ts';
import { provenDevice } from '../devices.store.ts';
import { openTokens } from './provider-tokens.ts';
import { ssoMode } from './sso-mode.ts';
import { findVouch, forgetVouch } from './sso-sessions.store.ts';

/**
 * Ends the session of a token, however old, in the browser that it was opened in, and answers where the provider ends its own. It
 * is told who leaves where that browser asks; else it asks them itself.
 * @throws DomainError request.notFound outside of single sign-on mode; identity.provider*: our session has ended all the same
 */
export async function leaveSingleSignOn(
  ctx: Ctx,
  { from }: Visitor,
  { token, device }: { token: string | null; device: DeviceClaim | null },
): Promise<string | null> {
  const { provider } = ssoMode(ctx);
  const claims = token === null ? null : await readToken(ctx, token);
  const shown = await provenDevice(ctx, device);
  const isTheirs = claims !== null && shown !== null && (await findSessionDevice(ctx, claims.sid)) === shown;
  const idToken = isTheirs ? await end(ctx, { userId: claims.sub, sessionId: claims.sid, ip: from.ip }) : null;
  return ctx.identity.endSessionUrl(provider, { idToken, returnTo: `${ctx.publicUrl}/` });
}

/** The hint of who leaves; null: there is none. */
async function end(ctx: Ctx, { userId, sessionId, ip }: { userId: string; sessionId: string; ip: string }): Promise<string | null> {
  const vouch = await findVouch(ctx, sessionId);
  if (!vouch) return null;
  await ctx.transaction(async (tx) => {
    await revokeSession(tx, sessionId);
    await forgetVouch(tx, sessionId);
    await recordAudit(tx, { kind: 'session.ended', outcome: 'success', accountId: userId, subjectId: sessionId, ip });
  });
  return openTokens(ctx, vouch.sealed)?.idToken ?? null;
}
