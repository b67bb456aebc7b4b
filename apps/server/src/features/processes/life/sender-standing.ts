import { DomainError, limits } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { AccountFacts } from '../../accounts/find-account.ts';
import type { Write } from '../../../db/at-once.ts';
import { callsWrites, countPeopleCalled, hasFinished } from '../processes.store.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * Whether an account has a history here: a week and three processes that everybody signed, or it administers the
 * installation. The words of one without stand in no subject of a mail to others (docs/decisions/019).
 */
export async function isNewSender(ctx: Ctx, owner: AccountFacts): Promise<boolean> {
  if (owner.authorities.includes('ROLE_ADMIN')) return false;
  if (ctx.clock.now().getTime() - owner.createdAt.getTime() < limits.newSenderDays * DAY_MS) return true;
  return !(await hasFinished(ctx, owner.id, limits.newSenderFinishedProcesses));
}

/**
 * Everybody whom a process calls hears of it at least twice, in the end whatever that is: counted at the start, from what was
 * started, over all nodes. Call inside the transaction of the start, while it holds the account (`holdAccount`): its starts queue up.
 * @throws DomainError process.tooManyInvitations
 */
export async function assertMayCall(tx: Ctx, owner: AccountFacts, id: string, people: number): Promise<void> {
  const max = await mostCalled(tx, owner);
  const called = await countPeopleCalled(tx, owner.id, { id, since: anHourAgo(tx) });
  if (called + people > max) throw new DomainError('process.tooManyInvitations', { params: { max } });
}

/** The same as parts of the statement that starts the process `id`, which they do not let be written (`MovedOn`) where it calls too many. */
export async function callingParts(ctx: Ctx, owner: AccountFacts, id: string, people: number): Promise<Write[]> {
  return callsWrites(owner.id, { id, since: anHourAgo(ctx), most: (await mostCalled(ctx, owner)) - people });
}

const anHourAgo = (ctx: Ctx) => new Date(ctx.clock.now().getTime() - HOUR_MS);

async function mostCalled(ctx: Ctx, owner: AccountFacts): Promise<number> {
  return (await isNewSender(ctx, owner)) ? limits.peoplePerHourNewSender : limits.peoplePerHour;
}
