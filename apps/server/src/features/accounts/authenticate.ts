import { DomainError, normalizeEmail } from '@lavra/domain';
import { recordRefusal } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import type { Visitor } from '../../access/actor.ts';
import type { DeviceClaim } from '../../access/device-claim.ts';
import type { Entrance } from '../../access/entrance.ts';
import { findUserByEmail } from './accounts.store.ts';
import { isKnownDevice, provenDevice } from './devices.store.ts';
import { openSession } from './open-session.ts';
import { verifyPassword } from './password-hash.ts';
import { countSignInAttempt } from './sign-in-attempts.ts';

export interface Credentials {
  username: string;
  password: string;
  rememberMe: boolean;
  /** What the browser shows of itself. */
  device: DeviceClaim | null;
}

/**
 * Opens a session. Unknown e-mail and wrong password cost the same time and, with enumeration protection,
 * give the same answer. A device that signed in to this account before passes the doors that others shut.
 * @throws DomainError account.loginNotFound, wrongPassword, notActivated, deactivated, locked; request.tooMany
 */
export async function authenticate(ctx: Ctx, actor: Visitor, credentials: Credentials): Promise<Entrance> {
  const { ip } = actor.from;
  const email = normalizeEmail(credentials.username);
  const user = await findUserByEmail(ctx, email);
  const device = await provenDevice(ctx, credentials.device);
  const known = (await isKnownDevice(ctx, device, user?.id)) ? device : null;
  const refused = (kind: 'session.opened' | 'session.locked', reason: string) =>
    recordRefusal(ctx, { kind, outcome: 'refused', reason, accountId: user?.id ?? null, ip });
  const attempt = await countSignInAttempt(ctx, email, ip, known).catch(async (error: unknown) => {
    if (error instanceof DomainError) await refused('session.locked', error.code);
    throw error;
  });
  const matches = await verifyPassword(user?.passwordHash ?? null, credentials.password);
  if (!user || !matches) {
    const shut = await attempt.failed();
    await refused('session.opened', 'account.wrongPassword');
    if (shut) await refused('session.locked', shut);
    throw new DomainError(user && !ctx.config.enumerationProtection ? 'account.wrongPassword' : 'account.loginNotFound');
  }
  await attempt.succeeded();
  const { rememberMe: remember, device: shown } = credentials;
  return openSession(ctx, actor, { userId: user.id, proof: { by: 'password', passwordHash: user.passwordHash }, remember, device: shown });
}
