import { createHash } from 'node:crypto';
import { DomainError } from '@lavra/domain';
import { completeSignature, PadesError, type Revision } from '@lavra/pades';
import type { Ctx } from '../../../context.ts';
import type { JobEnd } from '../../../jobs/queue.ts';
import { putBytes } from '../../../storage/blob-store.ts';
import { hashDocumentFile, openDocumentFile } from '../../documents/document-file.ts';
import { loadHeld } from '../../processes/load-process.ts';
import type { LoadedProcess } from '../../processes/signature-process.ts';
import { recordSigned, type SignedDocument } from '../record-signed.ts';
import { findAttempt, findEvidence } from '../signing.store.ts';
import { issuerName } from './certificate-names.ts';
import { keepValue, listPrepared, type PreparedRow } from './digital.store.ts';

export interface SignatureValue {
  documentId: string;
  value: Uint8Array;
}

/**
 * Writes the values down, all or none: whoever signed once need not be asked again.
 * @throws DomainError signing.valueInvalid when they are not exactly one for each prepared document
 */
export async function keepSignatureValues(ctx: Ctx, attemptId: string, values: readonly SignatureValue[]): Promise<void> {
  await ctx.transaction(async (tx) => {
    const rows = await listPrepared(tx, attemptId);
    if (rows.length === 0) throw new DomainError('signing.prepareAgain');
    const documents = new Set(values.map(({ documentId }) => documentId));
    if (documents.size !== values.length || documents.size !== rows.length) throw new DomainError('signing.valueInvalid');
    for (const { documentId, value } of values)
      if (!(await keepValue(tx, attemptId, documentId, value))) throw new DomainError('signing.valueInvalid');
  });
}

/**
 * Puts the kept values into the documents: each is checked against the certificate, then all is recorded in one transaction.
 * Called again after it was done, it does nothing. `ends`: the job that has nothing else to do.
 * @throws DomainError signing.valueInvalid; signing.prepareAgain when the documents went on meanwhile; what `assertMayAct` refuses
 */
export async function completeAttempt(ctx: Ctx, attemptId: string, ends?: JobEnd): Promise<void> {
  const attempt = await findAttempt(ctx, attemptId);
  if (attempt?.state === 'signed') return;
  const rows = await listPrepared(ctx, attemptId);
  const evidence = await findEvidence(ctx, attemptId);
  if (!attempt || !evidence?.certificate || rows.length === 0) throw new DomainError('signing.prepareAgain');
  const signedAt = rows[0]?.prepared.signingTime;
  // Prepared by a program of before: what was written down does not say its time.
  if (signedAt === undefined) throw new DomainError('signing.prepareAgain');
  const read = await loadHeld(ctx, attempt.signatureProcessId, 'files');
  const signed: SignedDocument[] = [];
  for (const row of rows) signed.push(await signedDocument(ctx, read.signatureProcess, row));
  try {
    const act = {
      attemptId,
      signerId: attempt.signerId,
      name: evidence.name,
      signedAt: new Date(signedAt),
      ip: evidence.ip,
      fingerprint: createHash('sha256').update(evidence.certificate).digest('hex'),
      facts: { issuer: issuerName(evidence.certificate), consent: evidence.consentHash, via: attempt.psc ?? attempt.kind },
    };
    await recordSigned(ctx, read, { ...act, signed }, ends);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'request.conflict') throw new DomainError('signing.prepareAgain');
    throw error;
  }
}

async function signedDocument(ctx: Ctx, { documents }: LoadedProcess, row: PreparedRow): Promise<SignedDocument> {
  if (!row.value) throw new DomainError('signing.valueInvalid');
  const file = await openDocumentFile(ctx, documents.find(({ id }) => id === row.documentId) ?? row.documentId);
  if (file.nextSeq !== row.seq || file.size !== row.prepared.offset) throw new DomainError('signing.prepareAgain');
  const revision = await complete(ctx, row, row.value);
  const blob = await putBytes(ctx.storage, revision.bytes);
  return { file, blob, fileHash: await hashDocumentFile(ctx, file, { bytes: revision.bytes, blobHash: blob.sha256 }) };
}

/** With a timestamp of ICP-Brasil where there is an authority for it; a policy that needs one is not completed without. */
async function complete({ icpBrasilTimestamps }: Ctx, { prepared }: PreparedRow, value: Uint8Array): Promise<Revision> {
  try {
    return await completeSignature(prepared, value, icpBrasilTimestamps ? { signatureTimestamp: icpBrasilTimestamps } : {});
  } catch (error) {
    if (error instanceof PadesError && error.code === 'SIGNATURE_MISMATCH') throw new DomainError('signing.valueInvalid');
    throw error;
  }
}
