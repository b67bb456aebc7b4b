import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { appendRevisions, type DocumentFile } from '../documents/document-file.ts';
import { actOnProcess } from '../processes/life/act-on-process.ts';
import { closeAttempt } from './signing.store.ts';

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
  /** What every signature of the act says of its time. */
  signedAt: Date;
  ip: string;
  /** SHA-256 of the certificate, hex. */
  fingerprint: string;
  /** What else the event tells: the consent, the certificate's issuer. */
  facts?: Readonly<Record<string, unknown>>;
  signed: readonly SignedDocument[];
}

/**
 * The one ending of all ways to sign: the signer's state, the event, whoever comes next, revisions and evidence, in one
 * transaction of at most five statements.
 * @throws DomainError request.conflict when somebody else appended first; signing.prepareAgain when the attempt was closed; what `assertMayAct` refuses
 */
export async function recordSigned(ctx: Ctx, act: SignedAct): Promise<void> {
  const { signerId, name, fingerprint, signed } = act;
  await ctx.transaction(async (tx) => {
    // The process may have been cancelled or rejected while we signed: then nothing of it counts.
    await actOnProcess(tx, act.signatureProcessId, {
      kind: 'sign',
      signerId,
      name,
      signedAt: act.signedAt,
      facts: {
        ip: act.ip,
        certificate: fingerprint,
        ...act.facts,
        documents: signed.map(({ file, fileHash }) => ({ id: file.documentId, name: file.name, sha256: fileHash })),
      },
    });
    await appendRevisions(
      tx,
      signed.map(({ file, blob, fileHash }) => ({
        documentId: file.documentId,
        seq: file.nextSeq,
        kind: 'signature',
        signerId,
        blobHash: blob.sha256,
        size: blob.size,
        offset: file.size,
        fileHash,
      })),
    );
    // Given up or ended meanwhile: a signature without its evidence would stand in the file otherwise.
    const isClosed = await closeAttempt(tx, act.attemptId, { state: 'signed', reason: null, fingerprint });
    if (!isClosed) throw new DomainError('signing.prepareAgain');
  });
}
