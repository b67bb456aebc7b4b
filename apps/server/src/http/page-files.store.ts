import { sql } from 'kysely';
import type { Tx, Ctx } from '../context.ts';

/** What a node has to say of a file of its pages. */
export interface PageFile {
  name: string;
  type: string;
  isPacked: boolean;
  bytes: Buffer;
}

/** One node at a time looks at what there is, until the end of the transaction. */
export async function holdPageFiles(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('lavra:page-files'))`.execute(tx.db);
}

/** Those of `names` that are kept. */
export async function keptNames(ctx: Ctx, names: readonly string[]): Promise<Set<string>> {
  const rows = await ctx.db.selectFrom('page_file').select('name').where('name', 'in', names).execute();
  return new Set(rows.map(({ name }) => name));
}

export async function insertPageFile(tx: Tx, { name, type, isPacked, bytes }: PageFile): Promise<void> {
  await tx.db
    .insertInto('page_file')
    .values({ name, type, is_packed: isPacked, bytes })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** These are the pages that were started last; others are superseded from now on, and go when that was before `until`. */
export async function supersedeOthers(tx: Tx, names: readonly string[], until: Date): Promise<void> {
  await tx.db
    .updateTable('page_file')
    .set({ superseded_at: null })
    .where('name', 'in', names)
    .where('superseded_at', 'is not', null)
    .execute();
  await tx.db
    .updateTable('page_file')
    .set({ superseded_at: tx.clock.now() })
    .where('name', 'not in', names)
    .where('superseded_at', 'is', null)
    .execute();
  await tx.db.deleteFrom('page_file').where('superseded_at', '<', until).execute();
}

export async function findPageFileRow(ctx: Ctx, name: string): Promise<PageFile | undefined> {
  return ctx.db
    .selectFrom('page_file')
    .select(['name', 'type', 'is_packed as isPacked', 'bytes'])
    .where('name', '=', name)
    .executeTakeFirst();
}
