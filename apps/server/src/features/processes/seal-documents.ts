import type { PadesLevel, Revision } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { putBytes } from '../../storage/blob-store.ts';
import { sealSigner } from '../authority/platform-signer.ts';
import { archiveSource, digitalArchiveSource } from '../authority/revocation-sources.ts';
import { type DocumentFile, type FilePart, hashDocumentFile, openDocumentFile, withParts } from '../documents/document-file.ts';
import { extendStoredPdf, signStoredPdf, type StoredPdf } from '../documents/stored-pdf.ts';
import { fieldNames } from '../signing/document-fields.ts';
import type { LoadedProcess } from './load-process.ts';

export type SealLevel = 'B-B' | 'B-T' | Extract<PadesLevel, 'B-LTA'>;

/** A document with the platform's revisions, whose bytes are stored and nowhere recorded yet. */
export interface FinishedDocument {
  before: DocumentFile;
  /** The same where nothing was added: signed with the signers' own certificates, and no ICP-Brasil timestamps at hand. */
  after: DocumentFile;
}

/**
 * Every document with the platform's seal, extended to the level that the configured timestamp authority allows. Documents
 * signed with ICP-Brasil certificates get no seal, and are extended only by an ICP-Brasil timestamp authority. All of it
 * outside any transaction.
 */
export async function sealDocuments(ctx: Ctx, loaded: LoadedProcess): Promise<{ level: SealLevel; documents: FinishedDocument[] }> {
  const level = loaded.row.modality === 'digital' ? digitalLevelFor(ctx) : levelFor(ctx);
  const signerIds = loaded.signers.map(({ id }) => id);
  const documents: FinishedDocument[] = [];
  for (const { id } of loaded.documents) {
    if (loaded.row.modality === 'electronic') documents.push(await sealDocument(ctx, id, signerIds, level));
    else if (level === 'B-LTA') documents.push(await extendDigital(ctx, id));
    else documents.push(await unchanged(ctx, id));
  }
  return { level, documents };
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

async function unchanged(ctx: Ctx, documentId: string): Promise<FinishedDocument> {
  const file = await openDocumentFile(ctx, documentId);
  return { before: file, after: file };
}

async function extendDigital(ctx: Ctx, documentId: string): Promise<FinishedDocument> {
  const { timestamps } = ctx;
  if (!timestamps) throw new Error('no timestamp authority');
  const file = await openDocumentFile(ctx, documentId);
  const revocations = digitalArchiveSource(ctx);
  const extension = await extendStoredPdf(ctx, file, 'B-LTA', { timestamps, revocations, at: ctx.clock.now() });
  return finished(ctx, file, [{ kind: 'extension', bytes: extension.bytes }]);
}

async function sealDocument(ctx: Ctx, documentId: string, signerIds: readonly string[], level: SealLevel): Promise<FinishedDocument> {
  const file = await openDocumentFile(ctx, documentId);
  if (level === 'B-LTA') await fetchBeforeSealing(ctx, file, signerIds);
  const seal = await sealPdf(ctx, file, fieldNames(documentId).seal);
  const extension = level === 'B-LTA' ? await archive(ctx, { parts: file.parts, tail: seal.bytes }, signerIds) : null;
  return finished(ctx, file, [
    { kind: 'seal', bytes: seal.bytes },
    ...(extension ? [{ kind: 'extension' as const, bytes: extension.bytes }] : []),
  ]);
}

async function finished(
  ctx: Ctx,
  file: DocumentFile,
  revisions: readonly { kind: FilePart['kind']; bytes: Uint8Array }[],
): Promise<FinishedDocument> {
  const fileHash = await hashDocumentFile(ctx, file, Buffer.concat(revisions.map(({ bytes }) => bytes)));
  const parts: Parameters<typeof withParts>[2][number][] = [];
  for (const [index, { kind, bytes }] of revisions.entries()) {
    const { sha256, size } = await putBytes(ctx.storage, bytes);
    parts.push({ kind, signerId: null, blobHash: sha256, size, fileHash: index === revisions.length - 1 ? fileHash : null });
  }
  return { before: file, after: withParts(ctx, file, parts) };
}

/** The platform's signature, with a timestamp when an authority is configured. `field`: an empty one, or a new invisible one's name. */
export async function sealPdf(ctx: Ctx, pdf: StoredPdf, field: string | { name: string }): Promise<Revision> {
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
