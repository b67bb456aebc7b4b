import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { accountKeyHash } from './account-key.ts';
import { activateUser, useKey } from './accounts.store.ts';

/** @throws DomainError account.keyInvalid when the key is unknown, used or too old */
export function activateAccount(ctx: Ctx, key: string): Promise<void> {
  return ctx.transaction(async (tx) => {
    const userId = await useKey(tx, accountKeyHash(key), 'activation');
    if (!userId) throw new DomainError('account.keyInvalid');
    await activateUser(tx, userId);
  });
}
