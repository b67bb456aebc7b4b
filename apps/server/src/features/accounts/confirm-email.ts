import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { accountKeyHash } from './account-key.ts';
import { lockRegistration, lockUser, useKey, useUpKeys } from './accounts.store.ts';
import { tellFormerEmail } from './ask-email-change.ts';
import { findNewEmail, setEmail } from './email-changes.store.ts';
import { removeUnconfirmed } from './unconfirmed.store.ts';

/**
 * The new address takes effect: the key says that its mail is read, the session whose account it is. A stranger whose address was
 * mistyped has the key alone, and gets nothing. Who was invited by the new address is the account's from now on; what it has
 * already stays, and every key that was mailed to the address of before is dead.
 * @throws DomainError account.keyInvalid, account.userexists
 */
export async function confirmEmail(ctx: Ctx, actor: Person, { key }: { key: string }): Promise<{ email: string }> {
  const hash = accountKeyHash(key);
  const email = await findNewEmail(ctx, hash, actor.userId);
  if (email === null) throw new DomainError('account.keyInvalid');
  await ctx.transaction(async (tx) => {
    await lockRegistration(tx);
    const user = await lockUser(tx, actor.userId);
    if (!(await useKey(tx, hash))) throw new DomainError('account.keyInvalid');
    await removeUnconfirmed(tx, { email });
    await setEmail(tx, user.id, email);
    await useUpKeys(tx, user.id);
    await tx.addressProven(tx, { userId: user.id, email });
    await tellFormerEmail(tx, user, 'emailChanged', email);
    await recordAudit(tx, { kind: 'email.changed', outcome: 'success', accountId: user.id, ip: actor.from.ip });
  });
  return { email };
}
