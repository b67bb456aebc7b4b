import { currentOrder } from '@lavra/domain';
import type { PadesLevel, Revision } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { defineJob } from '../../jobs/queue.ts';
import { BlobFault, putBytes } from '../../storage/blob-store.ts';
import { sealSigner } from '../authority/platform-signer.ts';
import { archiveSource, digitalArchiveSource } from '../authority/revocation-sources.ts';
import { appendRevision, type DocumentFile, hashDocumentFile, openDocumentFile } from '../documents/document-file.ts';
import { extendStoredPdf, signStoredPdf, type StoredPdf } from '../documents/stored-pdf.ts';
import { fieldNames } from '../signing/document-fields.ts';
import { announceEnd } from './announce-end.ts';
import { collectEvidenceReport } from './evidence-report/collect-evidence-report.ts';
import type { drawEvidenceReport } from './evidence-report/evidence-report.worker.ts';
import { loadProcess } from './load-process.ts';
import { finishProcess } from './process-lookups.ts';
import { listUnsealedProcessIds, markSealed, setProblem } from './processes.store.ts';
import { recordEvent } from './record-event.ts';

const drawing = new URL('./evidence-report/evidence-report.worker.ts', import.meta.url);

export type SealLevel = 'B-B' | 'B-T' | Extract<PadesLevel, 'B-LTA'>;

interface SealedDocument {
  file: DocumentFile;
  /** Null: signed with the signers' own certificates, nothing foreign is added. */
  seal: { sha256: string; size: number } | null;
  extension: { sha256: string; size: number } | null;
  fileHash: string;
}

/**
 * The last act: the platform seals every document, extends it to the level that the configured timestamp
 * authority allows, and writes the sealed evidence report. Documents signed with ICP-Brasil certificates get no seal, and
 * are extended only by an ICP-Brasil timestamp authority. Recorded in one transaction; a timestamp authority
 * that does not answer, or whose revocation data cannot be had, makes the job try again and shows its reason to the owner:
 * never a local clock, never a lesser level in silence (docs/decisions/008). It is never given up: after a job's last try
 * `resumeFinalizationJob` sends another.
 */
export const finalizeProcessJob = defineJob<{ signatureProcessId: string }>({
  name: 'finalize-process',
  retryLimit: 5,
  exclusive: true,
  expireInSeconds: 3600,
  async run(ctx, { signatureProcessId }) {
    const loaded = await loadProcess(ctx, signatureProcessId);
    if (loaded.row.status !== 'IN_PROGRESS' || currentOrder(loaded.state.signers) !== null) return;
    try {
      const level = loaded.row.modality === 'digital' ? digitalLevelFor(ctx) : levelFor(ctx);
      const sealed: SealedDocument[] = [];
      const signerIds = loaded.signers.map(({ id }) => id);
      for (const document of loaded.documents) {
        if (loaded.row.modality === 'electronic') sealed.push(await sealDocument(ctx, document.id, signerIds, level));
        else if (level === 'B-LTA') sealed.push(await extendDigital(ctx, document.id));
      }
      await recordSealed(ctx, signatureProcessId, level, sealed);
    } catch (error) {
      // A damaged file is told to the owner as what it is, by who found it.
      if (!(error instanceof BlobFault)) await setProblem(ctx, signatureProcessId, 'process.finalizationDelayed');
      throw error;
    }
  },
});

/** Long enough for the tries of the job that the last signature sent. */
const RESUME_AFTER_MS = 10 * 60_000;

/**
 * Sends the finalisation again where everyone has signed and the seal is missing: after an outage of the outside
 * world however long, and after a job that was lost. A job that still waits or runs is left alone.
 */
export const resumeFinalizationJob = defineJob<Record<string, never>>({
  name: 'resume-finalization',
  cron: '*/15 * * * *',
  async run(ctx) {
    const unsealed = await listUnsealedProcessIds(ctx, new Date(ctx.clock.now().getTime() - RESUME_AFTER_MS));
    for (const signatureProcessId of unsealed) await sendFinalization(ctx, signatureProcessId);
  },
});

/** Queues the finalisation, once at a time for each process. */
export function sendFinalization(ctx: Ctx, signatureProcessId: string): Promise<void> {
  return ctx.jobs.send(finalizeProcessJob, { signatureProcessId }, { key: signatureProcessId });
}

/** B-LTA needs a timestamp authority whose anchors are known, or nobody can tell what to store; less is said plainly in the evidence. */
function levelFor(ctx: Ctx): SealLevel {
  if (!ctx.timestamps) return 'B-B';
  return ctx.timestamps.anchors.length > 0 ? 'B-LTA' : 'B-T';
}

/** Long-term evidence of another infrastructure would be foreign in a document of ICP-Brasil. */
function digitalLevelFor({ timestamps, icpBrasil }: Ctx): SealLevel {
  const isIcpBrasil = timestamps?.anchors.some((own) => icpBrasil.anchors.some(({ certificate }) => Buffer.from(own).equals(certificate)));
  return isIcpBrasil ? 'B-LTA' : 'B-B';
}

async function extendDigital(ctx: Ctx, documentId: string): Promise<SealedDocument> {
  const { timestamps } = ctx;
  if (!timestamps) throw new Error('no timestamp authority');
  const file = await openDocumentFile(ctx, documentId);
  const revocations = digitalArchiveSource(ctx);
  const extension = await extendStoredPdf(ctx, file, 'B-LTA', { timestamps, revocations, at: ctx.clock.now() });
  return {
    file,
    seal: null,
    extension: await putBytes(ctx.storage, extension.bytes),
    fileHash: await hashDocumentFile(ctx, file, extension.bytes),
  };
}

async function sealDocument(ctx: Ctx, documentId: string, signerIds: readonly string[], level: SealLevel): Promise<SealedDocument> {
  const file = await openDocumentFile(ctx, documentId);
  if (level === 'B-LTA') await fetchBeforeSealing(ctx, file, signerIds);
  const seal = await sealPdf(ctx, file, fieldNames(documentId).seal);
  const extension = level === 'B-LTA' ? await archive(ctx, { parts: file.parts, tail: seal.bytes }, signerIds) : null;
  const tail = extension ? Buffer.concat([seal.bytes, extension.bytes]) : seal.bytes;
  return {
    file,
    seal: await putBytes(ctx.storage, seal.bytes),
    extension: extension ? await putBytes(ctx.storage, extension.bytes) : null,
    fileHash: await hashDocumentFile(ctx, file, tail),
  };
}

/** The platform's signature, with a timestamp when an authority is configured. `field`: an empty one, or a new invisible one's name. */
async function sealPdf(ctx: Ctx, pdf: StoredPdf, field: string | { name: string }): Promise<Revision> {
  return signStoredPdf(ctx, pdf, await sealSigner(ctx), { field, name: 'Lavra', signingTime: ctx.clock.now() }, ctx.timestamps);
}

/**
 * Revocation data comes from outside: had (and kept for the archive) before the seal asks for a timestamp. An outage then
 * costs none, however often the job is tried: tokens are paid for by the piece.
 */
async function fetchBeforeSealing(ctx: Ctx, pdf: StoredPdf, signerIds: readonly string[]): Promise<void> {
  if (ctx.timestamps?.material) return;
  await extendStoredPdf(ctx, pdf, 'B-LT', { revocations: await archiveSource(ctx, signerIds) });
}

async function archive(ctx: Ctx, pdf: StoredPdf, signerIds: readonly string[]): Promise<Revision> {
  const { timestamps } = ctx;
  if (!timestamps) throw new Error('no timestamp authority');
  const revocations = await archiveSource(ctx, signerIds);
  return extendStoredPdf(ctx, pdf, 'B-LTA', { timestamps, revocations, at: ctx.clock.now() });
}

async function recordSealed(ctx: Ctx, signatureProcessId: string, level: SealLevel, sealed: readonly SealedDocument[]): Promise<void> {
  await ctx.transaction(async (tx) => {
    for (const { file, seal, extension, fileHash } of sealed) {
      const { documentId } = file;
      let next = { seq: file.nextSeq, offset: file.size };
      if (seal) {
        const common = { documentId, kind: 'seal' as const, blobHash: seal.sha256, size: seal.size };
        await appendRevision(tx, { ...common, ...next, fileHash: extension ? null : fileHash });
        next = { seq: next.seq + 1, offset: next.offset + seal.size };
      }
      if (extension) {
        const common = { documentId, kind: 'extension' as const, blobHash: extension.sha256, size: extension.size };
        await appendRevision(tx, { ...common, ...next, fileHash });
      }
    }
    if (sealed.length > 0)
      await recordEvent(tx, {
        signatureProcessId,
        type: sealed.some(({ seal }) => seal) ? 'process.sealed' : 'process.extended',
        data: { level, documents: sealed.map(({ file, fileHash }) => ({ id: file.documentId, name: file.name, sha256: fileHash })) },
      });
    if (!(await finishProcess(tx, signatureProcessId, 'FINALIZED_WITH_SUCCESS')))
      throw new Error('process ended while it was being sealed');
    await recordEvent(tx, { signatureProcessId, type: 'process.finalized' });
    const report = await sealedReport(tx, signatureProcessId);
    await markSealed(tx, signatureProcessId, { hash: report.sha256, size: report.size });
    await announceEnd(tx, signatureProcessId);
  });
}

/** The evidence report as the transaction sees the process, sealed like the documents. */
async function sealedReport(tx: Ctx, signatureProcessId: string): Promise<{ sha256: string; size: number }> {
  const facts = await collectEvidenceReport(tx, signatureProcessId);
  const drawn = await tx.workers.run<typeof drawEvidenceReport>(drawing, 'drawEvidenceReport', facts);
  const seal = await sealPdf(tx, { parts: [], tail: drawn }, { name: 'lavra_selo' });
  return putBytes(tx.storage, Buffer.concat([drawn, seal.bytes]));
}
