import { DomainError } from '@lavra/domain';
import type { Tx } from '../../context.ts';
import { ownsContract } from './contracts.store.ts';

/**
 * An owner who goes would free their whole company of its plan: the contract is given to somebody else first. The account is
 * held by the caller: nobody gives it a contract meanwhile. @throws DomainError user.ownsContract
 */
export async function assertOwnsNoContract(tx: Tx, userId: string): Promise<void> {
  if (await ownsContract(tx, userId)) throw new DomainError('user.ownsContract');
}
