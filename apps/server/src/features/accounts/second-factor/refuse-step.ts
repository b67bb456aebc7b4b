import { DomainError, type DomainErrorCode, secondStepFailures } from '@lavra/domain';
import type { Visitor } from '../../../access/actor.ts';
import { recordRefusal } from '../../../audit/audit.store.ts';
import type { Ctx } from '../../../context.ts';
import { deleteChallenge, type KeptChallenge, noteFailure } from './challenges.store.ts';
import type { Held } from './find-step.ts';

/** The last wrong answer that is allowed ends the challenge. */
export function countRefusal(tx: Ctx, { tokenHash, failures }: KeptChallenge): Promise<void> {
  return failures + 1 < secondStepFailures ? noteFailure(tx, tokenHash, failures + 1) : deleteChallenge(tx, tokenHash);
}

/** A wrong second step stands in the security log like a wrong password. */
export async function refusedStep(ctx: Ctx, { from }: Visitor, { userId }: Held, reason: DomainErrorCode): Promise<DomainError> {
  await recordRefusal(ctx, { kind: 'session.opened', outcome: 'refused', reason, accountId: userId, ip: from.ip });
  return new DomainError(reason);
}
