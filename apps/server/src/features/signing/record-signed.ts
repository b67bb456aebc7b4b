import type { Ctx } from '../../context.ts';
import type { JobEnd } from '../../jobs/queue.ts';
import { appendedRevisions, type DocumentFile } from '../documents/document-file.ts';
import type { HeldProcess } from '../processes/load-process.ts';
import { actAtOnce } from '../processes/life/act-on-process.ts';
import { closingWrites } from './signing.store.ts';

/** A document with the signer's revision, whose bytes are stored already. */
export interface SignedDocument {
  file: DocumentFile;
  blob: { sha256: string; size: number };
  fileHash: string;
}

export interface SignedAct {
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
 * statement. `read`: the process as it was before anything was signed; `ends`: the job that has nothing else to do.
 * @throws DomainError request.conflict when somebody else appended first; signing.prepareAgain when the attempt was closed; what `assertMayAct` refuses
 */
export async function recordSigned(ctx: Ctx, read: HeldProcess, act: SignedAct, ends?: JobEnd): Promise<void> {
  const { signerId, name, fingerprint, signed } = act;
  const revisions = appendedRevisions(
    ctx,
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
  const facts = {
    ip: act.ip,
    certificate: fingerprint,
    ...act.facts,
    documents: signed.map(({ file, fileHash }) => ({ id: file.documentId, name: file.name, sha256: fileHash })),
  };
  const closing = closingWrites(ctx, act.attemptId, { state: 'signed', reason: null, fingerprint });
  const writes = [...revisions.writes, ...closing];
  // The process may have been cancelled or rejected while we signed: then nothing of it counts.
  await actAtOnce(ctx, read, { kind: 'sign', signerId, name, signedAt: act.signedAt, facts }, { blobs: revisions.blobs, writes, ends });
}
