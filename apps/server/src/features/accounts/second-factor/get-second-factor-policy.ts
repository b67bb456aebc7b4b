import type { SecondFactorDemand } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { countProtected, findPolicy } from './factors.store.ts';

/** Whose accounts need a second factor, and how many have one. */
export async function getSecondFactorPolicy(
  ctx: Ctx,
  _actor: Person,
): Promise<{ requiredOf: SecondFactorDemand; accounts: number; withFactor: number }> {
  return { requiredOf: await findPolicy(ctx), ...(await countProtected(ctx)) };
}
