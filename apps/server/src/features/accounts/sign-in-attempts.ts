import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { addressSubjects } from '../../http/client-address.ts';
import { clearAttempts, countAttempt, forgiveAttempt, lock, lockedFor } from '../../http/rate-limit.store.ts';

const WINDOW_SECONDS = 15 * 60;
const LOCK_SECONDS = 15 * 60;
const SLOWER_BY_MS = 150;

/**
 * What is counted. An account from one address is shut after five failures, so that nobody can lock another
 * person out from afar; guesses at one account from everywhere, and from one address at all accounts (which
 * may be an office), have wider limits.
 */
function doorsOf(email: string, ip: string) {
  const [nearest, ...wider] = addressSubjects(ip);
  return [
    { name: 'login', subject: `${email}\n${nearest?.subject}`, allowed: 5 },
    { name: 'login-account', subject: email, allowed: 50 },
    ...[nearest, ...wider].map((address) => ({
      name: 'login-address',
      subject: address?.subject ?? '',
      allowed: 50 * (address?.share ?? 1),
    })),
  ];
}

/**
 * Counts a try before the password is looked at, so that many at once cannot pass the limit together.
 * @throws DomainError account.locked while one of the doors is shut, request.tooMany when too many run at once
 */
export async function countSignInAttempt(ctx: Ctx, email: string, ip: string) {
  const doors = doorsOf(email, ip);
  const seconds = await lockedFor(ctx, doors, LOCK_SECONDS);
  if (seconds > 0) throw new DomainError('account.locked', { params: { minutes: Math.ceil(seconds / 60) } });
  const counts = await Promise.all(doors.map((door) => countAttempt(ctx, door.name, door.subject, WINDOW_SECONDS)));
  if (doors.some((door, index) => (counts[index] ?? 0) > door.allowed)) throw new DomainError('request.tooMany');
  return {
    /** Each failure slows its answer more, and the last allowed one shuts the door for 15 minutes. */
    async failed(): Promise<void> {
      for (const [index, door] of doors.entries()) {
        if ((counts[index] ?? 0) < door.allowed) continue;
        await lock(ctx, door.name, door.subject);
        await clearAttempts(ctx, door.name, door.subject);
      }
      await sleep(((counts[0] ?? 1) - 1) * SLOWER_BY_MS);
    },
    /** The address keeps its failures: a good account of one's own must not buy more guesses at others. */
    async succeeded(): Promise<void> {
      for (const { name, subject } of doors)
        await (name === 'login-address' ? forgiveAttempt(ctx, name, subject) : clearAttempts(ctx, name, subject));
    },
  };
}
