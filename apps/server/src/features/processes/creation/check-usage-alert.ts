import type { checkUsageAlert as call, Reply } from '@lavra/api';
import type { Ctx } from '../../../context.ts';
import type { Person } from '../../../access/actor.ts';
import { findUsageAlert } from '../../plans/count-usage.ts';
import { readCounts } from '../process-counts.store.ts';

/**
 * How many signatures are used of the plan that covers the actor, those of their colleagues and those that are waited for among them, and
 * whether that is near the plan's number. Whom no contract covers has no plan: the signatures of their own processes.
 */
export async function checkUsageAlert(ctx: Ctx, actor: Person): Promise<Reply<typeof call>> {
  const alert = await findUsageAlert(ctx, actor.userId);
  if (!alert) {
    const { signatures: currentSignatures } = await readCounts(ctx, actor.userId);
    return { shouldAlert: false, currentSignatures, planSignatures: null, type: null };
  }
  const { modality, ...numbers } = alert;
  if (modality === null) return { ...numbers, type: null };
  return { ...numbers, type: modality === 'digital' ? 'DIGITAL_SIGNATURE' : 'ELETRONIC_SIGNATURE' };
}
