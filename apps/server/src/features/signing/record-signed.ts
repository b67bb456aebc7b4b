import { assertMayAct, currentOrder, DomainError, isSameName } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { appendRevisions, type DocumentFile } from '../documents/document-file.ts';
import { sendFinalization } from '../processes/hand-over.ts';
import { inviteNextSigners } from '../processes/life/invite-next-signers.ts';
import { loadProcess } from '../processes/load-process.ts';
import { lockSignatureProcess } from '../processes/load-process.ts';
import { recordEvent } from '../processes/life/record-event.ts';
import { closeAttempt, closeSigner } from './signing.store.ts';

/** A document with the signer's revision, whose bytes are stored already. */
export interface SignedDocument {
  file: DocumentFile;
  blob: { sha256: string; size: number };
  fileHash: string;
}

export interface SignedAct {
  signatureProcessId: string;
  attemptId: string;
  signerId: string;
  name: string;
  ip: string;
  /** SHA-256 of the certificate, hex. */
  fingerprint: string;
  /** What else the event tells: the consent, the certificate's issuer. */
  facts?: Readonly<Record<string, unknown>>;
  signed: readonly SignedDocument[];
}

/**
 * The one ending of all ways to sign: revisions, the signer's status, the evidence, the event, and whoever comes next, in one
 * transaction.
 * @throws DomainError request.conflict when somebody else appended first; signing.prepareAgain when the attempt was closed; what `assertMayAct` refuses
 */
export async function recordSigned(ctx: Ctx, act: SignedAct): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockSignatureProcess(tx, act.signatureProcessId);
    const now = await loadProcess(tx, act.signatureProcessId);
    // The process may have been cancelled or rejected while we signed: then nothing of it counts.
    assertMayAct(now.state, act.signerId, tx.clock.now());
    await closeSigner(tx, act.signerId, 'SIGNED', null);
    const invitedName = now.signers.find(({ id }) => id === act.signerId)?.name ?? '';
    await appendRevisions(
      tx,
      act.signed.map(({ file, blob, fileHash }) => ({
        documentId: file.documentId,
        seq: file.nextSeq,
        kind: 'signature',
        signerId: act.signerId,
        blobHash: blob.sha256,
        size: blob.size,
        offset: file.size,
        fileHash,
      })),
    );
    // Given up or ended meanwhile: a signature without its evidence would stand in the file otherwise.
    if (!(await closeAttempt(tx, act.attemptId, { state: 'signed', reason: null, fingerprint: act.fingerprint })))
      throw new DomainError('signing.prepareAgain');
    await recordEvent(tx, {
      signatureProcessId: act.signatureProcessId,
      type: 'signer.signed',
      signerId: act.signerId,
      data: {
        name: act.name,
        ...(isSameName(act.name, invitedName) ? {} : { invitedName }),
        ip: act.ip,
        certificate: act.fingerprint,
        ...act.facts,
        documents: act.signed.map(({ file, fileHash }) => ({ id: file.documentId, name: file.name, sha256: fileHash })),
      },
    });
    const after = await loadProcess(tx, act.signatureProcessId);
    if (currentOrder(after.state.signers) === null) await sendFinalization(tx, { id: act.signatureProcessId, ownerId: after.row.owner_id });
    else await inviteNextSigners(tx, act.signatureProcessId);
  });
}
