import { createHash } from 'node:crypto';
import type { Ctx } from '../../context.ts';

/** What the database keeps of the key in a QR code. */
function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

interface NewDrawing {
  id: string;
  key: string;
  signerId: string;
  until: Date;
}

/** Waits for a drawing; what the same signer waited for before is waited for no longer. */
export async function replaceAwaitedDrawing(tx: Ctx, { id, key, signerId, until }: NewDrawing): Promise<void> {
  await tx.db.deleteFrom('awaited_drawing').where('signer_id', '=', signerId).execute();
  await tx.db
    .insertInto('awaited_drawing')
    .values({ id, key_hash: keyHash(key), signer_id: signerId, until })
    .execute();
}

/** A signer's own; undefined: none, or over. */
export async function findDrawing(ctx: Ctx, signerId: string, id: string): Promise<{ picture: Buffer | null } | undefined> {
  return ctx.db
    .selectFrom('awaited_drawing')
    .select('picture')
    .where('id', '=', id)
    .where('signer_id', '=', signerId)
    .where('until', '>', ctx.clock.now())
    .executeTakeFirst();
}

/** Until when the drawing of this key is waited for; undefined: it is not, or was delivered. */
export async function findAwaited(ctx: Ctx, key: string): Promise<{ until: Date } | undefined> {
  return ctx.db
    .selectFrom('awaited_drawing')
    .select('until')
    .where('key_hash', '=', keyHash(key))
    .where('until', '>', ctx.clock.now())
    .where('picture', 'is', null)
    .executeTakeFirst();
}

/** Uses the key up; false: nobody waits for its drawing any more. */
export async function keepDrawing(ctx: Ctx, key: string, picture: Uint8Array): Promise<boolean> {
  const kept = await ctx.db
    .updateTable('awaited_drawing')
    .set({ picture: Buffer.from(picture) })
    .where('key_hash', '=', keyHash(key))
    .where('until', '>', ctx.clock.now())
    .where('picture', 'is', null)
    .executeTakeFirst();
  return Number(kept.numUpdatedRows) === 1;
}

/** A picture of a signature is kept no longer than it is waited for. */
export async function removeOldDrawings(ctx: Ctx): Promise<void> {
  await ctx.db.deleteFrom('awaited_drawing').where('until', '<=', ctx.clock.now()).execute();
}
