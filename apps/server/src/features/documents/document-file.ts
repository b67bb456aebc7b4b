import { createHash, type Hash } from 'node:crypto';
import { DomainError } from '@lavra/domain';
import type { PdfSource } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import type { Write } from '../../db/at-once.ts';
import type { BlobEntry } from '../../storage/blobs.store.ts';
import { BlobFault } from '../../storage/blob-store.ts';
import { LeastRecent } from '../../storage/least-recent.ts';
import type { StreamedFile } from '../../storage/streamed-file.ts';
import type { ProcessDocument } from './process-documents.ts';
import { partsSource, slicesOf } from './parts-source.ts';
import { findDocument, type NewRevision, revisionWrites, type StoredRevision } from './documents.store.ts';

export type FilePart = StoredRevision;

/** By its id, or as it was read with its process and what its file is made of. */
type Asked = string | Pick<ProcessDocument, 'id' | 'name' | 'hash' | 'openedFrom' | 'revisions' | 'filesRemovedAt'>;

/** A document as it stands: the concatenation of its revisions' blobs. */
export interface DocumentFile {
  documentId: string;
  name: string;
  size: number;
  /** The `seq` of the revision that may be appended next. */
  nextSeq: number;
  /** SHA-256 of the uploaded bytes, hex. */
  originalHash: string;
  /** SHA-256 of the file with a password that it was opened from, or null. */
  openedFrom: string | null;
  parts: FilePart[];
  source: PdfSource;
}

/**
 * Opens a document for reading at its newest state, or as uploaded. Every stored byte of it has been compared with the
 * recorded hashes by then, and is again where it is read.
 * @throws DomainError document.notFound, document.removed, BlobFault
 */
export async function openDocumentFile(ctx: Ctx, asked: Asked, state: 'current' | 'original' = 'current'): Promise<DocumentFile> {
  const file = await describeDocumentFile(ctx, asked, state);
  await assertWhole(ctx, file);
  return file;
}

/** What the database knows of the file: for those who read nothing of it. @throws DomainError document.notFound, document.removed */
export async function describeDocumentFile(ctx: Ctx, asked: Asked, state: 'current' | 'original' = 'current'): Promise<DocumentFile> {
  const isRead = typeof asked !== 'string' && asked.revisions !== undefined;
  const document = isRead ? asked : await findDocument(ctx, typeof asked === 'string' ? asked : asked.id);
  if (!document) throw new DomainError('document.notFound');
  if (document.filesRemovedAt) throw new DomainError('document.removed');
  const rows = document.revisions ?? [];
  const parts = state === 'original' ? rows.slice(0, 1) : rows;
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  return {
    // As it stands here: PostgreSQL takes a UUID in several spellings.
    documentId: document.id,
    name: document.name,
    size,
    nextSeq: (rows.at(-1)?.seq ?? -1) + 1,
    originalHash: document.hash,
    openedFrom: document.openedFrom,
    parts,
    source: partsSource(ctx.storage, parts),
  };
}

/** The parts are there as they were stored, and are the parts that were recorded: in order, without a gap, the upload first. */
async function assertWhole(ctx: Ctx, { parts, originalHash }: DocumentFile): Promise<void> {
  let end = 0;
  for (const { blobHash, size, offset } of parts) {
    if ((await ctx.storage.check(blobHash)) !== size || offset !== end) throw new BlobFault(blobHash, 'damaged');
    end += size;
  }
  if (parts[0]?.blobHash !== originalHash) throw new BlobFault(originalHash, 'missing');
}

/** The file as it will be when these parts, whose bytes are stored, are recorded after its own. */
export function withParts(
  ctx: Ctx,
  file: DocumentFile,
  appended: readonly Pick<FilePart, 'kind' | 'signerId' | 'blobHash' | 'size' | 'fileHash'>[],
): DocumentFile {
  const parts = [...file.parts];
  let { size, nextSeq } = file;
  for (const part of appended) {
    parts.push({ ...part, seq: nextSeq, offset: size });
    nextSeq += 1;
    size += part.size;
  }
  return { ...file, parts, size, nextSeq, source: partsSource(ctx.storage, parts) };
}

/** Streams `[offset, offset + length)` of the file without holding it. */
async function* streamDocumentFile(ctx: Ctx, file: DocumentFile, offset: number, length: number): AsyncGenerator<Uint8Array> {
  for (const slice of slicesOf(file.parts, offset, length)) {
    yield* ctx.storage.read(slice.blobHash, { offset: slice.offset, length: slice.length });
  }
}

/** The file to hand out, under this name. */
export function streamedDocument(ctx: Ctx, file: DocumentFile, name: string): StreamedFile {
  return {
    name,
    contentType: 'application/pdf',
    size: file.size,
    // The parts never change and are only appended to: their last hash and the size name the state.
    etag: `${file.parts.at(-1)?.blobHash.slice(0, 32)}-${file.size}`,
    stream: (offset, length) => streamDocumentFile(ctx, file, offset, length),
  };
}

/** SHA-256 as far as it went, by the blobs that it went over: the file of the next revision begins with them. Letters of their names. */
const HASHES_KEPT = 500_000;
const hashed = new LeastRecent<Hash>(HASHES_KEPT);

function keepHash(blobs: readonly string[], hash: Hash): void {
  const names = blobs.join();
  hashed.set(names, hash.copy(), names.length);
}

/**
 * SHA-256 of the whole file followed by `tail`, hex; what was recorded of its state is compared. The file is streamed, and what was recorded of each state
 * before compared on the way, unless these blobs were hashed here already: a blob's name is the hash of its bytes, and whoever signs reads them
 * through a store that checks them. `tail.blobHash`: the blob that it is.
 * @throws BlobFault
 */
export async function hashDocumentFile(ctx: Ctx, file: DocumentFile, tail?: { bytes: Uint8Array; blobHash?: string }): Promise<string> {
  const blobs = file.parts.map(({ blobHash }) => blobHash);
  const hash = hashed.get(blobs.join())?.copy() ?? (await streamedHash(ctx, file));
  const last = file.parts.at(-1);
  if (last && isOther(hash, last)) throw new BlobFault(last.blobHash, 'damaged');
  if (tail) hash.update(tail.bytes);
  if (tail?.blobHash !== undefined) keepHash([...blobs, tail.blobHash], hash);
  return hash.digest('hex');
}

async function streamedHash(ctx: Ctx, { parts }: DocumentFile): Promise<Hash> {
  const hash = createHash('sha256');
  for (const part of parts) {
    for await (const chunk of ctx.storage.read(part.blobHash)) hash.update(chunk);
    if (isOther(hash, part)) throw new BlobFault(part.blobHash, 'damaged');
  }
  return hash;
}

const isOther = (hash: Hash, { fileHash }: FilePart) => fileHash !== null && hash.copy().digest('hex') !== fileHash;

/**
 * Records revisions whose blobs are stored already, all or none, in the statement of the act they belong to, which is refused with
 * request.conflict when somebody else appended first.
 */
export function appendedRevisions(ctx: Ctx, revisions: readonly Omit<NewRevision, 'createdAt'>[]): { blobs: BlobEntry[]; writes: Write[] } {
  const createdAt = ctx.clock.now();
  return revisionWrites(revisions.map((revision) => ({ ...revision, createdAt })));
}
