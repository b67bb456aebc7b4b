import type { ProcessStatus } from './signature-process.ts';

/** Cancel is offered only if the process is in progress and the user owns it (section 4). */
export function canCancel(signatureProcess: { status: ProcessStatus; currentIsOwner: boolean }): boolean {
  return signatureProcess.status === 'IN_PROGRESS' && signatureProcess.currentIsOwner;
}

/** Download is offered only if the process finished with success (section 4). */
export function canDownload(signatureProcess: { status: ProcessStatus }): boolean {
  return signatureProcess.status === 'FINALIZED_WITH_SUCCESS';
}
