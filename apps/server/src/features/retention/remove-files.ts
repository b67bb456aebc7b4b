import { canRemoveFiles, DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { Person, System } from '../../access/actor.ts';
import { removeFilesOfProcess } from '../documents/removed-files.ts';
import { actOnHeld, holdNewestProcess } from '../processes/life/act-on-process.ts';
import type { SignatureProcess } from '../processes/signature-process.ts';
import { forgetPictures } from '../signing/forget-pictures.ts';

export interface Removal {
  signatureProcessId: string;
  reason: 'retention' | 'erasure';
  /** Asked under the process's lock: false leaves everything as it is. */
  isDue?: (tx: Ctx, signatureProcess: SignatureProcess) => Promise<boolean>;
}

/**
 * Removes the files of a process that has ended: documents, signature pages, copies to print, pictures of signatures. What stays is
 * what they were: the log with this act in it, every hash, the evidence report. The bytes leave the storage with its next
 * sweep, those that nobody else refers to. False: there was nothing to remove, or it is not due.
 * @throws DomainError process.notFound, process.inProgress
 */
export function removeFiles(ctx: Ctx, _actor: System | Person, { signatureProcessId, reason, isDue }: Removal): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const held = await holdNewestProcess(tx, signatureProcessId);
    const { signatureProcess } = held;
    if (signatureProcess.status === 'IN_PROGRESS' || signatureProcess.status === 'DRAFT') throw new DomainError('process.inProgress');
    if (!canRemoveFiles(signatureProcess) || (isDue && !(await isDue(tx, signatureProcess)))) return false;
    const documents = await removeFilesOfProcess(tx, signatureProcessId);
    await forgetPictures(tx, signatureProcessId);
    const act = { kind: 'removeFiles' as const, facts: { reason, documents } };
    // Its row is held and nobody acts on what has ended: only a later look at one's own link could have come between.
    await actOnHeld(tx, held, act);
    return true;
  });
}
