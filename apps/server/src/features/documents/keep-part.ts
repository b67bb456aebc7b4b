import { DomainError, limits } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { BlobTooLargeError } from '../../storage/blob-store.ts';
import { assertContractActive } from '../plans/assert-contract-active.ts';
import { partsSince, receivedParts } from './upload-parts.ts';
import { insertPart, type PartedUpload, removeOldParts } from './upload-parts.store.ts';
import { maxFileBytes, uploadRoom } from './upload-room.ts';

/** One piece of a file as it comes in. */
export interface IncomingPart {
  uploadId: string;
  fileName: string;
  /** Where it begins in the file. */
  from: number;
  bytes: AsyncIterable<Uint8Array>;
  /** Nobody waits for the answer any more. */
  gone: AbortSignal;
}

/**
 * Keeps one piece of a file, when it begins where the pieces before it end, and answers how far the file has come: from there its
 * sender goes on. A piece that broke off is not kept.
 * @throws DomainError request.invalid (an empty piece, or too many), process.contractSuspended, document.tooLarge, document.dailyLimitReached, document.accountLimitReached
 */
export async function keepPart(ctx: Ctx, actor: Person, { uploadId, fileName, from, bytes, gone }: IncomingPart): Promise<number> {
  const upload: PartedUpload = { ownerId: actor.userId, uploadId };
  await assertContractActive(ctx, actor.userId);
  const { received, parts } = await receivedParts(ctx, actor, uploadId);
  // Each is a row and an object of the store, read one after the other when the file is put together.
  if (parts.length >= limits.uploadPartsMost) throw new DomainError('request.invalid', { field: 'files' });
  if (from !== received) {
    for await (const _ of bytes);
    return received;
  }
  // What was sent long ago under the same id is in nobody's way.
  if (received === 0) await removeOldParts(ctx, partsSince(ctx), upload);
  const most = maxFileBytes(ctx, actor);
  const isLast = most - received < limits.uploadPartBytes;
  const room = uploadRoom(ctx, actor);
  try {
    const blob = await ctx.storage.put(bytes, {
      maxBytes: isLast ? Math.max(0, most - received) : limits.uploadPartBytes,
      signal: gone,
      isNoted: true,
      admit: (blob) =>
        blob.size === 0 ? Promise.reject(new DomainError('request.invalid', { field: 'files' })) : room.take(blob.size, blob),
    });
    if (await insertPart(ctx, upload, { blobHash: blob.sha256, size: blob.size, offset: from })) room.keep(blob.size);
  } catch (error) {
    if (!(error instanceof BlobTooLargeError)) throw error;
    // Of the file, or of what one piece of it may be.
    const megabytes = Math.floor((isLast ? most : limits.uploadPartBytes) / 1024 / 1024);
    throw new DomainError('document.tooLarge', { params: { name: fileName.slice(0, 80), megabytes } });
  } finally {
    await room.giveBackTheRest();
  }
  return (await receivedParts(ctx, actor, uploadId)).received;
}
