import { authoritiesOfRoles } from '@lavra/domain';
import { recordAudit } from '../../../audit/audit.store.ts';
import type { Tx } from '../../../context.ts';
import type { ProvenIdentity } from '../../../identity/identity.ts';
import { followAuthorities, followPerson, lockUser } from '../accounts.store.ts';

/**
 * The account becomes what the provider says: authorities by the realm roles, name, and the address when it is a verified one that
 * is no other account's here.
 */
export async function followProvider(tx: Tx, userId: string, identity: ProvenIdentity, roles: readonly string[]): Promise<void> {
  const account = await lockUser(tx, userId);
  // Only an administrator of this installation opens it again.
  if (account.state === 'deactivated') return;
  const authorities = authoritiesOfRoles(roles);
  if (authorities.join() !== account.authorities.join()) {
    await followAuthorities(tx, userId, authorities);
    await recordAudit(tx, { kind: 'account.role', outcome: 'success', reason: authorities.join(' '), accountId: userId });
  }
  const { email, emailVerified, firstName, lastName } = identity;
  const name = firstName === '' ? account : { firstName, lastName };
  const address = email !== null && emailVerified ? email : account.email;
  if (name.firstName === account.firstName && name.lastName === account.lastName && address === account.email) return;
  if (!(await followPerson(tx, userId, { firstName: name.firstName, lastName: name.lastName, email: address })))
    tx.log.warn({ account: userId }, 'the address that the provider of single sign-on has for an account is another account’s here');
  else await recordAudit(tx, { kind: 'account.changed', outcome: 'success', reason: 'singleSignOn', accountId: userId });
}
