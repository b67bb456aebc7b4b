import type { checkUsageAlert as call, Reply } from '@lavra/api';
import { isUsageNearLimit } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { Person } from '../../../access/actor.ts';
import { readCounts } from '../process-counts.store.ts';

/** How many signatures the actor's processes hold, and whether that is near the plan's number. */
export async function checkUsageAlert(ctx: Ctx, actor: Person): Promise<Reply<typeof call>> {
  const { signatures: currentSignatures } = await readCounts(ctx, actor.userId);
  // This version has no contracts: nobody's plan has a limit.
  const planSignatures = null;
  return { shouldAlert: isUsageNearLimit(currentSignatures, planSignatures), currentSignatures, planSignatures };
}
