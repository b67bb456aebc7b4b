import { DomainError } from '@lavra/domain';
import type { Visitor } from '../../access/actor.ts';
import type { DeviceClaim } from '../../access/device-claim.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx, Tx } from '../../context.ts';
import type { ProviderFacts } from '../../identity/identity.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { revokeOtherSessions } from '../../access/sessions.store.ts';
import { accountKeyHash } from './account-key.ts';
import { passwordSetMail } from './account.mail.ts';
import { activateUser, findByKey, lockUser, setPassword, useKey, useUpKeys, type User } from './accounts.store.ts';
import { assertNewPassword } from './assert-new-password.ts';
import { ensureDevice, forgetDevices, rememberDevice } from './devices.store.ts';
import { hashPassword } from './password-hash.ts';
import { listPasskeys } from './second-factor/factors.store.ts';
import { listIdentities } from './social/identities.store.ts';
import { providerName } from './social/list-account-identities.ts';

/**
 * Sets the password by the mailed key, which also proves the e-mail. Every session, every other key and every other device's
 * standing ends; this browser may sign in at once, also while others have shut the account's doors. Passkeys, the app and providers
 * stay, since who reads the mailbox alone must not get past them: its holder is told which they are.
 * @throws DomainError account.keyInvalid, noPassword, passwordWeak, passwordKnown, request.tooMany
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
  const { providers } = ctx.identity;
  return ctx.transaction(async (tx) => {
    const user = await lockUser(tx, account.id);
    // Its e-mail is a provider's word: a password beside it would be a second door that its holder never asked for.
    if (user.loginType !== 'password') throw new DomainError('account.noPassword');
    if (!(await useKey(tx, hash))) throw new DomainError('account.keyInvalid');
    await setPassword(tx, account.id, passwordHash);
    await activateUser(tx, account.id);
    await tx.addressProven(tx, { userId: account.id, email: user.email });
    await useUpKeys(tx, account.id);
    await revokeOtherSessions(tx, account.id, null);
    await forgetDevices(tx, account.id, null);
    const device = await ensureDevice(tx, shown);
    await rememberDevice(tx, device.id, account.id);
    await tellHolder(tx, user, providers);
    await recordAudit(tx, { kind: 'password.reset', outcome: 'success', accountId: account.id, ip: from.ip });
    return device;
  });
}

/** What somebody else may have added while they had the account is not hidden behind the new password. */
async function tellHolder(tx: Tx, user: User, providers: readonly ProviderFacts[]): Promise<void> {
  const identities = await listIdentities(tx, user.id);
  const content = passwordSetMail(tx, user.langKey, {
    name: user.firstName,
    providers: identities.filter(({ unboundAt }) => unboundAt === null).map(({ provider }) => providerName(providers, provider)),
    passkeys: (await listPasskeys(tx, user.id)).map(({ name }) => name),
  });
  await queueMail(tx, user.email, user.langKey, content);
}
