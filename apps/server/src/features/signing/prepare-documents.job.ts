import {
  inspectPdf,
  openPdf,
  memorySource,
  PadesError,
  type PreparationPlan,
  preparePdf,
  type SignatureFieldPlan,
  type TextFieldPlan,
} from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { defineJob } from '../../jobs/queue.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { putBytes } from '../../storage/blob-store.ts';
import { appendRevision, type DocumentFile, hashDocumentFile, openDocumentFile } from '../documents/document-file.ts';
import { inviteNextSigners } from '../processes/invite-next-signers.ts';
import { type LoadedProcess, loadProcess } from '../processes/load-process.ts';
import { problemMail } from '../processes/process.mail.ts';
import { findProcessOwner, listProcessPlacements, listUnpreparedProcesses, noteProblem } from '../processes/process-lookups.ts';
import { recordEvent } from '../processes/record-event.ts';
import { fieldNames } from './document-fields.ts';
import type { drawSignaturePages } from './signature-page.worker.ts';
import { markPrepared, setFieldName, setPlacementField } from './signing.store.ts';

const drawing = new URL('./signature-page.worker.ts', import.meta.url);

type Placements = Awaited<ReturnType<typeof listProcessPlacements>>;

interface PreparedDocument {
  file: DocumentFile;
  blob: { sha256: string; size: number };
  fileHash: string;
  signatureFields: { signerId: string; name: string }[];
  boxFields: { placementId: string; name: string }[];
}

/** One revision per document: every signer's fields and the signature pages; then the first signers are invited. */
export const prepareDocumentsJob = defineJob<{ signatureProcessId: string }>({
  name: 'prepare-documents',
  exclusive: true,
  async run(ctx, { signatureProcessId }) {
    const loaded = await loadProcess(ctx, signatureProcessId);
    if (loaded.row.status !== 'IN_PROGRESS' || loaded.row.prepared_at) return;
    const placements = await listProcessPlacements(ctx, signatureProcessId);
    const prepared: PreparedDocument[] = [];
    for (const document of loaded.documents) {
      // Noted at the document, while it is known which one it is.
      prepared.push(
        await prepareDocument(ctx, loaded, document, placements).catch((error) => noteFault(ctx, loaded, document.name, error)),
      );
    }
    await ctx.transaction(async (tx) => {
      if (!(await markPrepared(tx, signatureProcessId))) return;
      for (const one of prepared) await recordPreparation(tx, signatureProcessId, one);
      await inviteNextSigners(tx, signatureProcessId);
    });
  },
  async onGivenUp(ctx, { signatureProcessId }) {
    const { row } = await loadProcess(ctx, signatureProcessId);
    if (row.status !== 'IN_PROGRESS' || row.prepared_at) return;
    // Only a document at fault needs its owner; what is merely away is waited for.
    if (row.problem === 'storage.damaged') return;
    if (row.problem !== 'document.damaged') return noteProblem(ctx, signatureProcessId, 'process.preparationDelayed', {});
    const params = row.problem_params ?? {};
    const owner = await findProcessOwner(ctx, signatureProcessId);
    if (!owner) return;
    const mail = problemMail(ctx, owner.locale, { name: owner.name, title: owner.title, problem: row.problem, params });
    await queueMail(ctx, owner.email, owner.locale, mail);
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

/** The owner is shown which document is at fault; then the fault goes on. */
async function noteFault(ctx: Ctx, loaded: LoadedProcess, document: string, error: unknown): Promise<never> {
  if (error instanceof PadesError) await noteProblem(ctx, loaded.row.id, 'document.damaged', { name: document });
  throw error;
}

async function prepareDocument(
  ctx: Ctx,
  loaded: LoadedProcess,
  document: LoadedProcess['documents'][number],
  placements: Placements,
): Promise<PreparedDocument> {
  const file = await openDocumentFile(ctx, document.id);
  const pdf = await openPdf(file.source);
  const { permits } = await inspectPdf(pdf, { maxPages: 1 });
  const names = fieldNames(document.id);
  const boxesOf = (signerId: string) =>
    placements.filter((placement) => placement.document_id === document.id && placement.signer_id === signerId);
  const signatureFields: (SignatureFieldPlan & { signerId: string })[] = loaded.signers.map((signer, index) => {
    const real = permits.visibleSignatureFields ? boxesOf(signer.id).find((box) => box.real_signature) : undefined;
    return {
      signerId: signer.id,
      name: names.signature(index),
      tooltip: signer.name,
      ...(real ? { at: { page: real.page, rect: real } } : {}),
    };
  });
  // A file that already carries signatures allows no new pages and no new text fields: only signatures.
  const boxes = permits.textFields
    ? loaded.signers.flatMap((signer, index) =>
        boxesOf(signer.id)
          .filter((box) => !box.real_signature)
          .map((box, number) => ({
            placementId: box.id,
            name: names.box(index, number),
            at: { page: box.page, rect: box },
            tooltip: signer.name,
          })),
      )
    : [];
  const pages = permits.pages ? await signaturePages(ctx, loaded, document) : null;
  const evidence: TextFieldPlan[] = (pages?.blocks ?? []).map((at, index) => ({
    name: names.evidence(index),
    at,
    tooltip: loaded.signers[index]?.name ?? '',
  }));
  const plan: PreparationPlan = {
    signatureFields: [
      ...signatureFields.map(({ signerId: _signer, ...field }) => field),
      // No foreign signature is added to documents that are signed with the signers' own certificates.
      ...(loaded.row.modality === 'electronic' ? [{ name: names.seal }] : []),
    ],
    textFields: [...boxes.map(({ placementId: _placement, ...field }) => field), ...evidence],
    ...(pages ? { appendPages: await openPdf(memorySource(pages.pdf)) } : {}),
  };
  const revision = await preparePdf(pdf, plan);
  return {
    file,
    blob: await putBytes(ctx.storage, revision.bytes),
    fileHash: await hashDocumentFile(ctx, file, revision.bytes),
    signatureFields: signatureFields.map(({ signerId, name }) => ({ signerId, name })),
    boxFields: boxes.map(({ placementId, name }) => ({ placementId, name })),
  };
}

function signaturePages(ctx: Ctx, loaded: LoadedProcess, document: LoadedProcess['documents'][number]) {
  return ctx.workers.run<typeof drawSignaturePages>(drawing, 'drawSignaturePages', {
    processTitle: loaded.row.title,
    documentName: document.name,
    documentId: document.id,
    sha256: document.hash,
    pageCount: document.page_count,
    verificationUrl: `${ctx.publicUrl}/validateLogin?docId=${document.id}`,
    signers: loaded.signers.map(({ name, email }) => ({ name, email })),
    modality: loaded.row.modality,
    locale: loaded.row.lang_key,
    localesDir: ctx.config.localesDir,
  });
}

async function recordPreparation(tx: Ctx, signatureProcessId: string, prepared: PreparedDocument): Promise<void> {
  const { file, blob, fileHash } = prepared;
  await appendRevision(tx, {
    documentId: file.documentId,
    seq: file.nextSeq,
    kind: 'preparation',
    blobHash: blob.sha256,
    size: blob.size,
    offset: file.size,
    fileHash,
  });
  for (const field of prepared.signatureFields) await setFieldName(tx, field.signerId, file.documentId, field.name);
  for (const field of prepared.boxFields) await setPlacementField(tx, field.placementId, field.name);
  await recordEvent(tx, {
    signatureProcessId,
    type: 'document.prepared',
    data: { document: file.documentId, name: file.name, original: file.originalHash, prepared: fileHash },
  });
}
