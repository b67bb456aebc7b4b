import type { UploadedDocument } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { BlobTooLargeError } from '../../storage/blob-store.ts';
import { assertPlanTakes } from '../plans/count-usage.ts';
import { keepDocument, type StoredUpload } from './keep-document.ts';
import { becomeFile, joined, partsBefore } from './upload-parts.ts';
import { assertMayUpload, maxFileBytes, type UploadRoom, uploadRoom } from './upload-room.ts';

/** A file as it comes in; read before the next one comes. */
export interface IncomingFile {
  fileName: string;
  /** SHA-256 of the file with a password that this one was opened from; null: none. */
  openedFrom: string | null;
  /** Pieces that were sent before and come before these bytes; null: none. */
  continues: { uploadId: string; from: number } | null;
  bytes: AsyncIterable<Uint8Array>;
  /** After the last byte: it was longer than a request may bring, and ended early. */
  isCut(): boolean;
}

export interface Upload {
  /** Of the whole request, as its sender says. */
  announcedBytes: number;
  files: AsyncIterable<IncomingFile>;
  /** Nobody waits for the answer any more. */
  gone: AbortSignal;
}

/**
 * Stores, inspects and keeps the files of one request, each as a document of the actor's that is not yet part of a process.
 * @throws DomainError process.contractSuspended, process.documentsRequired, document.*, contract.documentsUsedUp, contract.storageUsedUp,
 *   request.invalid: pieces that are others than its sender thinks, or another file's
 */
export async function uploadDocuments(ctx: Ctx, actor: Person, { announcedBytes, files, gone }: Upload): Promise<UploadedDocument[]> {
  // Before a byte is read.
  await assertMayUpload(ctx, actor, announcedBytes);
  const room = uploadRoom(ctx, actor);
  try {
    const stored: StoredUpload[] = [];
    for await (const file of files) {
      // An upload becomes one document.
      if (file.continues && stored.some(({ beginning }) => beginning?.uploadId === file.continues?.uploadId))
        throw new DomainError('request.invalid', { field: 'continues' });
      stored.push(await storeFile(ctx, actor, file, room, gone));
    }
    if (stored.length === 0) throw new DomainError('process.documentsRequired', { field: 'files' });
    // All of them or none: the ones that were kept would take of the plan until they are swept. One alone is asked about where it is kept.
    if (stored.length > 1) {
      const bytes = stored.reduce((sum, { size }) => sum + size, 0);
      await assertPlanTakes(ctx, actor.userId, { documents: stored.length, bytes });
    }
    const uploaded: UploadedDocument[] = [];
    for (const [position, upload] of stored.entries()) {
      const { document, isNew } = await keepDocument(ctx, actor, upload, position);
      uploaded.push(document);
      if (isNew) room.keep(upload.size - (upload.beginning?.bytes ?? 0));
    }
    return uploaded;
  } finally {
    await room.giveBackTheRest();
  }
}

/**
 * Streams a file into the storage, when there is room for it; memory holds a chunk at a time. Bytes that nobody comes to refer
 * to are removed a day later.
 */
async function storeFile(
  ctx: Ctx,
  actor: Person,
  { fileName, openedFrom, continues, bytes, isCut }: IncomingFile,
  room: UploadRoom,
  signal: AbortSignal,
): Promise<StoredUpload> {
  const maxBytes = maxFileBytes(ctx, actor);
  const parts = continues ? await partsBefore(ctx, actor, continues.uploadId, continues.from) : [];
  const beginning = continues && parts.length > 0 ? { uploadId: continues.uploadId, bytes: continues.from } : null;
  try {
    const blob = await ctx.storage.put(parts.length > 0 ? joined(ctx, parts, bytes) : bytes, {
      maxBytes,
      signal,
      // Behind pieces, they are noted when it is sure that these become this file.
      isNoted: beginning === null,
      admit: async ({ size, sha256 }) => {
        if (isCut()) throw new BlobTooLargeError();
        // Its pieces took their room when they came.
        await room.take(size - (beginning?.bytes ?? 0), beginning ? null : { size, sha256 });
        if (beginning) await becomeFile(ctx, actor, beginning.uploadId, sha256);
      },
    });
    return { fileName, ...blob, openedFrom, beginning };
  } catch (error) {
    if (!(error instanceof BlobTooLargeError)) throw error;
    throw new DomainError('document.tooLarge', {
      params: { name: fileName.slice(0, 80), megabytes: Math.floor(maxBytes / 1024 / 1024) },
    });
  }
}
