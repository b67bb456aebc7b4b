import { retentionDays } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { colleaguesOf, everyPastRetention, everyRetention, listRetentionsOf } from '../companies/retentions.ts';
import { everyRetainingOwner, findContractDays } from '../plans/contract-retentions.ts';
import type { KeptBound } from '../processes/life/kept-files.ts';

/**
 * Every bound that anybody's files have: their company's, that of companies which they have left, and their contract's. Who is under two
 * is met twice: whichever ends first counts.
 */
export async function* everyBound(ctx: Ctx): AsyncGenerator<KeptBound> {
  yield* everyRetention(ctx);
  yield* everyPastRetention(ctx);
  for await (const holder of everyRetainingOwner(ctx))
    for (const ownerId of new Set([holder, ...(await colleaguesOf(ctx, holder))])) {
      const days = await findContractDays(ctx, ownerId);
      if (days !== null) yield { ownerId, since: null, until: null, days };
    }
}

/** The days that a process keeps its files after its end, as things stand; null: no end. */
export async function daysKept(ctx: Ctx, { ownerId, createdAt }: { ownerId: string; createdAt: Date }): Promise<number | null> {
  const companies = (await listRetentionsOf(ctx, ownerId)).filter(
    ({ since, until }) => since <= createdAt && (until === null || createdAt < until),
  );
  return retentionDays([...companies.map(({ days }) => days), await findContractDays(ctx, ownerId)]);
}
