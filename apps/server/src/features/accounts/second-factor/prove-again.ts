import type { Proof } from '@lavra/api';
import { DomainError, type DomainErrorCode } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import { findSessionDevice } from '../../../access/sessions.store.ts';
import { recordAudit } from '../../../audit/audit.store.ts';
import type { Ctx } from '../../../context.ts';
import { findUserById, lockUser } from '../accounts.store.ts';
import { verifyPassword } from '../password-hash.ts';
import { challengeHash } from './ask-second-step.ts';
import { deleteChallenge, holdChallenge } from './challenges.store.ts';
import { countGuess } from './count-guess.ts';
import { countFactors } from './factors.store.ts';
import { takeFactor } from './take-factor.ts';

/**
 * Whoever adds or removes a factor shows the password again, or a factor that the account has: an open session that somebody
 * else sits at changes nothing. A social account without any factor has nothing to show.
 * @throws DomainError account.incorrectPassword, codeWrong, codeUsed, codesLocked, passkeyWrong; request.invalid: nothing was shown
 */
export async function proveAgain(ctx: Ctx, actor: Person, shown: Proof): Promise<void> {
  const refusal = await refusalOf(ctx, actor, shown);
  if (!refusal) return;
  const entry = { kind: 'factor.refused', outcome: 'refused', reason: refusal.code } as const;
  await recordAudit(ctx, { ...entry, accountId: actor.userId, ip: actor.from.ip });
  throw refusal;
}

async function refusalOf(ctx: Ctx, actor: Person, shown: Proof): Promise<DomainError | null> {
  const user = await findUserById(ctx, actor.userId);
  if (!user) throw new DomainError('request.unauthorized');
  if (shown.password !== undefined)
    return (await verifyPassword(user.passwordHash, shown.password))
      ? null
      : new DomainError('account.incorrectPassword', { field: 'password' });
  if (shown.passkey) return refused(await takePasskey(ctx, actor, shown.passkey), 'passkey');
  if (shown.code !== undefined) return refused(await takeCode(ctx, actor, shown.code), 'code');
  const { totp, passkeys } = await countFactors(ctx, actor.userId);
  if (user.passwordHash === null && !totp && passkeys === 0) return null;
  throw new DomainError('request.invalid', { field: 'proof' });
}

function refused(code: DomainErrorCode | null, field: string): DomainError | null {
  return code && new DomainError(code, { field });
}

async function takeCode(ctx: Ctx, { userId, sessionId, from }: Person, code: string): Promise<DomainErrorCode | null> {
  const deviceId = await findSessionDevice(ctx, sessionId);
  const guess = await countGuess(ctx, { userId, deviceId }, from);
  const taken = await ctx.transaction(async (tx) => {
    await lockUser(tx, userId);
    return takeFactor(tx, userId, { code }, null);
  });
  if ('refusal' in taken) return taken.refusal;
  await guess.succeeded();
  return null;
}

/** What was asked is good once, whatever was answered. */
function takePasskey(ctx: Ctx, { userId }: Person, { challenge, answer }: NonNullable<Proof['passkey']>): Promise<DomainErrorCode | null> {
  return ctx.transaction(async (tx) => {
    await lockUser(tx, userId);
    const asked = await holdChallenge(tx, { tokenHash: challengeHash(challenge), purpose: 'proof', userId });
    if (!asked) return 'account.stepEnded';
    await deleteChallenge(tx, asked.tokenHash);
    const taken = await takeFactor(tx, userId, { passkey: answer }, asked.passkeyChallenge);
    return 'refusal' in taken ? taken.refusal : null;
  });
}
