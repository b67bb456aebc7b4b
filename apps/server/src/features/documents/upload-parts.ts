import { DomainError, limits } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import type { StoredPart } from './parts-source.ts';
import { findParts, forgetParts } from './upload-parts.store.ts';

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

/** They are a document now. */
export function endParts(ctx: Ctx, actor: Person, uploadId: string): Promise<void> {
  return forgetParts(ctx, { ownerId: actor.userId, uploadId });
}

/** Stored pieces one behind the other, and what comes in behind them. */
export async function* joined(ctx: Ctx, parts: readonly StoredPart[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const { blobHash } of parts) yield* ctx.storage.read(blobHash);
  yield* rest;
}
