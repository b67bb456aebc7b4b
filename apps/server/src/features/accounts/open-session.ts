import { randomUUID } from 'node:crypto';
import { DomainError, type DomainErrorCode } from '@lavra/domain';
import { recordAudit, recordRefusal } from '../../audit/audit.store.ts';
import type { Ctx, Tx } from '../../context.ts';
import { insertSession } from '../../access/sessions.store.ts';
import type { Visitor } from '../../access/actor.ts';
import type { DeviceClaim } from '../../access/device-claim.ts';
import type { Entrance, Opened } from '../../access/entrance.ts';
import { limitRate } from '../../access/limits.store.ts';
import { signToken } from '../../access/token.ts';
import { lockUser, type User } from './accounts.store.ts';
import { ensureDevice, rememberDevice } from './devices.store.ts';
import { askSecondStep } from './second-factor/ask-second-step.ts';
import { isStillThere } from './second-factor/take-factor.ts';
import type { OwnProof, Proof, TakenFactor } from './sign-in-proof.ts';
import { isBound } from './social/identities.store.ts';
import { insertSsoSession } from './single-sign-on/sso-sessions.store.ts';

const SESSION_HOURS = 12;
const REMEMBERED_SESSION_DAYS = 30;

export interface Entering<P = OwnProof> {
  userId: string;
  proof: P;
  /** A session of 30 days instead of 12 hours. */
  remember: boolean;
  /** What the browser shows of itself. */
  device: DeviceClaim | null;
}

/**
 * The one door: whoever signs in, however they showed who they are, comes through here. Whether the account may be entered is
 * asked while it is held, so that what shuts it at this moment is seen; a refusal stands in the security log like an entrance.
 * An account that has a second factor, or needs one, is asked for it first: there is no session until `openProvenSession`.
 * @throws DomainError account.loginNotFound, account.notActivated, account.deactivated, account.singleSignOn, permission.login,
 *   request.tooMany
 */
export async function openSession(ctx: Ctx, actor: Visitor, entering: Entering): Promise<Entrance> {
  return admitted(ctx, actor, entering, async (tx, account) => {
    const { proof, remember } = entering;
    const device = await ensureDevice(tx, entering.device);
    const secondStep = await askSecondStep(tx, account, { proof, remember, deviceId: device.id });
    return secondStep ? { secondStep, device } : enter(tx, account, actor.from, { ...entering, device });
  });
}

/**
 * The same door for whoever has nothing more to show: after the second step (the account may have been shut meanwhile), with a
 * passkey alone, which is at hand and has seen its holder, and in single sign-on, whose provider asks what it wants.
 */
export function openProvenSession(ctx: Ctx, actor: Visitor, entering: Entering<Proof> & { factor?: TakenFactor }): Promise<Opened> {
  return admitted(ctx, actor, entering, (tx, account) => enter(tx, account, actor.from, entering));
}

async function admitted<T>(
  ctx: Ctx,
  { from }: Visitor,
  { userId, proof, factor }: Entering<Proof> & { factor?: TakenFactor },
  proceed: (tx: Tx, account: User) => Promise<T>,
): Promise<T> {
  await limitRate(ctx, 'sessions', userId);
  try {
    return await ctx.transaction(async (tx) => {
      const account = await lockUser(tx, userId);
      const refusal = await refusalAtDoor(tx, account, proof, factor);
      if (refusal) throw new DomainError(refusal);
      return proceed(tx, account);
    });
  } catch (error) {
    if (error instanceof DomainError)
      await recordRefusal(ctx, { kind: 'session.opened', outcome: 'refused', reason: error.code, accountId: userId, ip: from.ip });
    throw error;
  }
}

/** Why an account, which is held, is not entered, of whatever it is asked; null: it is. `factor`: what its second step has shown. */
export async function refusalAtDoor(tx: Tx, account: User, proof: Proof, factor?: TakenFactor): Promise<DomainErrorCode | null> {
  const onlySingleSignOn = tx.config.sso !== null;
  if (onlySingleSignOn !== (proof.by === 'singleSignOn')) return 'account.singleSignOn';
  if (proof.by === 'singleSignOn' && !proof.vouch.permissions.includes('LOGIN')) return 'permission.login';
  if (proof.by === 'password' && proof.passwordHash !== account.passwordHash) return 'account.loginNotFound';
  if (proof.by === 'provider' && proof.identity && !(await isBound(tx, account.id, proof.identity))) return 'identity.unbound';
  if (proof.by === 'passkey' && !(await isStillThere(tx, account.id, proof.passkey))) return 'account.passkeyWrong';
  if (factor && !(await isStillThere(tx, account.id, factor))) return 'account.stepEnded';
  if (account.state === 'deactivated') return 'account.deactivated';
  if (account.state === 'notActivated') return 'account.notActivated';
  return null;
}

/** The session, on the browser's device. An active account's address was shown to be its holder's: what waits for it becomes theirs. */
async function enter(
  tx: Tx,
  { id: userId, email }: User,
  from: Visitor['from'],
  entering: Entering<Proof> & { factor?: TakenFactor },
): Promise<Opened> {
  const id = randomUUID();
  const hours = entering.remember ? REMEMBERED_SESSION_DAYS * 24 : SESSION_HOURS;
  const expiresAt = new Date(tx.clock.now().getTime() + hours * 3_600_000);
  const device = await ensureDevice(tx, entering.device);
  await rememberDevice(tx, device.id, userId);
  const vouch = entering.proof.by === 'singleSignOn' ? entering.proof.vouch : null;
  await insertSession(tx, { id, userId, expiresAt, userAgent: from.userAgent, deviceId: device.id, singleSignOn: vouch !== null });
  if (vouch) await insertSsoSession(tx, id, vouch);
  await tx.addressProven(tx, { userId, email });
  const reason = [entering.proof.by, entering.factor?.kind ?? []].flat().join('+');
  await recordAudit(tx, { kind: 'session.opened', outcome: 'success', reason, accountId: userId, subjectId: id, ip: from.ip });
  return { token: await signToken(tx, { sub: userId, sid: id }, vouch?.until), device };
}
