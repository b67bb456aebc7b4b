import { setTimeout as sleep } from 'node:timers/promises';
import { type LimitName, rateLimits } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { addressSubjects } from '../../access/client-address.ts';
import { clearAttempts, countAttempt, forgiveAttempt, lock, lockedFor } from '../../access/limits.store.ts';

const LOCK_SECONDS = 15 * 60;
const SLOWER_BY_MS = 150;

interface Door {
  name: LimitName;
  subject: string;
  /** How many times the limit this subject may have. */
  share: number;
  /** One's own: success wipes its failures out. Those of others are kept: an owner's sign-in must buy a guesser nothing. */
  own: boolean;
}

/**
 * Brute-force and credential-stuffing limits. An account from one address is shut after five failures; guesses at one account
 * from everywhere, and from one address at all accounts (which may be an office), have wider limits. A device that signed in to
 * the account before has a door of its own, which nobody else can shut and where five failures count as well.
 */
function doorsOf(email: string, ip: string, knownDevice: string | null): readonly Door[] {
  if (knownDevice) return [{ name: 'login-device', subject: `${email}\n${knownDevice}`, share: 1, own: true }];
  const networks = addressSubjects(ip);
  return [
    { name: 'login', subject: `${email}\n${networks[0]?.subject}`, share: 1, own: true },
    ...networks.map(({ subject, share }) => ({ name: 'login-address' as const, subject, share, own: false })),
    { name: 'login-account', subject: email, share: 1, own: false },
  ];
}

const allowedAt = ({ name, share }: Door) => rateLimits[name].most * share;

/**
 * Counts a try before the password is looked at, so that many at once cannot pass the limit together.
 * @throws DomainError account.locked while one of the doors is shut, request.tooMany when too many run at once
 */
export async function countSignInAttempt(ctx: Ctx, email: string, ip: string, knownDevice: string | null) {
  const doors = doorsOf(email, ip, knownDevice);
  const assertOpen = async () => {
    const seconds = await lockedFor(ctx, doors, LOCK_SECONDS);
    if (seconds > 0) throw new DomainError('account.locked', { params: { minutes: Math.ceil(seconds / 60) } });
  };
  await assertOpen();
  const counts: number[] = [];
  // The narrowest first: what it turns away is not held against everybody else at the wider ones.
  for (const door of doors) {
    const count = await countAttempt(ctx, door.name, door.subject, rateLimits[door.name].seconds);
    if (count > allowedAt(door)) throw new DomainError('request.tooMany');
    counts.push(count);
  }
  // A door that was shut meanwhile counts from one again.
  await assertOpen();
  return {
    /** Each failure slows its answer more, and the last allowed one shuts the door for 15 minutes: its name. */
    async failed(): Promise<string | null> {
      let shut: string | null = null;
      for (const [index, door] of doors.entries()) {
        if ((counts[index] ?? 0) < allowedAt(door)) continue;
        await lock(ctx, door.name, door.subject);
        await clearAttempts(ctx, door.name, door.subject);
        shut = door.name;
      }
      await sleep(((counts[0] ?? 1) - 1) * SLOWER_BY_MS);
      return shut;
    },
    async succeeded(): Promise<void> {
      for (const { name, subject, own } of doors) await (own ? clearAttempts : forgiveAttempt)(ctx, name, subject);
    },
  };
}
