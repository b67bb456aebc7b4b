import { DomainError } from '@lavra/domain';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { sessionHolds, touchSession } from '../../access/sessions.store.ts';
import type { Visitor } from '../../access/actor.ts';
import type { DeviceClaim } from '../../access/device-claim.ts';
import type { Opened } from '../../access/entrance.ts';
import type { SsoSettings } from '../../identity/sso-settings.ts';
import { limitRate } from '../../access/limits.store.ts';
import { readToken, signToken, type TokenClaims } from '../../access/token.ts';
import { judgeDevice, renewDevice, revokeDevice } from './devices.store.ts';
import { askProviderAgain } from './single-sign-on/ask-provider-again.ts';

/**
 * A new access token for a session that lasts, in the browser that it was opened in: shown by the old token, however old,
 * and the device's secret, which is renewed with it. A secret that was renewed before is a stolen one: every session of
 * the device ends.
 * @throws DomainError request.unauthorized, request.tooMany; in single sign-on mode identity.provider*
 */
export async function refreshSession(
  ctx: Ctx,
  { from }: Visitor,
  { token, device: shown }: { token: string; device: DeviceClaim | null },
): Promise<Opened> {
  // Both carry our MAC: strangers are sent away before anything is looked up, and an office behind one address is not one.
  const claims = await readToken(ctx, token);
  if (!claims || !shown) throw new DomainError('request.unauthorized');
  await limitRate(ctx, 'refresh', shown.id);
  const until = ctx.config.sso && (await vouchedUntil(ctx, ctx.config.sso, claims, shown));
  const device = await ctx.transaction(async (tx) => {
    const { standing, generation } = await judgeDevice(tx, shown);
    if (standing === 'reused') {
      await revokeDevice(tx, shown.id);
      await recordAudit(tx, { kind: 'session.reused', outcome: 'refused', accountId: claims.sub, subjectId: claims.sid, ip: from.ip });
    }
    if (standing !== 'good') return null;
    if (!(await sessionHolds(tx, { id: claims.sid, userId: claims.sub, deviceId: shown.id }))) return null;
    await touchSession(tx, claims.sid);
    return renewDevice(tx, shown, generation);
  });
  if (!device) throw new DomainError('request.unauthorized');
  return { token: await signToken(ctx, claims, until ?? undefined), device };
}

/** In single sign-on mode a session lasts as long as the provider vouches for it. A stranger's question is not passed on. */
async function vouchedUntil(ctx: Ctx, settings: SsoSettings, { sub, sid }: TokenClaims, device: DeviceClaim): Promise<Date> {
  if (!(await sessionHolds(ctx, { id: sid, userId: sub, deviceId: device.id }))) throw new DomainError('request.unauthorized');
  return askProviderAgain(ctx, settings, { sub, sid });
}
