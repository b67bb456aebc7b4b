import { DomainError, limits } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { BlobTooLargeError } from '../../storage/blob-store.ts';
import { assertContractActive } from '../plans/assert-contract-active.ts';
import type { StoredPart } from './parts-source.ts';
import { maxFileBytes, uploadRoom } from './upload-room.ts';
import { findParts, forgetParts, insertPart, type PartedUpload, removeOldParts } from './upload-parts.store.ts';

/** One piece of a file as it comes in. */
export interface IncomingPart {
  uploadId: string;
  /** Where it begins in the file. */
  from: number;
  bytes: AsyncIterable<Uint8Array>;
  /** Nobody waits for the answer any more. */
  gone: AbortSignal;
}

/** What there is of a file that comes in pieces: so many bytes from its beginning, and which blobs they are. */
export interface Received {
  received: number;
  parts: readonly StoredPart[];
}

/** Young enough that no sweep is near: their blobs are referred to by nobody, and stay for a day. */
const partsSince = (ctx: Ctx) => new Date(ctx.clock.now().getTime() - limits.uploadResumeHours * 3_600_000);

/** How far a file has come; of what nobody sent it is nothing. */
export async function findReceived(ctx: Ctx, actor: Person, uploadId: string): Promise<Received> {
  const parts = await findParts(ctx, { ownerId: actor.userId, uploadId }, partsSince(ctx));
  return { parts, received: parts.reduce((sum, { size }) => sum + size, 0) };
}

/**
 * Keeps one piece of a file, when it begins where the pieces before it end, and answers how far the file has come: from there its
 * sender goes on. A piece that broke off is not kept.
 * @throws DomainError process.contractSuspended, document.tooLarge, document.dailyLimitReached, document.accountLimitReached
 */
export async function keepPart(ctx: Ctx, actor: Person, { uploadId, from, bytes, gone }: IncomingPart): Promise<number> {
  const upload: PartedUpload = { ownerId: actor.userId, uploadId };
  await assertContractActive(ctx, actor.userId);
  const { received } = await findReceived(ctx, actor, uploadId);
  if (from !== received) {
    for await (const _ of bytes);
    return received;
  }
  // What was sent long ago under the same id is in nobody's way.
  if (received === 0) await removeOldParts(ctx, partsSince(ctx), upload);
  const most = maxFileBytes(ctx, actor);
  const room = uploadRoom(ctx, actor);
  try {
    const blob = await ctx.storage.put(bytes, {
      maxBytes: Math.min(limits.uploadPartBytes, Math.max(0, most - received)),
      signal: gone,
      admit: ({ size }) => (size === 0 ? Promise.reject(new DomainError('request.invalid', { field: 'files' })) : room.take(size)),
    });
    if (await insertPart(ctx, upload, { blobHash: blob.sha256, size: blob.size, offset: from })) room.keep(blob.size);
  } catch (error) {
    if (!(error instanceof BlobTooLargeError)) throw error;
    throw new DomainError('document.tooLarge', { params: { name: '', megabytes: Math.floor(most / 1024 / 1024) } });
  } finally {
    await room.giveBackTheRest();
  }
  return (await findReceived(ctx, actor, uploadId)).received;
}

/**
 * The pieces that a file's last bytes come behind.
 * @throws DomainError request.invalid: there are others than its sender thinks
 */
export async function partsBefore(ctx: Ctx, actor: Person, uploadId: string, from: number): Promise<readonly StoredPart[]> {
  const { parts, received } = await findReceived(ctx, actor, uploadId);
  if (received !== from) throw new DomainError('request.invalid', { field: 'from' });
  return parts;
}

/** They are a document now. */
export function endParts(ctx: Ctx, actor: Person, uploadId: string): Promise<void> {
  return forgetParts(ctx, { ownerId: actor.userId, uploadId });
}

/** Stored pieces one behind the other, and what comes in behind them. */
export async function* joined(ctx: Ctx, parts: readonly StoredPart[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const { blobHash } of parts) yield* ctx.storage.read(blobHash);
  yield* rest;
}
