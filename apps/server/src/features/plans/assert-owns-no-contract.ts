import { DomainError } from '@lavra/domain';
import type { Tx } from '../../context.ts';
import { ownsContract } from './contracts.store.ts';

/**
 * An owner who goes would free their whole company of its plan: the contract is given to somebody else first. The caller
 * has changed the account's address, for which whoever gives it a contract waits, and which waits for them. @throws DomainError user.ownsContract
 */
export async function assertOwnsNoContract(tx: Tx, userId: string): Promise<void> {
  if (await ownsContract(tx, userId)) throw new DomainError('user.ownsContract');
}
