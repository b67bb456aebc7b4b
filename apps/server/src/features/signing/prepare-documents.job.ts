import type { DomainErrorCode } from '@lavra/domain';
import { PadesError } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { defineJob } from '../../jobs/queue.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { putBytes } from '../../storage/blob-store.ts';
import { assertClock } from '../clock/clock-watch.ts';
import { appendRevisions, type DocumentFile, hashDocumentFile, openDocumentFile } from '../documents/document-file.ts';
import { refusalOf } from '../documents/refusal-of.ts';
import { notePageApart } from '../documents/signature-page.ts';
import { bytesOf, withinBounds } from '../documents/stored-pdf.ts';
import { inviteNextSigners } from '../processes/life/invite-next-signers.ts';
import { type LoadedProcess, loadProcess } from '../processes/load-process.ts';
import { problemMail } from '../processes/life/process.mail.ts';
import { findProcessOwner } from '../processes/load-process.ts';
import { listProcessPlacements } from '../processes/load-process.ts';
import { listUnpreparedProcesses, prepareDocuments } from '../processes/hand-over.ts';
import { noteProblem } from '../processes/life/process-problem.ts';
import { recordEvent } from '../processes/life/record-event.ts';
import type { PreparationOrder, prepareDocument, PreparedRevision } from './prepare-document.worker.ts';
import { signaturePageInput } from './signature-page-input.ts';
import { markPrepared, setFieldName, setPlacementField } from './signing.store.ts';

const preparing = new URL('./prepare-document.worker.ts', import.meta.url);

type Placements = Awaited<ReturnType<typeof listProcessPlacements>>;

interface PreparedFile extends Omit<PreparedRevision, 'revision'> {
  file: DocumentFile;
  blob: { sha256: string; size: number };
  fileHash: string;
}

/** One revision per document: every signer's fields and the signature pages; then the first signers are invited. */
export const prepareDocumentsJob = defineJob<{ signatureProcessId: string }>({
  ...prepareDocuments,
  inTurns: true,
  async run(ctx, { signatureProcessId }) {
    const loaded = await loadProcess(ctx, signatureProcessId);
    if (loaded.row.status !== 'IN_PROGRESS' || loaded.row.prepared_at) return;
    await assertClock(ctx);
    const placements = await listProcessPlacements(ctx, signatureProcessId);
    const prepared: PreparedFile[] = [];
    for (const document of loaded.documents) {
      try {
        prepared.push(await prepareOne(ctx, loaded, document, placements));
      } catch (error) {
        // Another try would find the same: the owner is told which document it is, and cancels or waits no longer.
        if (error instanceof PadesError) return tellOwner(ctx, loaded, refusalOf(error.code), { name: document.name });
        throw error;
      }
    }
    await ctx.transaction(async (tx) => {
      if (!(await markPrepared(tx, signatureProcessId))) return;
      await appendRevisions(tx, prepared.map(preparationOf));
      for (const one of prepared) await recordPreparation(tx, signatureProcessId, one);
      await inviteNextSigners(tx, signatureProcessId);
    });
  },
  async onGivenUp(ctx, { signatureProcessId }) {
    const { row } = await loadProcess(ctx, signatureProcessId);
    if (row.status !== 'IN_PROGRESS' || row.prepared_at) return;
    // Only a document at fault needs its owner; what is merely away is waited for.
    if (row.problem !== 'storage.damaged') await noteProblem(ctx, signatureProcessId, 'process.preparationDelayed', {});
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

/** Nobody is invited: the owner sees which document is at fault and is written to, once. They cancel, and begin again with another file. */
async function tellOwner(ctx: Ctx, { row }: LoadedProcess, problem: DomainErrorCode, params: { name: string }): Promise<void> {
  await ctx.transaction(async (tx) => {
    await noteProblem(tx, row.id, problem, params);
    const owner = await findProcessOwner(tx, row.id);
    if (row.problem === problem || !owner) return;
    const mail = problemMail(tx, owner.locale, { name: owner.name, title: owner.title, problem, params });
    await queueMail(tx, owner.email, owner.locale, mail);
  });
}

async function prepareOne(
  ctx: Ctx,
  loaded: LoadedProcess,
  document: LoadedProcess['documents'][number],
  placements: Placements,
): Promise<PreparedFile> {
  const file = await openDocumentFile(ctx, document.id);
  const boxesOf = (signerId: string) =>
    placements
      .filter((placement) => placement.document_id === document.id && placement.signer_id === signerId)
      .map(({ id, page, x, y, width, height, real_signature }) => ({ id, page, x, y, width, height, isRealSignature: real_signature }));
  const order: PreparationOrder = {
    bytes: bytesOf(ctx, file),
    signers: loaded.signers.map(({ id, name }) => ({ id, name, boxes: boxesOf(id) })),
    pages: signaturePageInput(ctx, loaded, document),
  };
  const turn = { lane: 'signing' as const, caller: loaded.row.owner_id };
  const work = ctx.workers.run<typeof prepareDocument>(preparing, 'prepareDocument', order, turn);
  const { revision, ...fields } = await withinBounds(ctx, work);
  return {
    file,
    blob: await putBytes(ctx.storage, revision),
    fileHash: await hashDocumentFile(ctx, file, revision),
    ...fields,
  };
}

function preparationOf({ file, blob, fileHash }: PreparedFile) {
  const { documentId, nextSeq: seq, size: offset } = file;
  return { documentId, seq, kind: 'preparation' as const, blobHash: blob.sha256, size: blob.size, offset, fileHash };
}

async function recordPreparation(tx: Ctx, signatureProcessId: string, prepared: PreparedFile): Promise<void> {
  const { file, fileHash } = prepared;
  if (prepared.isPageApart) await notePageApart(tx, file.documentId);
  for (const field of prepared.signatureFields) await setFieldName(tx, field.signerId, file.documentId, field.name);
  for (const field of prepared.boxFields) await setPlacementField(tx, field.placementId, field.name);
  await recordEvent(tx, {
    signatureProcessId,
    type: 'document.prepared',
    data: {
      document: file.documentId,
      name: file.name,
      original: file.originalHash,
      prepared: fileHash,
      ...(file.openedFrom === null ? {} : { openedFrom: file.openedFrom }),
    },
  });
}
