import { randomBytes } from 'node:crypto';
import { currentOrder, refusalToAct } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { appendedRevisions, describeDocumentFile } from '../../features/documents/document-file.ts';
import { finalizeProcess, prepareDocuments } from '../../features/processes/hand-over.ts';
import { actAtOnce } from '../../features/processes/life/act-on-process.ts';
import { announceEndJob } from '../../features/processes/life/announce-end.job.ts';
import { tellSignersJob } from '../../features/processes/life/tell-signers.job.ts';
import { loadHeld } from '../../features/processes/load-process.ts';
import type { LoadedProcess } from '../../features/processes/signature-process.ts';
import { signElectronicJob } from '../../features/signing/electronic/sign-electronic.job.ts';
import { recordSigned } from '../../features/signing/record-signed.ts';
import { closeAttempt, findAttempt } from '../../features/signing/signing.store.ts';
import type { Job } from '../../jobs/queue.ts';
import { sendMailJob } from '../../mail/send-mail.job.ts';
import { putBytes } from '../../storage/blob-store.ts';

type OfProcess = { signatureProcessId: string };

/** Bytes of their own for each document, stored, where a worker would have drawn, signed or sealed. */
function undrawn(ctx: Ctx, { documents }: Pick<LoadedProcess, 'documents'>) {
  return Promise.all(
    documents.map(async ({ id }) => {
      const blob = await putBytes(ctx.storage, randomBytes(64));
      return { file: await describeDocumentFile(ctx, id), blob, fileHash: randomBytes(32).toString('hex') };
    }),
  );
}

type Undrawn = Awaited<ReturnType<typeof undrawn>>;

const revisions = (made: Undrawn, kind: 'preparation' | 'seal') =>
  made.map(({ file: { documentId, nextSeq: seq, size: offset }, blob, fileHash }) => ({
    documentId,
    seq,
    kind,
    blobHash: blob.sha256,
    size: blob.size,
    offset,
    fileHash,
  }));

const told = (made: Undrawn) => made.map(({ file, fileHash }) => ({ id: file.documentId, name: file.name, sha256: fileHash }));

const prepareUndrawn: Job<OfProcess> = {
  ...prepareDocuments,
  async run(ctx, { signatureProcessId }) {
    const read = await loadHeld(ctx, signatureProcessId);
    const { signatureProcess: loaded } = read;
    if (loaded.status !== 'IN_PROGRESS' || loaded.preparedAt) return;
    const made = await undrawn(ctx, loaded);
    await actAtOnce(ctx, read, { kind: 'prepare', documents: told(made) }, appendedRevisions(ctx, revisions(made, 'preparation')));
  },
};

const signUndrawn: Job<{ attemptId: string }> = {
  name: signElectronicJob.name,
  exclusive: true,
  async run(ctx, { attemptId }) {
    const attempt = await findAttempt(ctx, attemptId);
    if (attempt?.state !== 'signing') return;
    const { signerId } = attempt;
    const read = await loadHeld(ctx, attempt.signatureProcessId);
    const { signatureProcess: loaded } = read;
    const signedAt = ctx.clock.now();
    const refusal = refusalToAct(loaded, signerId, signedAt);
    if (refusal) return void (await closeAttempt(ctx, attemptId, { state: 'failed', reason: refusal }));
    await recordSigned(ctx, read, {
      attemptId,
      signerId,
      name: loaded.signers.find(({ id }) => id === signerId)?.name ?? '',
      signedAt,
      ip: '203.0.113.20',
      fingerprint: randomBytes(32).toString('hex'),
      signed: await undrawn(ctx, loaded),
    });
  },
};

const finalizeUndrawn: Job<OfProcess> = {
  ...finalizeProcess,
  async run(ctx, { signatureProcessId }) {
    const read = await loadHeld(ctx, signatureProcessId);
    const { signatureProcess: loaded } = read;
    if (loaded.status !== 'IN_PROGRESS' || currentOrder(loaded.signers) !== null) return;
    const made = await undrawn(ctx, loaded);
    const report = await putBytes(ctx.storage, randomBytes(64));
    const added = { type: 'process.sealed' as const, facts: { level: 'B-B', documents: told(made) } };
    const { blobs, writes } = appendedRevisions(ctx, revisions(made, 'seal'));
    const beside = {
      report: { hash: report.sha256, size: report.size },
      blobs: [...blobs, { ...report, kind: 'report' as const }],
      writes,
    };
    await actAtOnce(ctx, read, { kind: 'finish', added, facts: {} }, beside);
  },
};

/**
 * What a process sends in its life, with the product's own jobs for everything but what draws and seals: those three record at once what
 * the workers would have made, behind the same names and by the same use cases.
 */
export const undrawnJobs: readonly Job<never>[] = [
  prepareUndrawn,
  tellSignersJob,
  signUndrawn,
  finalizeUndrawn,
  announceEndJob,
  sendMailJob,
];
