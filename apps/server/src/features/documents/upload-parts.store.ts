import type { Ctx } from '../../context.ts';
import { releaseRoom } from './documents.store.ts';
import type { StoredPart } from './parts-source.ts';

/** A file that comes in pieces: whose, and the id that its sender gave it. */
export interface PartedUpload {
  ownerId: string;
  uploadId: string;
}

/** The pieces that are there, in their order; those from before `since` are none any more. */
export async function findParts(ctx: Ctx, { ownerId, uploadId }: PartedUpload, since: Date): Promise<StoredPart[]> {
  const rows = await ctx.db
    .selectFrom('upload_part')
    .select(['blob_hash as blobHash', 'size', 'start as offset', 'created_at as createdAt'])
    .where('owner_id', '=', ownerId)
    .where('upload_id', '=', uploadId)
    .orderBy('start')
    .execute();
  // One that is gone takes with it what came behind it.
  const gone = rows.findIndex(({ createdAt }) => createdAt < since);
  return (gone < 0 ? rows : rows.slice(0, gone)).map(({ blobHash, size, offset }) => ({ blobHash, size, offset }));
}

/** False where another piece begins there already: two requests brought it. */
export async function insertPart(tx: Ctx, { ownerId, uploadId }: PartedUpload, part: StoredPart): Promise<boolean> {
  const row = await tx.db
    .insertInto('upload_part')
    .values({
      owner_id: ownerId,
      upload_id: uploadId,
      start: part.offset,
      size: part.size,
      blob_hash: part.blobHash,
      created_at: tx.clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('start')
    .executeTakeFirst();
  return row !== undefined;
}

/** The room of their bytes is the document's now. */
export async function forgetParts(ctx: Ctx, { ownerId, uploadId }: PartedUpload): Promise<void> {
  await ctx.db.deleteFrom('upload_part').where('owner_id', '=', ownerId).where('upload_id', '=', uploadId).execute();
}

/** Pieces from before `before`, of one upload or of all; what they took of their owners' room is free again. */
export async function removeOldParts(ctx: Ctx, before: Date, of: PartedUpload | null = null): Promise<void> {
  await ctx.transaction(async (tx) => {
    let old = tx.db.deleteFrom('upload_part').where('created_at', '<', before);
    if (of) old = old.where('owner_id', '=', of.ownerId).where('upload_id', '=', of.uploadId);
    const removed = await old.returning(['owner_id', 'size']).execute();
    for (const [ownerId, parts] of Map.groupBy(removed, ({ owner_id }) => owner_id))
      await releaseRoom(
        tx,
        ownerId,
        parts.reduce((sum, { size }) => sum + size, 0),
      );
  });
}
