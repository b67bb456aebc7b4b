import { randomUUID } from 'node:crypto';
import { authoritiesOfRoles, DomainError } from '@lavra/domain';
import type { RequestFacts } from '../../../access/actor.ts';
import { recordAudit } from '../../../audit/audit.store.ts';
import type { Tx } from '../../../context.ts';
import type { ProvenIdentity } from '../../../identity/identity.ts';
import { insertUser, lockRegistration } from '../accounts.store.ts';
import { accountOfIdentity, confirmCpf, verifiedEmail } from '../social/account-of-identity.ts';
import { findOthersIdentity, linkIdentity, removeIdentities } from '../social/identities.store.ts';
import { followProvider } from './follow-provider.ts';

interface Arrival {
  identity: ProvenIdentity;
  /** Realm roles. */
  roles: readonly string[];
  from: RequestFacts;
}

/**
 * The account of whoever the provider of single sign-on vouches for: bound to them already, or by its verified address, or made now;
 * it becomes what the provider says.
 * @throws DomainError identity.emailMissing, emailUnverified, otherCpf, otherPerson; account.deactivated; request.conflict
 */
export async function accountOfPerson(tx: Tx, arrival: Arrival): Promise<string> {
  const { identity, roles, from } = arrival;
  // Two tabs of somebody new make one account.
  await lockRegistration(tx);
  const { email } = identity;
  // An address that changed hands at the provider: it is not the account of who had it before that it opens.
  if (email !== null && (await findOthersIdentity(tx, { ...identity, email }))) throw new DomainError('identity.otherPerson');
  const userId = (await accountOfIdentity(tx, identity, from)) ?? (await makeAccount(tx, arrival));
  await followProvider(tx, userId, identity, roles);
  return userId;
}

async function makeAccount(tx: Tx, { identity, roles, from }: Arrival): Promise<string> {
  const { provider, firstName, lastName } = identity;
  const email = verifiedEmail(identity);
  const userId = await insertUser(tx, {
    id: randomUUID(),
    login: email,
    email,
    firstName: firstName || (email.split('@')[0] ?? '').slice(0, 50),
    lastName,
    passwordHash: null,
    loginType: provider,
    langKey: identity.langKey ?? from.langKey,
    activated: true,
    authorities: authoritiesOfRoles(roles),
    createdAt: tx.clock.now(),
  });
  if (!userId) throw new DomainError('request.conflict');
  await removeIdentities(tx, userId);
  if (!(await linkIdentity(tx, userId, identity))) throw new DomainError('request.conflict');
  await confirmCpf(tx, userId, identity);
  await recordAudit(tx, { kind: 'account.registered', outcome: 'success', reason: provider, accountId: userId, ip: from.ip });
  return userId;
}
