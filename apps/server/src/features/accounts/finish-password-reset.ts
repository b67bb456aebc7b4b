import { DomainError } from '@lavra/domain';
import type { Visitor } from '../../access/actor.ts';
import type { DeviceClaim } from '../../access/device-claim.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { revokeOtherSessions } from '../../access/sessions.store.ts';
import { accountKeyHash } from './account-key.ts';
import { activateUser, findByKey, lockUser, setPassword, useKey, useUpKeys } from './accounts.store.ts';
import { assertNewPassword } from './assert-new-password.ts';
import { ensureDevice, forgetDevices, rememberDevice } from './devices.store.ts';
import { hashPassword } from './password-hash.ts';

/**
 * Sets the password by the mailed key, which also proves the e-mail. Every session, every other key and every other device's
 * standing ends; this browser may sign in at once, also while others have shut the account's doors.
 * @throws DomainError account.keyInvalid, passwordWeak, passwordKnown, request.tooMany
 */
export async function finishPasswordReset(
  ctx: Ctx,
  { from }: Visitor,
  { key, newPassword, device: shown }: { key: string; newPassword: string; device: DeviceClaim | null },
): Promise<DeviceClaim> {
  const hash = accountKeyHash(key);
  const account = await findByKey(ctx, hash, 'reset');
  if (!account) throw new DomainError('account.keyInvalid');
  await assertNewPassword(newPassword, 'newPassword');
  const passwordHash = await hashPassword(newPassword);
  return ctx.transaction(async (tx) => {
    const { email } = await lockUser(tx, account.id);
    if (!(await useKey(tx, hash))) throw new DomainError('account.keyInvalid');
    await setPassword(tx, account.id, passwordHash);
    await activateUser(tx, account.id);
    await tx.addressProven(tx, { userId: account.id, email });
    await useUpKeys(tx, account.id);
    await revokeOtherSessions(tx, account.id, null);
    await forgetDevices(tx, account.id, null);
    const device = await ensureDevice(tx, shown);
    await rememberDevice(tx, device.id, account.id);
    await recordAudit(tx, { kind: 'password.reset', outcome: 'success', accountId: account.id, ip: from.ip });
    return device;
  });
}
