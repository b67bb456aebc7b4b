import { DAY_MS } from './deadlines.ts';
import { limits } from './limits.ts';
import type { ProcessStatus } from './signature-process.ts';

/** Cancel is offered only if the process is in progress and the user owns it (section 4). */
export function canCancel(signatureProcess: { status: ProcessStatus; currentIsOwner: boolean }): boolean {
  return signatureProcess.status === 'IN_PROGRESS' && signatureProcess.currentIsOwner;
}

/**
 * Whether a signer's link still opens the documents: without end while the process runs and when it was signed by everybody;
 * for some days after it ended otherwise, so that nobody is surprised, and then no more.
 */
export function linkOpensDocuments(signatureProcess: { status: ProcessStatus; finalizedAt: Date | null }, now: Date): boolean {
  const { status, finalizedAt } = signatureProcess;
  if (status === 'IN_PROGRESS' || status === 'FINALIZED_WITH_SUCCESS' || finalizedAt === null) return true;
  return now.getTime() - finalizedAt.getTime() < limits.endedLinkDays * DAY_MS;
}

/** Download is offered only if the process finished with success (section 4). */
export function canDownload(signatureProcess: { status: ProcessStatus }): boolean {
  return signatureProcess.status === 'FINALIZED_WITH_SUCCESS';
}
