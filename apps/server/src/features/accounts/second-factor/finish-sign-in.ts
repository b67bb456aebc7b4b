import { DomainError } from '@lavra/domain';
import type { Visitor } from '../../../access/actor.ts';
import type { DeviceClaim } from '../../../access/device-claim.ts';
import type { Opened } from '../../../access/entrance.ts';
import type { Ctx, Tx } from '../../../context.ts';
import { lockUser, type User } from '../accounts.store.ts';
import { provenDevice } from '../devices.store.ts';
import { openProvenSession } from '../open-session.ts';
import { deleteChallenge, holdChallenge, type KeptChallenge } from './challenges.store.ts';
import { countGuess } from './count-guess.ts';
import { findStep, stepHolder } from './find-step.ts';
import { tell } from './keep-factor.ts';
import { countRefusal, refusedStep } from './refuse-step.ts';
import { type ShownFactor, type Taken, takeFactor } from './take-factor.ts';

/**
 * The second step of a sign-in: a factor of the account opens the session that the first step was for. The challenge is good
 * once, in its browser; five wrong answers end it.
 * @throws DomainError account.stepEnded, codeWrong, codeUsed, backupCodeWrong, passkeyWrong, codesLocked; what the door refuses
 */
export async function finishSignIn(
  ctx: Ctx,
  actor: Visitor,
  { challenge: token, device, ...shown }: ShownFactor & { challenge: string; device: DeviceClaim | null },
): Promise<Opened> {
  const held = await findStep(ctx, token, await provenDevice(ctx, device));
  const guess = shown.code === undefined ? null : await countGuess(ctx, held, actor.from);
  const { taken, challenge } = await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, held.userId);
    const step = await holdChallenge(tx, stepHolder(held));
    if (!step) throw new DomainError('account.stepEnded');
    return { taken: await takeStep(tx, user, step, shown, actor), challenge: step };
  });
  if ('refusal' in taken) throw await refusedStep(ctx, actor, held, taken.refusal);
  await guess?.succeeded();
  const entering = { userId: held.userId, proof: held.proof, remember: challenge.remember, device };
  return openProvenSession(ctx, actor, { ...entering, factor: taken });
}

async function takeStep(tx: Tx, user: User, step: KeptChallenge, shown: ShownFactor, { from }: Visitor): Promise<Taken> {
  const taken = await takeFactor(tx, user.id, shown, step.passkeyChallenge);
  await ('refusal' in taken ? countRefusal(tx, step) : deleteChallenge(tx, step.tokenHash));
  if ('kind' in taken && taken.kind === 'backupCode')
    await tell(tx, user, 'backupCodeUsed', { kind: 'factor.used', reason: 'backupCode' }, from);
  return taken;
}
