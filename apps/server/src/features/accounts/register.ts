import { randomUUID } from 'node:crypto';
import { checkedFirstName, checkedLastName, DomainError, parseEmail } from '@lavra/domain';
import { recordAudit, recordRefusal } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import type { RequestFacts, Visitor } from '../../access/actor.ts';
import type { DeviceClaim } from '../../access/device-claim.ts';
import { limitRate } from '../../access/limits.store.ts';
import { hasAnyUser, insertUser, lockRegistration, useFirstAccountKey } from './accounts.store.ts';
import { assertNewPassword } from './assert-new-password.ts';
import { ensureDevice } from './devices.store.ts';
import { firstAccountKeyHash } from './first-account-key.ts';
import { mailActivation } from './mail-activation.ts';
import { openSession } from './open-session.ts';
import { hashPassword } from './password-hash.ts';

export interface Registration {
  firstName: string;
  lastName?: string | undefined;
  email: string;
  password: string;
  langKey: 'pt-br' | 'en' | 'es' | undefined;
  /** The first account of a production installation only. */
  firstKey: string | undefined;
  /** What the browser shows of itself. */
  device: DeviceClaim | null;
}

/** What came of it: the first account is signed in, and has an access token. */
export interface Registered {
  activated: boolean;
  token: string | null;
  device: DeviceClaim;
}

/**
 * The first account of an empty installation is its administrator, needs no e-mail, in production the key that the start
 * printed, and is signed in at once; every other one is activated by a link, and replaces one of the same e-mail that was not activated.
 * @throws DomainError text.invisible, account.nameRequired, nameTooLong, emailInvalid, passwordWeak, passwordKnown, firstKeyRequired,
 *   firstKeyInvalid, userexists, request.tooMany
 */
export async function register(ctx: Ctx, actor: Visitor, input: Registration): Promise<Registered> {
  const { from } = actor;
  const name = checkedFirstName(input.firstName);
  const lastName = checkedLastName(input.lastName ?? '');
  const email = parseEmail(input.email);
  if (email === null) throw new DomainError('account.emailInvalid', { field: 'email' });
  await assertNewPassword(input.password, 'password');
  await limitRate(ctx, 'register-account', email);
  const passwordHash = await hashPassword(input.password);
  const langKey = input.langKey ?? from.langKey;
  const done = ctx.transaction(async (tx) => {
    await lockRegistration(tx);
    const isFirst = !(await hasAnyUser(tx));
    if (isFirst) await proveFirst(tx, input.firstKey, from);
    const userId = await insertUser(tx, {
      id: randomUUID(),
      login: email,
      email,
      firstName: name,
      lastName,
      passwordHash,
      loginType: 'password',
      langKey,
      activated: isFirst,
      authorities: isFirst ? ['ROLE_USER', 'ROLE_ADMIN'] : ['ROLE_USER'],
      createdAt: tx.clock.now(),
    });
    if (!userId) throw new DomainError('account.userexists', { field: 'email' });
    await recordAudit(tx, { kind: 'account.registered', outcome: 'success', accountId: userId, ip: from.ip });
    if (isFirst) {
      await recordAudit(tx, { kind: 'account.role', outcome: 'success', reason: 'ROLE_ADMIN', accountId: userId, ip: from.ip });
      const entering = { userId, proof: { by: 'firstRegistration' }, remember: false, device: input.device } as const;
      const entrance = await openSession(tx, actor, entering);
      return { activated: true, token: 'token' in entrance ? entrance.token : null, device: entrance.device };
    }
    const device = await ensureDevice(tx, input.device);
    await mailActivation(tx, { userId, email, name, langKey, deviceId: device.id });
    return { activated: false, token: null, device };
  });
  return done.catch(async (error: unknown) => {
    if (error instanceof DomainError && error.code === 'account.firstKeyInvalid')
      await recordRefusal(ctx, { kind: 'account.firstKey', outcome: 'refused', reason: error.code, ip: from.ip });
    throw error;
  });
}

/** In production only who reads the start's console becomes the first administrator. */
export async function proveFirst(tx: Ctx, key: string | undefined, from: RequestFacts): Promise<void> {
  if (tx.config.profile !== 'prod') return;
  if (key === undefined || key.trim() === '') throw new DomainError('account.firstKeyRequired', { field: 'firstKey' });
  if (!(await useFirstAccountKey(tx, firstAccountKeyHash(key)))) throw new DomainError('account.firstKeyInvalid', { field: 'firstKey' });
  await recordAudit(tx, { kind: 'account.firstKey', outcome: 'success', ip: from.ip });
}
