import type { Ctx } from '../../../context.ts';
import { setEvidenceReport } from '../processes.store.ts';

/** Notes the sealed evidence report; call inside the transaction that ends the process. */
export function recordReport(tx: Ctx, signatureProcessId: string, report: { hash: string; size: number }): Promise<void> {
  return setEvidenceReport(tx, signatureProcessId, report);
}
