import type { Ctx } from '../../../context.ts';
import { markSealed, moveStatus } from '../processes.store.ts';

/** Ends a process in progress because somebody refused; false when it had ended already. */
export function finishByRejection(tx: Ctx, id: string): Promise<boolean> {
  return moveStatus(tx, id, 'IN_PROGRESS', 'FINALIZED_BY_REJECTION', { finalized_at: tx.clock.now() });
}

/** Ends a process in progress whose documents and evidence report are sealed; false when it had ended already. */
export async function finishWithSuccess(tx: Ctx, id: string, at: Date, report: { hash: string; size: number }): Promise<boolean> {
  if (!(await moveStatus(tx, id, 'IN_PROGRESS', 'FINALIZED_WITH_SUCCESS', { finalized_at: at }))) return false;
  await markSealed(tx, id, report);
  return true;
}
