import { DomainError } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { findUserById } from '../accounts.store.ts';
import { takeEveryFactor } from './take-every-factor.ts';

/**
 * Recovery by an administrator: the account's factors are gone, its sessions end, and its holder is told. Where the installation
 * requires a factor the account gets a new one at its next sign-in. An account without any is left as it is.
 * @throws DomainError request.notFound; account.ownSecondFactor: one's own is removed with a proof, in the settings
 */
export async function resetSecondFactor(ctx: Ctx, actor: Person, { accountId }: { accountId: string }): Promise<void> {
  if (accountId === actor.userId) throw new DomainError('account.ownSecondFactor');
  if (!(await findUserById(ctx, accountId))) throw new DomainError('request.notFound');
  await ctx.transaction((tx) => takeEveryFactor(tx, accountId, { accountId: actor.userId, ip: actor.from.ip }));
}
