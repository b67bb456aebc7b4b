import type { Ctx } from '../../context.ts';
import * as store from './processes.store.ts';

/** The placements of all signers of a process. */
export function listProcessPlacements(ctx: Ctx, signatureProcessId: string) {
  return store.listPlacements(ctx, signatureProcessId);
}

/** The event log of a process in order. */
export function listProcessEvents(ctx: Ctx, signatureProcessId: string) {
  return store.listEvents(ctx, signatureProcessId);
}

/** Whom to tell about a process. */
export async function findProcessOwner(ctx: Ctx, signatureProcessId: string) {
  const row = await store.findProcess(ctx, signatureProcessId);
  const owner = row ? await store.findUser(ctx, row.owner_id) : undefined;
  return row && owner ? { email: owner.email, name: owner.first_name, locale: owner.lang_key, title: row.title } : null;
}

/** Ends a process in progress as rejected or successful; false when it had ended already. */
export function finishProcess(
  tx: Ctx,
  id: string,
  to: 'FINALIZED_WITH_SUCCESS' | 'FINALIZED_BY_REJECTION',
  at = tx.clock.now(),
): Promise<boolean> {
  return store.moveStatus(tx, id, 'IN_PROGRESS', to, { finalized_at: at });
}

/** Locks the process for the rest of the transaction. */
export function lockSignatureProcess(tx: Ctx, id: string): Promise<void> {
  return store.lockProcess(tx, id);
}

/** Shows the owner why a process does not go on. `params` fill the sentence. */
export function noteProblem(
  ctx: Ctx,
  signatureProcessId: string,
  problem: string,
  params: Record<string, string | number> = {},
): Promise<void> {
  return store.setProblem(ctx, signatureProcessId, problem, params);
}

/** Started processes whose documents nobody has prepared since then, for want of something that was away. */
export function listUnpreparedProcesses(ctx: Ctx, startedBefore: Date): Promise<string[]> {
  return store.listUnpreparedProcessIds(ctx, startedBefore);
}
