import type { Proof } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { holdOwnAccount } from '../hold-own-account.ts';
import { deletePasskey, listPasskeys } from './factors.store.ts';
import { afterRemoval } from './keep-factor.ts';
import { proveAgain } from './prove-again.ts';

/** The passkey is no factor any more. @throws DomainError request.notFound, account.secondFactorRequired, and what `proveAgain` refuses */
export async function removePasskey(ctx: Ctx, actor: Person, { id, proof }: { id: string; proof: Proof }): Promise<void> {
  // Whose it is comes before what is shown: a stranger's is not there, whatever they show.
  if (!(await listPasskeys(ctx, actor.userId)).some((passkey) => passkey.id === id)) throw new DomainError('request.notFound');
  await proveAgain(ctx, actor, proof);
  await ctx.transaction(async (tx) => {
    const user = await holdOwnAccount(tx, actor);
    const name = await deletePasskey(tx, actor.userId, id);
    if (name !== undefined) await afterRemoval(tx, user, { reason: 'passkey', name }, actor.from);
  });
}
