import { randomUUID } from 'node:crypto';
import { DomainError, type DomainErrorCode } from '@lavra/domain';
import { recordAudit, recordRefusal } from '../../audit/audit.store.ts';
import type { Ctx, Tx } from '../../context.ts';
import { insertSession } from '../../access/sessions.store.ts';
import type { Visitor } from '../../access/actor.ts';
import type { DeviceClaim } from '../../access/device-claim.ts';
import { limitRate } from '../../access/limits.store.ts';
import { signToken } from '../../access/token.ts';
import { lockUser, type User } from './accounts.store.ts';
import { ensureDevice, rememberDevice } from './devices.store.ts';
import { insertSsoSession, type Vouch } from './single-sign-on/sso-sessions.store.ts';

const SESSION_HOURS = 12;
const REMEMBERED_SESSION_DAYS = 30;

/** An access token, and the claim that the browser keeps in its cookie. */
export interface Entrance {
  token: string;
  device: DeviceClaim;
}

/** How somebody has shown that an account is theirs. Of a password the hash that it matched: one that was replaced since opens nothing. */
export type Proof =
  | { by: 'password'; passwordHash: string | null }
  | { by: 'provider' }
  | { by: 'firstRegistration' }
  /** The one provider that knows everybody: it says what they may, and for how long it said so. */
  | { by: 'singleSignOn'; vouch: Vouch };

export interface Entering {
  userId: string;
  proof: Proof;
  /** A session of 30 days instead of 12 hours. */
  remember: boolean;
  /** What the browser shows of itself. */
  device: DeviceClaim | null;
}

/**
 * The one door: whoever signs in, however they showed who they are, comes through here. Whether the account may be entered is
 * asked while it is held, so that what shuts it at this moment is seen; a refusal stands in the security log like an entrance.
 * @throws DomainError account.loginNotFound, account.notActivated, account.deactivated, account.singleSignOn, permission.login,
 *   request.tooMany
 */
export async function openSession(ctx: Ctx, { from }: Visitor, entering: Entering): Promise<Entrance> {
  const { userId, proof } = entering;
  await limitRate(ctx, 'sessions', userId);
  try {
    return await ctx.transaction(async (tx) => {
      const account = await lockUser(tx, userId);
      const refusal = refusalAtDoor(account, proof, tx.config.sso !== null);
      if (refusal) throw new DomainError(refusal);
      return enter(tx, account, from, entering);
    });
  } catch (error) {
    if (error instanceof DomainError)
      await recordRefusal(ctx, { kind: 'session.opened', outcome: 'refused', reason: error.code, accountId: userId, ip: from.ip });
    throw error;
  }
}

/** Why an account is not entered, of whatever it is asked; null: it is. */
function refusalAtDoor(account: User, proof: Proof, onlySingleSignOn: boolean): DomainErrorCode | null {
  if (onlySingleSignOn !== (proof.by === 'singleSignOn')) return 'account.singleSignOn';
  if (proof.by === 'singleSignOn' && !proof.vouch.permissions.includes('LOGIN')) return 'permission.login';
  if (proof.by === 'password' && proof.passwordHash !== account.passwordHash) return 'account.loginNotFound';
  if (account.state === 'deactivated') return 'account.deactivated';
  if (account.state === 'notActivated') return 'account.notActivated';
  return null;
}

/** The session, on the browser's device. An active account's address was shown to be its holder's: what waits for it becomes theirs. */
async function enter(tx: Tx, { id: userId, email }: User, from: Visitor['from'], entering: Entering): Promise<Entrance> {
  const id = randomUUID();
  const hours = entering.remember ? REMEMBERED_SESSION_DAYS * 24 : SESSION_HOURS;
  const expiresAt = new Date(tx.clock.now().getTime() + hours * 3_600_000);
  const device = await ensureDevice(tx, entering.device);
  await rememberDevice(tx, device.id, userId);
  const vouch = entering.proof.by === 'singleSignOn' ? entering.proof.vouch : null;
  await insertSession(tx, { id, userId, expiresAt, userAgent: from.userAgent, deviceId: device.id, singleSignOn: vouch !== null });
  if (vouch) await insertSsoSession(tx, id, vouch);
  await tx.addressProven(tx, { userId, email });
  const { by } = entering.proof;
  await recordAudit(tx, { kind: 'session.opened', outcome: 'success', reason: by, accountId: userId, subjectId: id, ip: from.ip });
  return { token: await signToken(tx, { sub: userId, sid: id }, vouch?.until), device };
}
