import { DomainError } from '@lavra/domain';
import { PadesError, type PadesLevel, type RevocationSource } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { severalAtOnce } from '../../jobs/several-at-once.ts';
import { putFresh } from '../../storage/blob-store.ts';
import { sealSigner } from '../authority/platform-signer.ts';
import { archiveSource } from '../authority/revocation-sources.ts';
import { type DocumentFile, type FilePart, hashDocumentFile, openDocumentFile, withParts } from '../documents/document-file.ts';
import { extendStoredPdf, type Sealing, sealStoredPdf, type StoredPdf } from '../documents/stored-pdf.ts';
import { fieldNames } from '../../paper/field-names.ts';
import { type DigitalArchive, digitalArchive } from './digital-archive.ts';
import type { ProcessDocument } from '../documents/process-documents.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import type { ToSeal } from './sealing.store.ts';

type Issued = Pick<ToSeal, 'certificates' | 'revoked'>;

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
 * outside any transaction. `issued`: what was read with it of the installation's own certificates.
 */
export async function sealDocuments(
  ctx: Ctx,
  loaded: LoadedProcess,
  issued: Issued,
): Promise<{ level: SealLevel; documents: FinishedDocument[] }> {
  const { ownerId: owner, modality } = loaded;
  const archive = modality === 'digital' ? await digitalArchive(ctx, loaded) : null;
  const level = modality === 'electronic' ? levelFor(ctx) : archive ? 'B-LTA' : 'B-B';
  const documents = await severalAtOnce(loaded.documents, (document) => {
    const finishing =
      modality === 'electronic'
        ? sealDocument(ctx, document, issued, level, owner)
        : archive
          ? extendDigital(ctx, document, archive, owner)
          : unchanged(ctx, document);
    return finishing.catch((error: unknown) => tellWhich(document.name, error));
  });
  return { level, documents };
}

function tellWhich(name: string, error: unknown): never {
  if (error instanceof PadesError && error.code === 'TOO_COMPLEX') throw new DomainError('document.tooComplex', { params: { name } });
  throw error;
}

/** B-LTA needs a timestamp authority whose anchors are known, or nobody can tell what to store; less is said plainly in the evidence. */
function levelFor(ctx: Ctx): SealLevel {
  if (!ctx.timestamps) return 'B-B';
  return ctx.timestamps.anchors.length > 0 ? 'B-LTA' : 'B-T';
}

async function unchanged(ctx: Ctx, document: ProcessDocument): Promise<FinishedDocument> {
  const file = await openDocumentFile(ctx, document);
  return { before: file, after: file };
}

/** Revocation data is had before the timestamp is asked for: an outage costs none. */
async function extendDigital(ctx: Ctx, document: ProcessDocument, archive: DigitalArchive, owner: string): Promise<FinishedDocument> {
  const file = await openDocumentFile(ctx, document);
  const extension = await extendStoredPdf(ctx, file, 'B-LTA', { ...archive, at: ctx.clock.now() }, owner);
  return finished(ctx, file, [{ kind: 'extension', bytes: extension.bytes }]);
}

async function sealDocument(
  ctx: Ctx,
  document: ProcessDocument,
  { certificates, revoked }: Issued,
  level: SealLevel,
  owner: string,
): Promise<FinishedDocument> {
  const file = await openDocumentFile(ctx, document);
  // Who signed is known by now; the lists themselves are made when they are asked for.
  const revocations = level === 'B-LTA' ? await archiveSource(ctx, certificates, revoked) : null;
  const asksFirst = !ctx.timestamps?.material;
  const sealing = await sealingWith(ctx, fieldNames(document.id).seal, revocations && { revocations, asksFirst });
  const { seal, extension } = await sealStoredPdf(ctx, file, sealing, owner);
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
  const fileHash = await hashDocumentFile(ctx, file, { bytes: Buffer.concat(revisions.map(({ bytes }) => bytes)) });
  const parts: Parameters<typeof withParts>[2][number][] = [];
  for (const [index, { kind, bytes }] of revisions.entries()) {
    const { sha256, size } = await putFresh(ctx.storage, bytes);
    parts.push({ kind, signerId: null, blobHash: sha256, size, fileHash: index === revisions.length - 1 ? fileHash : null });
  }
  return { before: file, after: withParts(ctx, file, parts) };
}

/**
 * The platform's signature, with a timestamp when an authority is configured. `field`: an empty one, or a new invisible one's name;
 * `archive`: B-LTA follows. What it needs comes from outside where the authority has it not at hand.
 */
export async function sealingWith(
  ctx: Ctx,
  field: string | { name: string },
  archive: { revocations: RevocationSource; asksFirst: boolean } | null,
): Promise<Sealing> {
  const at = ctx.clock.now();
  return {
    signer: await sealSigner(ctx),
    request: { field, name: 'Lavra', signingTime: at },
    timestamps: ctx.timestamps,
    archive: archive && { ...archive, at },
  };
}

/** Of what the platform draws itself. */
export const OWN_SEAL = 'lavra_selo';

/** A file that the platform made itself, sealed and extended to the level that electronic documents get. */
export async function sealOwnPdf(ctx: Ctx, drawn: Uint8Array, owner: string): Promise<Uint8Array> {
  return sealBehind(ctx, [], drawn, owner);
}

/** The same of a file that begins with what is stored: answers all that follows it. */
export async function sealBehind(ctx: Ctx, parts: StoredPdf['parts'], drawn: Uint8Array, owner: string): Promise<Uint8Array> {
  const revocations = levelFor(ctx) === 'B-LTA' ? await archiveSource(ctx, []) : null;
  const sealing = await sealingWith(ctx, { name: OWN_SEAL }, revocations && { revocations, asksFirst: false });
  const { seal, extension } = await sealStoredPdf(ctx, { parts, tail: drawn }, sealing, owner);
  return Buffer.concat([drawn, seal.bytes, ...(extension ? [extension.bytes] : [])]);
}
