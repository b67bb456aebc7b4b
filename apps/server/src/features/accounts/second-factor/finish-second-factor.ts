import type { NewPasskey } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Visitor } from '../../../access/actor.ts';
import type { DeviceClaim } from '../../../access/device-claim.ts';
import type { Opened } from '../../../access/entrance.ts';
import type { Ctx, Tx } from '../../../context.ts';
import { lockUser } from '../accounts.store.ts';
import { provenDevice } from '../devices.store.ts';
import { openProvenSession, refusalAtDoor } from '../open-session.ts';
import { deleteChallenge, holdChallenge, type KeptChallenge } from './challenges.store.ts';
import { countGuess } from './count-guess.ts';
import { countFactors } from './factors.store.ts';
import { findStep, type Held, stepHolder } from './find-step.ts';
import { checkedPasskeyName, keepPasskey, keepTotp } from './keep-factor.ts';
import { countRefusal, refusedStep } from './refuse-step.ts';

/** What proves the factor that was begun: the app's first code, or the passkey that was made and its name. */
export interface MadeFactor {
  code?: string | undefined;
  passkey?: NewPasskey | undefined;
  name?: string | undefined;
}

/**
 * The factor that was begun in the second step is kept and opens the session; with it come the account's backup codes, once.
 * @throws DomainError account.stepEnded, codeWrong, passkeyWrong, passkeyTaken, codesLocked, record.nameRequired; what the door refuses
 */
export async function finishSecondFactor(
  ctx: Ctx,
  actor: Visitor,
  { challenge: token, device, ...made }: MadeFactor & { challenge: string; device: DeviceClaim | null },
): Promise<{ opened: Opened; backupCodes: string[] | null }> {
  const held = await findStep(ctx, token, await provenDevice(ctx, device));
  const guess = made.passkey ? null : await countGuess(ctx, held, actor.from);
  const { kept, remember } = await ctx.transaction(async (tx) => {
    const step = await assertEnrolling(tx, held);
    const outcome = await keep(tx, held, step, made, actor);
    await ('refusal' in outcome ? countRefusal(tx, step) : deleteChallenge(tx, held.tokenHash));
    return { kept: outcome, remember: step.remember };
  });
  if ('refusal' in kept) throw await refusedStep(ctx, actor, held, kept.refusal);
  await guess?.succeeded();
  const entering = { userId: held.userId, proof: held.proof, remember, device };
  const opened = await openProvenSession(ctx, actor, { ...entering, factor: kept.factor });
  return { opened, backupCodes: kept.codes };
}

/** The account is held, and still has no factor: what another browser has added meanwhile is asked for instead. */
async function assertEnrolling(tx: Tx, held: Held): Promise<KeptChallenge> {
  await lockUser(tx, held.userId);
  const { totp, passkeys } = await countFactors(tx, held.userId);
  const step = await holdChallenge(tx, stepHolder(held));
  if (!step || totp || passkeys > 0) throw new DomainError('account.stepEnded');
  return step;
}

async function keep(tx: Tx, { userId, proof }: Held, { passkeyChallenge }: KeptChallenge, made: MadeFactor, { from }: Visitor) {
  const user = await lockUser(tx, userId);
  // Before it is kept: a passkey opens the account alone, and this password may have been replaced since the first step.
  const refusal = await refusalAtDoor(tx, user, proof);
  if (refusal) return { refusal };
  if (!made.passkey) return keepTotp(tx, user, made.code ?? '', from);
  if (passkeyChallenge === null) throw new DomainError('account.stepEnded');
  const name = checkedPasskeyName(made.name ?? '');
  return keepPasskey(tx, user, { passkey: made.passkey, name, challenge: passkeyChallenge }, from);
}
