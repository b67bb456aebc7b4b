import type { Ctx } from '../../context.ts';
import { noteFault, noteHealed } from '../../storage/blobs.store.ts';
import {
  adoptUnknown,
  findInventoryRow,
  type InventoryRow,
  listInventory,
  listLongestUnchecked,
  listOpenFaults,
  markChecked,
  type OpenFault,
} from './stored-files.store.ts';

/** All that an audit touches: the command has no more. */
export type Audited = Pick<Ctx, 'db' | 'clock' | 'storage' | 'log'>;

export interface AuditedBlob extends InventoryRow {
  fault: OpenFault['fault'] | null;
}

/** Reads a blob whole, compares it with the inventory, and writes down what was found. */
export async function auditBlob(ctx: Audited, row: InventoryRow): Promise<AuditedBlob> {
  const found = await ctx.storage.audit(row.hash);
  const fault = found.state === 'whole' ? (row.size !== null && row.size !== found.size ? 'wrongSize' : null) : found.state;
  if (fault === null) {
    await noteHealed(ctx.db, ctx.clock, row.hash);
    await markChecked(ctx, row.hash, found.state === 'whole' ? found.size : null);
    return { ...row, fault };
  }
  // Being stored right now, removed as forgotten while we looked, or lost by the storage before it was told as stored: nobody refers to it.
  if (fault === 'missing' && !(await findInventoryRow(ctx, row.hash))?.kind) {
    await noteHealed(ctx.db, ctx.clock, row.hash);
    return { ...row, fault: null };
  }
  await markChecked(ctx, row.hash, null);
  if (await noteFault(ctx.db, ctx.clock, { hash: row.hash, fault }))
    ctx.log.error({ blob: row.hash.slice(0, 12), fault, kind: row.kind }, 'a stored file is missing or damaged');
  return { ...row, fault };
}

/** Scrubbing, a night's share: those that were not looked at for longest, up to `maxBytes`. */
export async function auditSlice(ctx: Audited, maxBytes: number): Promise<number> {
  let bytes = 0;
  let checked = 0;
  const seen = new Set<string>();
  while (bytes < maxBytes) {
    const rows = (await listLongestUnchecked(ctx, 100)).filter(({ hash }) => !seen.has(hash));
    if (rows.length === 0) return checked;
    for (const row of rows) {
      if (bytes >= maxBytes) return checked;
      seen.add(row.hash);
      await auditBlob(ctx, row);
      // A small file costs its way to the storage too.
      bytes += Math.max(row.size ?? 0, 64 * 1024);
      checked += 1;
    }
  }
  return checked;
}

/** Looks again at what is known to be at fault: a file that was given back ends its fault without a hand. */
export async function auditFaults(ctx: Audited): Promise<void> {
  for (const { hash } of await listOpenFaults(ctx, 200)) {
    const row = await findInventoryRow(ctx, hash);
    if (row) await auditBlob(ctx, row);
    else await noteHealed(ctx.db, ctx.clock, hash);
  }
}

/** Every blob of the inventory, one after the other. */
export async function* auditAll(ctx: Audited): AsyncGenerator<AuditedBlob> {
  for (let after = ''; ;) {
    const rows = await listInventory(ctx, after, 500);
    for (const row of rows) yield await auditBlob(ctx, row);
    const last = rows.at(-1);
    if (!last) return;
    after = last.hash;
  }
}

/** Files of the storage that the inventory does not know. */
export async function* listUnknown(ctx: Audited): AsyncGenerator<{ sha256: string; size: number }> {
  for await (const file of ctx.storage.list()) if (!(await findInventoryRow(ctx, file.sha256))) yield file;
}

/** Enters unknown files into the inventory, so that they are removed in their turn. */
export async function adoptUnknownFiles(ctx: Audited): Promise<void> {
  for await (const file of listUnknown(ctx)) await adoptUnknown(ctx, [file]);
}
