import { DomainError, limits } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import type { StoredPart } from './parts-source.ts';
import { dedicateParts, findParts, takeParts } from './upload-parts.store.ts';

/** What there is of a file that comes in pieces: so many bytes from its beginning, and which blobs they are. */
export interface Received {
  received: number;
  parts: readonly StoredPart[];
}

/** Young enough that no sweep is near: their blobs are referred to by nobody, and stay for a day. */
export const partsSince = (ctx: Ctx) => new Date(ctx.clock.now().getTime() - limits.uploadResumeHours * 3_600_000);

/** How far a file has come; of what nobody sent it is nothing. */
export async function receivedParts(ctx: Ctx, actor: Person, uploadId: string): Promise<Received> {
  const parts = await findParts(ctx, { ownerId: actor.userId, uploadId }, partsSince(ctx));
  return { parts, received: parts.reduce((sum, { size }) => sum + size, 0) };
}

/**
 * The pieces that a file's last bytes come behind.
 * @throws DomainError request.invalid: there are others than its sender thinks
 */
export async function partsBefore(ctx: Ctx, actor: Person, uploadId: string, from: number): Promise<readonly StoredPart[]> {
  const { parts, received } = await receivedParts(ctx, actor, uploadId);
  if (received !== from) throw new DomainError('request.invalid', { field: 'from' });
  return parts;
}

/** Pieces that a file begins with: under which id, and how many bytes. */
export interface Beginning {
  uploadId: string;
  bytes: number;
}

/**
 * Says which file they become, before it is stored: a few bytes behind them would otherwise be another large file each time.
 * @throws DomainError request.invalid: they are another file's
 */
export async function becomeFile(ctx: Ctx, actor: Person, uploadId: string, sha256: string): Promise<void> {
  if (!(await dedicateParts(ctx, { ownerId: actor.userId, uploadId }, sha256))) throw new DomainError('request.invalid', { field: 'from' });
}

/**
 * They are a document now, which is kept in the same transaction: of two requests that end one upload, one keeps it.
 * @throws DomainError request.invalid: another request was first
 */
export async function endParts(tx: Ctx, ownerId: string, { uploadId, bytes }: Beginning): Promise<void> {
  if ((await takeParts(tx, { ownerId, uploadId })) !== bytes) throw new DomainError('request.invalid', { field: 'from' });
}

/** Stored pieces one behind the other, and what comes in behind them. */
export async function* joined(ctx: Ctx, parts: readonly StoredPart[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const { blobHash } of parts) yield* ctx.storage.read(blobHash);
  yield* rest;
}
