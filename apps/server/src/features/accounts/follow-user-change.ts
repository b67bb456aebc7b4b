import type { users } from '@lavra/api';
import { accountState, DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Tx } from '../../context.ts';
import type { Change } from '../../entities/entity-room.ts';
import { storedUser, type StoredUser } from './administered-users.store.ts';
import { useUpKeys } from './accounts.store.ts';
import { assertAdministratorRemains } from './assert-administrator-remains.ts';
import { deactivateAccount } from './deactivate-account.ts';
import { mailConfirmation } from './mail-confirmation.ts';
import { reactivateAccount } from './reactivate-account.ts';

/**
 * What an administrator's writing of an account brings with it. A new one is entered by whoever reads its mail and chooses a
 * password there; a confirmed address stays, because what was sent to it is its holder's.
 * @throws DomainError user.erased, user.emailConfirmed, user.notConfirmed, user.lastAdministrator, company.lastAdministrator
 */
export async function followUserChange(tx: Tx, actor: Person, { id, before, after, written }: Change<typeof users>): Promise<void> {
  const [was, is] = [before === null ? null : storedUser(before), storedUser(after)];
  // Whoever writes into it again would make somebody of nobody.
  if (was !== null && was.erasedAt !== null) throw new DomainError('user.erased');
  const isConfirmed = was !== null && (was.activated || was.wasActivated === true);
  if (was !== null && was.email !== is.email && isConfirmed) throw new DomainError('user.emailConfirmed', { field: 'email' });
  await noteAuthorities(tx, actor, { id, was: was?.authorities ?? [], is: is.authorities });
  if (was?.authorities.includes('ROLE_ADMIN') && !is.authorities.includes('ROLE_ADMIN')) await assertAdministratorRemains(tx, id);
  if (was === null || (was.email !== is.email && was.deactivatedAt === null)) {
    await useUpKeys(tx, id);
    await mailConfirmation(tx, id);
  }
  if (was !== null && typeof written.activated === 'boolean') await open(tx, actor, was, written.activated);
}

/** Deactivates an account, gives it back, or leaves it as it is. */
async function open(tx: Tx, actor: Person, was: StoredUser, wanted: boolean): Promise<void> {
  const state = accountState(was);
  if (!wanted && state === 'active') await deactivateAccount(tx, actor, { accountId: was.id });
  if (wanted && state === 'deactivated') await reactivateAccount(tx, actor, { accountId: was.id });
  if (wanted && state === 'notActivated') throw new DomainError('user.notConfirmed', { field: 'activated' });
}

async function noteAuthorities(
  tx: Tx,
  actor: Person,
  { id, was, is }: { id: string; was: readonly string[]; is: readonly string[] },
): Promise<void> {
  const [from, to] = [was.toSorted(), is.toSorted()];
  if (from.join() === to.join()) return;
  await recordAudit(tx, {
    kind: 'account.role',
    outcome: 'success',
    accountId: actor.userId,
    subjectId: id,
    details: { authorities: { from, to } },
    ip: actor.from.ip,
  });
}
