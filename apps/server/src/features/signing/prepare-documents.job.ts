import { documentRefusal } from '@lavra/domain';
import { PadesError } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { defineJob } from '../../jobs/queue.ts';
import { putFresh } from '../../storage/blob-store.ts';
import { assertClock } from '../clock/clock-watch.ts';
import { appendedRevisions, type DocumentFile, hashDocumentFile, openDocumentFile } from '../documents/document-file.ts';
import { pagesApart } from '../documents/signature-page.ts';
import { bytesOf, wasAdmitted, withinBounds } from '../documents/stored-pdf.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import { listProcessPlacements, loadProcess, loadToPrepare, type ToPrepare } from '../processes/load-process.ts';
import { listUnpreparedProcesses, prepareDocuments } from '../processes/hand-over.ts';
import { noteProblem, tellProblem } from '../processes/life/process-problem.ts';
import { actAtOnce } from '../processes/life/act-on-process.ts';
import { recordedFields } from '../processes/life/record-fields.ts';
import type { PreparationOrder, prepareDocument, PreparedRevision } from './prepare-document.worker.ts';
import { signaturePageInput } from './signature-page-input.ts';

const preparing = new URL('./prepare-document.worker.ts', import.meta.url);

type Placements = Awaited<ReturnType<typeof listProcessPlacements>>;

interface PreparedFile extends Omit<PreparedRevision, 'revision'> {
  file: DocumentFile;
  blob: { sha256: string; size: number };
  fileHash: string;
}

/** One revision per document: every signer's fields and the signature pages; then the first signers are invited. */
export const prepareDocumentsJob = defineJob<{ signatureProcessId: string }, ToPrepare>({
  ...prepareDocuments,
  inTurns: true,
  async run(ctx, { signatureProcessId }, end, handed) {
    const { read, keys } = handed ?? (await loadToPrepare(ctx, signatureProcessId));
    const { signatureProcess: loaded, seen } = read;
    if (loaded.status !== 'IN_PROGRESS' || loaded.preparedAt) return;
    await assertClock(ctx, seen);
    const placements = await listProcessPlacements(ctx, loaded);
    const prepared: PreparedFile[] = [];
    for (const document of loaded.documents) {
      try {
        prepared.push(await prepareOne(ctx, loaded, document, placements));
      } catch (error) {
        // Another try would find the same. Nobody is invited: the owner is told which document it is, cancels, and begins again with another file.
        if (error instanceof PadesError) return tellProblem(ctx, loaded, documentRefusal(error.code), { name: document.name });
        throw error;
      }
    }
    const { blobs, writes } = appendedRevisions(ctx, prepared.map(revisionOf));
    const apart = prepared.flatMap(({ file, isPageApart }) => (isPageApart ? [file.documentId] : []));
    const fields = prepared.map(({ file, signatureFields, boxFields }) => {
      return { documentId: file.documentId, signatures: signatureFields, boxes: boxFields };
    });
    const act = { kind: 'prepare', documents: prepared.map(toldOf) } as const;
    await actAtOnce(ctx, read, act, {
      blobs,
      writes: [...writes, ...pagesApart(apart), ...recordedFields(fields)],
      hands: (standing) => ({ tellSigners: { loaded: standing(read).signatureProcess, keys, signed: [] } }),
      ends: end,
    });
  },
  async onGivenUp(ctx, { signatureProcessId }) {
    const { status, preparedAt, problem } = await loadProcess(ctx, signatureProcessId);
    if (status !== 'IN_PROGRESS' || preparedAt) return;
    // Only a document at fault needs its owner; what is merely away is waited for.
    if (problem !== 'storage.damaged') await noteProblem(ctx, signatureProcessId, 'process.preparationDelayed', {});
  },
});

/** Longer than the tries of one job take. */
const RESUME_AFTER_MS = 20 * 60_000;

/** Prepares again what was given up because something was away (the storage, a worker), without end. */
export const resumePreparationJob = defineJob<Record<string, never>>({
  name: 'resume-preparation',
  cron: '*/15 * * * *',
  async run(ctx) {
    for (const id of await listUnpreparedProcesses(ctx, new Date(ctx.clock.now().getTime() - RESUME_AFTER_MS))) {
      await ctx.jobs.send(prepareDocumentsJob, { signatureProcessId: id }, { key: id });
    }
  },
});

async function prepareOne(
  ctx: Ctx,
  loaded: LoadedProcess,
  document: LoadedProcess['documents'][number],
  placements: Placements,
): Promise<PreparedFile> {
  const file = await openDocumentFile(ctx, document);
  const boxesOf = (signerId: string) =>
    placements
      .filter((placement) => placement.documentId === document.id && placement.signerId === signerId)
      .map(({ id, page, x, y, width, height, realSignature }) => ({ id, page, x, y, width, height, isRealSignature: realSignature }));
  const order: PreparationOrder = {
    bytes: bytesOf(ctx, file),
    isAdmitted: wasAdmitted(file),
    signers: loaded.signers.map(({ id, name }) => ({ id, name, boxes: boxesOf(id) })),
    pages: await signaturePageInput(ctx, loaded, document),
  };
  const turn = { lane: 'signing' as const, caller: loaded.ownerId };
  const work = ctx.workers.run<typeof prepareDocument>(preparing, 'prepareDocument', order, turn);
  const { revision, ...fields } = await withinBounds(ctx, work);
  const blob = await putFresh(ctx.storage, revision);
  return { file, blob, fileHash: await hashDocumentFile(ctx, file, { bytes: revision, blobHash: blob.sha256 }), ...fields };
}

function revisionOf({ file, blob, fileHash }: PreparedFile) {
  const { documentId, nextSeq: seq, size: offset } = file;
  return { documentId, seq, kind: 'preparation' as const, blobHash: blob.sha256, size: blob.size, offset, fileHash };
}

/** What the log tells of it. */
function toldOf({ file, fileHash }: PreparedFile) {
  const { documentId, name, originalHash, openedFrom } = file;
  return { document: documentId, name, original: originalHash, prepared: fileHash, ...(openedFrom === null ? {} : { openedFrom }) };
}
