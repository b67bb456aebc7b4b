import { DomainError, parseEmail } from '@lavra/domain';
import type { System } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { findUserByEmail } from '../accounts.store.ts';
import { takeEveryFactor } from './take-every-factor.ts';

/**
 * Recovery by who runs the server: the way back of a sole administrator who lost every factor, whom no other administrator can
 * help. The password stays, and is asked for. False where the account had no factor.
 * @throws DomainError request.notFound: nobody has an account with that address
 */
export async function resetFactorsOfEmail(ctx: Ctx, _actor: System, given: string): Promise<boolean> {
  const email = parseEmail(given);
  const user = email === null ? undefined : await findUserByEmail(ctx, email);
  if (!user) throw new DomainError('request.notFound');
  return ctx.transaction((tx) => takeEveryFactor(tx, user.id, { reason: 'command' }));
}
