import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import { releaseRoom } from './documents.store.ts';
import type { StoredPart } from './parts-source.ts';

/** A file that comes in pieces: whose, and the id that its sender gave it. */
export interface PartedUpload {
  ownerId: string;
  uploadId: string;
}

/**
 * The pieces that are there, from the file's beginning on and each where the one before it ends; those from before `since` are none
 * any more, and what lies behind a gap is none either: a piece that came late would stand in another's place.
 */
export async function findParts(ctx: Ctx, { ownerId, uploadId }: PartedUpload, since: Date): Promise<StoredPart[]> {
  const rows = await ctx.db
    .selectFrom('upload_part')
    .select(['blob_hash as blobHash', 'size', 'start as offset', 'created_at as createdAt'])
    .where('owner_id', '=', ownerId)
    .where('upload_id', '=', uploadId)
    .orderBy('start')
    .execute();
  return fromTheBeginning(rows)
    .slice(
      0,
      countUntil(rows, ({ createdAt }) => createdAt < since),
    )
    .map(({ blobHash, size, offset }) => ({ blobHash, size, offset }));
}

/** Each where the one before it ends. */
function fromTheBeginning<T extends { offset: number; size: number }>(rows: readonly T[]): T[] {
  let end = 0;
  return rows.slice(
    0,
    countUntil(rows, ({ offset, size }) => offset !== end || ((end += size), false)),
  );
}

function countUntil<T>(rows: readonly T[], stops: (row: T) => boolean): number {
  const at = rows.findIndex(stops);
  return at < 0 ? rows.length : at;
}

/**
 * False where another piece begins there already, since two requests brought it, and where none ends there any more: while this one came in the
 * others became a document.
 */
export async function insertPart(tx: Ctx, { ownerId, uploadId }: PartedUpload, part: StoredPart): Promise<boolean> {
  const { rows } = await sql<{ start: number }>`
    insert into upload_part (owner_id, upload_id, start, size, blob_hash, created_at)
    select ${ownerId}::uuid, ${uploadId}::uuid, ${part.offset}::bigint, ${part.size}::bigint, ${part.blobHash}, ${tx.clock.now()}::timestamptz
    where ${part.offset}::bigint = 0 or exists (
      select from upload_part where owner_id = ${ownerId}::uuid and upload_id = ${uploadId}::uuid and start + size = ${part.offset}::bigint)
    on conflict do nothing
    returning start`.execute(tx.db);
  return rows.length > 0;
}

/**
 * Pieces become one file and no second: the first request that has all the bytes says which. The same file may be asked for again, when
 * its answer was lost. False: they are another file's, or gone.
 */
export async function dedicateParts(ctx: Ctx, { ownerId, uploadId }: PartedUpload, sha256: string): Promise<boolean> {
  const row = await ctx.db
    .updateTable('upload_part')
    .set({ becomes: sha256 })
    .where('owner_id', '=', ownerId)
    .where('upload_id', '=', uploadId)
    .where('start', '=', 0)
    .where((eb) => eb.or([eb('becomes', 'is', null), eb('becomes', '=', sha256)]))
    .returning('start')
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes the pieces away, in the transaction that keeps their document, whose their room is now; the bytes that they were. */
export async function takeParts(tx: Ctx, { ownerId, uploadId }: PartedUpload): Promise<number> {
  const taken = await tx.db
    .deleteFrom('upload_part')
    .where('owner_id', '=', ownerId)
    .where('upload_id', '=', uploadId)
    .returning(['start as offset', 'size'])
    .execute();
  return fromTheBeginning(taken.toSorted((a, b) => a.offset - b.offset)).reduce((sum, { size }) => sum + size, 0);
}

/**
 * Pieces from before `before`, of one upload or of all; what they took of their owners' room is free again. Of one upload also those that
 * nothing comes before any more.
 */
export async function removeOldParts(ctx: Ctx, before: Date, of: PartedUpload | null = null): Promise<void> {
  await ctx.transaction(async (tx) => {
    let old = tx.db.deleteFrom('upload_part');
    if (of)
      old = old
        .where('owner_id', '=', of.ownerId)
        .where('upload_id', '=', of.uploadId)
        .where((eb) => eb.or([eb('created_at', '<', before), eb.not(eb.exists(beginningOf(tx, of, before)))]));
    else old = old.where('created_at', '<', before);
    const removed = await old.returning(['owner_id', 'size']).execute();
    for (const [ownerId, parts] of Map.groupBy(removed, ({ owner_id }) => owner_id))
      await releaseRoom(
        tx,
        ownerId,
        parts.reduce((sum, { size }) => sum + size, 0),
      );
  });
}

const beginningOf = (tx: Ctx, { ownerId, uploadId }: PartedUpload, since: Date) =>
  tx.db
    .selectFrom('upload_part as first')
    .select('first.start')
    .where('first.owner_id', '=', ownerId)
    .where('first.upload_id', '=', uploadId)
    .where('first.start', '=', 0)
    .where('first.created_at', '>=', since);
