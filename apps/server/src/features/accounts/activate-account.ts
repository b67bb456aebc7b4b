import { checkedFirstName, DomainError } from '@lavra/domain';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { revokeOtherSessions } from '../../access/sessions.store.ts';
import type { Visitor } from '../../access/actor.ts';
import type { DeviceClaim } from '../../access/device-claim.ts';
import { limitRate } from '../../access/limits.store.ts';
import { accountKeyHash } from './account-key.ts';
import { activateUser, findByKey, lockUser, setName, setPassword, useKey, useUpKeys } from './accounts.store.ts';
import { assertNewPassword } from './assert-new-password.ts';
import { forgetDevices, provenDevice } from './devices.store.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

/** Beside the mailed key: nothing in the browser that registered, the password chosen there, or a new one and one's own name. */
export interface ActivationProof {
  password?: string | undefined;
  newPassword?: string | undefined;
  firstName?: string | undefined;
}

/**
 * Activates an account by the mailed key. The key shows who reads the mail; whoever registered may be somebody else, so that
 * the browser that registered or the password chosen there must be shown too. Who has neither takes the account over with a
 * password and a name of their own, which end what the stranger chose.
 * @throws DomainError account.keyInvalid, proofRequired, registeredPasswordWrong, passwordWeak, passwordKnown, nameRequired, nameTooLong
 */
export async function activateAccount(
  ctx: Ctx,
  { from }: Visitor,
  { key, device: shown, ...proof }: ActivationProof & { key: string; device: DeviceClaim | null },
): Promise<void> {
  const hash = accountKeyHash(key);
  const account = await findByKey(ctx, hash, 'activation');
  if (!account) throw new DomainError('account.keyInvalid');
  const taken = proof.newPassword === undefined ? null : await newOwner(proof.newPassword, proof.firstName ?? '');
  if (!taken) {
    const device = await provenDevice(ctx, shown);
    if (proof.password !== undefined) await assertPassword(ctx, hash, account.passwordHash, proof.password);
    else if (device === null || device !== account.deviceId) throw new DomainError('account.proofRequired');
  }
  await ctx.transaction(async (tx) => {
    const { email } = await lockUser(tx, account.id);
    // A registration that replaced this one meanwhile has used the key up.
    if (!(await useKey(tx, hash))) throw new DomainError('account.keyInvalid');
    if (taken) {
      await setPassword(tx, account.id, taken.passwordHash);
      await setName(tx, account.id, taken.name);
      await revokeOtherSessions(tx, account.id, null);
      await forgetDevices(tx, account.id, null);
    }
    await activateUser(tx, account.id);
    await useUpKeys(tx, account.id);
    await tx.addressProven(tx, { userId: account.id, email });
    const reason = taken ? 'newPassword' : proof.password === undefined ? 'sameBrowser' : 'password';
    await recordAudit(tx, { kind: 'account.activated', outcome: 'success', reason, accountId: account.id, ip: from.ip });
  });
}

async function newOwner(newPassword: string, firstName: string) {
  const name = checkedFirstName(firstName);
  await assertNewPassword(newPassword, 'newPassword');
  return { name, passwordHash: await hashPassword(newPassword) };
}

async function assertPassword(ctx: Ctx, keyHash: string, passwordHash: string | null, password: string): Promise<void> {
  await limitRate(ctx, 'activate-key', keyHash);
  if (!(await verifyPassword(passwordHash, password))) throw new DomainError('account.registeredPasswordWrong', { field: 'password' });
}
