import type { Proof } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import { findSessionDevice, revokeOtherSessions } from '../../../access/sessions.store.ts';
import { recordAudit } from '../../../audit/audit.store.ts';
import type { Ctx, Tx } from '../../../context.ts';
import { holdOwnAccount } from '../hold-own-account.ts';
import { queueMail } from '../../../mail/send-mail.job.ts';
import { setLoginType, type User } from '../accounts.store.ts';
import { forgetDevices } from '../devices.store.ts';
import { proveAgain } from '../second-factor/prove-again.ts';
import { listIdentities, setUnbound } from './identities.store.ts';
import { providerName } from './list-account-identities.ts';
import { identityMail } from './social.mail.ts';

/**
 * A provider opens the account no more, also where it goes on vouching for its address; every other session ends. The last way in stays.
 * @throws DomainError request.notFound, account.lastWayIn, and what `proveAgain` refuses
 */
export async function unbindIdentity(ctx: Ctx, actor: Person, { id, proof }: { id: string; proof: Proof }): Promise<void> {
  await assertOwn(ctx, actor, id);
  await proveAgain(ctx, actor, proof);
  const { providers } = ctx.identity;
  const device = await findSessionDevice(ctx, actor.sessionId);
  await ctx.transaction(async (tx) => {
    const user = await holdOwnAccount(tx, actor);
    const identities = await listIdentities(tx, actor.userId);
    const found = identities.find((identity) => identity.id === id);
    if (!found || found.unboundAt !== null) return;
    await keepWayIn(
      tx,
      user,
      identities
        .filter((identity) => identity.id !== id && identity.unboundAt === null)
        .map(({ provider }) => provider)
        .filter((provider) => providers.some((one) => one.id === provider)),
    );
    await setUnbound(tx, id, tx.clock.now());
    await revokeOtherSessions(tx, actor.userId, actor.sessionId);
    await forgetDevices(tx, actor.userId, device);
    await recordAudit(tx, { kind: 'account.unlinked', outcome: 'success', reason: found.provider, accountId: user.id, ip: actor.from.ip });
    const values = { name: user.firstName, provider: providerName(providers, found.provider) };
    await queueMail(tx, user.email, user.langKey, identityMail(tx, user.langKey, 'unlinked', values));
  });
}

/** Whose it is comes before what is shown: a stranger's is not there, whatever they show. @throws DomainError request.notFound */
export async function assertOwn(ctx: Ctx, actor: Person, id: string): Promise<void> {
  if (!(await listIdentities(ctx, actor.userId)).some((identity) => identity.id === id)) throw new DomainError('request.notFound');
}

/** A password, or another provider that is still configured, which then says what the account's e-mail is. A passkey may be lost with its device. */
async function keepWayIn(tx: Tx, user: User, usable: readonly string[]): Promise<void> {
  if (user.passwordHash !== null) return;
  const [first] = usable;
  if (first === undefined) throw new DomainError('account.lastWayIn');
  if (!usable.includes(user.loginType)) await setLoginType(tx, user.id, first);
}
