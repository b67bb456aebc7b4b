import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx, Tx } from '../../context.ts';
import * as store from './usage-check.store.ts';

const AT_ONCE = 500;

/** What the rooms above know of what contracts count: how each act truly stands. */
export interface UsageTruth {
  signatures: (tx: Tx, processIds: readonly string[]) => Promise<readonly store.UsageRow[]>;
  documents: (tx: Tx, documentIds: readonly string[]) => Promise<readonly store.UsageRow[]>;
}

/** What was found, and set right. */
export interface UsageChecked {
  contracts: number;
  /** Acts that stood otherwise, or not at all. */
  settled: number;
  /** Contracts whose counters were no sums. */
  recounted: number;
}

/**
 * Compares what every contract counts in its period, and has reserved, with what truly happened, and its counters with that; what differs is
 * set right, and counters that differed are noted in the log. Some acts at a time, while nobody else counts on the contract: their own rows and what they tell
 * are of one moment then, for whoever counts does so before they commit.
 */
export async function checkUsage(ctx: Ctx, truth: UsageTruth): Promise<UsageChecked> {
  const found: UsageChecked = { contracts: 0, settled: 0, recounted: 0 };
  for (const id of await store.listContractIds(ctx)) {
    found.contracts += 1;
    found.settled += await settleAll(ctx, id, await store.listCountedProcesses(ctx, id), truth.signatures);
    found.settled += await settleAll(ctx, id, await store.listCountedDocuments(ctx, id), truth.documents);
    if (await recount(ctx, id)) found.recounted += 1;
  }
  return found;
}

async function settleAll(
  ctx: Ctx,
  contractId: number,
  ids: readonly string[],
  truthOf: (tx: Tx, ids: readonly string[]) => Promise<readonly store.UsageRow[]>,
): Promise<number> {
  let settled = 0;
  for (let from = 0; from < ids.length; from += AT_ONCE)
    settled += await ctx.transaction(async (tx) => {
      if ((await store.holdContract(tx, contractId)) === null) return 0;
      return store.settleUsage(tx, contractId, await truthOf(tx, ids.slice(from, from + AT_ONCE)));
    });
  return settled;
}

function recount(ctx: Ctx, contractId: number): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    if ((await store.holdContract(tx, contractId)) === null) return false;
    const details = await store.recountContract(tx, contractId);
    if (!details) return false;
    await recordAudit(tx, { kind: 'contract.recounted', outcome: 'success', subjectId: `contracts/${contractId}`, details });
    return true;
  });
}
