import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { isSessionOpen } from '../../access/sessions.store.ts';
import type { Tx } from '../../context.ts';
import { lockUser, type User } from './accounts.store.ts';

/**
 * The account of whoever acts, held until the end, by a session that stands: a new password ends the others while it holds the account,
 * and one of those that was let in a moment before leaves no way in behind.
 * @throws DomainError request.unauthorized
 */
export async function holdOwnAccount(tx: Tx, { userId, sessionId }: Person): Promise<User> {
  const user = await lockUser(tx, userId);
  if (!(await isSessionOpen(tx, sessionId))) throw new DomainError('request.unauthorized');
  return user;
}
