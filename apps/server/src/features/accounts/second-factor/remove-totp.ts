import type { Proof } from '@lavra/api';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { holdOwnAccount } from '../hold-own-account.ts';
import { deleteTotp } from './factors.store.ts';
import { afterRemoval } from './keep-factor.ts';
import { proveAgain } from './prove-again.ts';

/** The app is no factor any more; where there was none nothing happens. @throws DomainError account.secondFactorRequired, and what `proveAgain` refuses */
export async function removeTotp(ctx: Ctx, actor: Person, { proof }: { proof: Proof }): Promise<void> {
  await proveAgain(ctx, actor, proof);
  await ctx.transaction(async (tx) => {
    const user = await holdOwnAccount(tx, actor);
    if (await deleteTotp(tx, actor.userId)) await afterRemoval(tx, user, { reason: 'totp' }, actor.from);
  });
}
