import { rateLimits } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { RequestFacts } from '../../../access/actor.ts';
import { countAttempt, forgiveAttempt } from '../../../access/limits.store.ts';
import { hasEntered } from '../../../access/sessions.store.ts';
import { recordRefusal } from '../../../audit/audit.store.ts';
import type { Ctx } from '../../../context.ts';
import { queueMail } from '../../../mail/send-mail.job.ts';
import { findUserById } from '../accounts.store.ts';
import { isKnownDevice } from '../devices.store.ts';
import { factorMail } from './second-factor.mail.ts';

type Door = { name: 'second-factor' | 'second-factor-day' | 'second-factor-device'; subject: string };

/**
 * Counts a code of six digits before it is looked at. Whoever guesses codes knows the password: the account's holder is told
 * once the account's doors shut. A device that signed in before has its own door, which nobody else can shut.
 * @throws DomainError account.codesLocked
 */
export async function countGuess(
  ctx: Ctx,
  { userId, deviceId }: { userId: string; deviceId: string | null },
  from: RequestFacts,
): Promise<{ succeeded(): Promise<void> }> {
  const doors: readonly Door[] = (await hasSignedIn(ctx, userId, deviceId))
    ? [{ name: 'second-factor-device', subject: `${userId}\n${deviceId}` }]
    : [
        { name: 'second-factor', subject: userId },
        { name: 'second-factor-day', subject: userId },
      ];
  for (const { name, subject } of doors) {
    const { most, seconds } = rateLimits[name];
    const count = await countAttempt(ctx, name, subject, seconds);
    if (count <= most) continue;
    if (count === most + 1 && name !== 'second-factor-device') await tellHolder(ctx, userId);
    await recordRefusal(ctx, { kind: 'session.locked', outcome: 'refused', reason: name, accountId: userId, ip: from.ip });
    throw new DomainError('account.codesLocked');
  }
  return {
    async succeeded() {
      for (const { name, subject } of doors) await forgiveAttempt(ctx, name, subject);
    },
  };
}

/** A device is known by a new password too, which shows no second factor: who reads the mailbox has no door of their own. */
async function hasSignedIn(ctx: Ctx, userId: string, deviceId: string | null): Promise<boolean> {
  return deviceId !== null && (await isKnownDevice(ctx, deviceId, userId)) && hasEntered(ctx, userId, deviceId);
}

async function tellHolder(ctx: Ctx, userId: string): Promise<void> {
  const user = await findUserById(ctx, userId);
  if (user) await ctx.transaction((tx) => queueMail(tx, user.email, user.langKey, factorMail(tx, user, 'codesGuessed')));
}
