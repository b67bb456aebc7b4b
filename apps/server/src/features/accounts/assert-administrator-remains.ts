import { DomainError } from '@lavra/domain';
import type { Tx } from '../../context.ts';
import { hasOtherAdministrator, lockAdministrators } from './accounts.store.ts';

/**
 * Whether somebody else still administers the installation when this account does not any more. Two who give it up at once are
 * asked one after the other. @throws DomainError user.lastAdministrator
 */
export async function assertAdministratorRemains(tx: Tx, leavingId: string): Promise<void> {
  await lockAdministrators(tx);
  if (!(await hasOtherAdministrator(tx, leavingId))) throw new DomainError('user.lastAdministrator');
}
