import type { Proof } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { holdOwnAccount } from '../hold-own-account.ts';
import { offerTotp } from './factors.store.ts';
import { proveAgain } from './prove-again.ts';
import { newTotpSecret, showTotp } from './totp.ts';

/** Shows a new secret for an app; it is no factor before `confirmTotp`. @throws DomainError account.totpExists, and what `proveAgain` refuses */
export async function beginTotp(
  ctx: Ctx,
  actor: Person,
  { proof }: { proof: Proof },
): Promise<{ secret: string; address: string; picture: string }> {
  await proveAgain(ctx, actor, proof);
  const { secret, sealed } = newTotpSecret(ctx);
  const user = await ctx.transaction(async (tx) => {
    const held = await holdOwnAccount(tx, actor);
    if (!(await offerTotp(tx, actor.userId, sealed))) throw new DomainError('account.totpExists');
    return held;
  });
  return showTotp(secret, user.email);
}
