import type { Ctx } from '../../context.ts';
import { removeSessionsOf } from '../../access/sessions.store.ts';
import { findUserById, removeKeysOf } from './accounts.store.ts';
import { assertAdministratorRemains } from './assert-administrator-remains.ts';
import { forgetDevices } from './devices.store.ts';

/**
 * Takes what belongs to an account that is to be removed and to nobody else: keys, sessions, devices. What it made keeps the
 * account where it is (`user.inUse`). @throws DomainError user.lastAdministrator, company.lastAdministrator
 */
export function prepareUserRemoval(ctx: Ctx, given: string | number): Promise<void> {
  const id = String(given);
  return ctx.transaction(async (tx) => {
    const user = await findUserById(tx, id);
    if (user?.authorities.includes('ROLE_ADMIN')) await assertAdministratorRemains(tx, id);
    await tx.accountLeaves(tx, id);
    await removeSessionsOf(tx, id);
    await removeKeysOf(tx, id);
    await forgetDevices(tx, id, null);
  });
}
