import type { Ctx } from '../../context.ts';
import { listForgotten, whileForgotten } from './stored-files.store.ts';

const AT_ONCE = 500;

/**
 * Garbage collection: removes blobs that nobody has referred to for a day, abandoned and refused uploads, pictures and revisions of signings that
 * failed. A file goes while its row is held: who is about to store the same bytes waits, finds no row, and places them anew.
 * A crash in between leaves the row, and the next run goes on.
 */
export async function removeForgotten(ctx: Ctx): Promise<number> {
  let removed = 0;
  for (;;) {
    const hashes = await listForgotten(ctx, AT_ONCE);
    const before = removed;
    for (const hash of hashes) if (await whileForgotten(ctx, hash, () => ctx.storage.delete(hash))) removed += 1;
    if (hashes.length < AT_ONCE || removed === before) return removed;
  }
}
