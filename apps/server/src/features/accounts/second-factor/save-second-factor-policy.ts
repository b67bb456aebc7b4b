import type { SecondFactorDemand } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import { recordAudit } from '../../../audit/audit.store.ts';
import type { Ctx } from '../../../context.ts';
import { writePolicy } from './factors.store.ts';

/** From its next sign-in an account that needs one and has none gets one; open sessions go on. */
export function saveSecondFactorPolicy(ctx: Ctx, actor: Person, { requiredOf }: { requiredOf: SecondFactorDemand }): Promise<void> {
  return ctx.transaction(async (tx) => {
    const before = await writePolicy(tx, requiredOf);
    if (before === requiredOf) return;
    const details = { requiredOf: [before, requiredOf] };
    await recordAudit(tx, { kind: 'factor.policy', outcome: 'success', accountId: actor.userId, details, ip: actor.from.ip });
  });
}
