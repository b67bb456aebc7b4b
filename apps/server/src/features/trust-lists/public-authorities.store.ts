import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';

const kind = 'icp-brasil';

/** A certificate and its SHA-256, hex. */
export interface ListedCertificate {
  fingerprint: string;
  der: Uint8Array;
}

export interface LoadedList {
  version: number;
  source: 'upload' | 'address';
  fileHash: string;
  loadedAt: Date;
  checkedAt: Date;
  fault: string | null;
  faultAt: Date | null;
}

export async function findList(ctx: Pick<Ctx, 'db'>): Promise<LoadedList | null> {
  const row = await ctx.db
    .selectFrom('trust_list')
    .select(['version', 'source', 'file_hash as fileHash', 'loaded_at as loadedAt', 'checked_at as checkedAt'])
    .select(['fault', 'fault_at as faultAt'])
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row ?? null;
}

/** Of `findList`, within another statement. */
export const listVersion = sql<string | null>`(select version::text from trust_list where kind = ${sql.lit(kind)})`;

export async function listCertificates(ctx: Pick<Ctx, 'db'>): Promise<Uint8Array[]> {
  const rows = await ctx.db
    .selectFrom('trust_list_certificate')
    .select('certificate')
    .where('kind', '=', kind)
    .orderBy('fingerprint')
    .execute();
  return rows.map(({ certificate }) => new Uint8Array(certificate));
}

/** Enters what a list has; how many were not known. None is taken out: old signatures may need it. */
export async function enterCertificates(tx: Ctx, certificates: readonly ListedCertificate[]): Promise<number> {
  const now = tx.clock.now();
  const rows = certificates.map(({ fingerprint, der }) => ({ kind, fingerprint, certificate: Buffer.from(der), listed_at: now }) as const);
  const written = await tx.db
    .insertInto('trust_list_certificate')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['kind', 'fingerprint']).doUpdateSet({ listed_at: now }))
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .execute();
  return written.filter(({ isNew }) => isNew).length;
}

/** Notes a list that was loaded, whose version grows: the same file again is only a check of it. */
export async function writeList(tx: Ctx, { source, fileHash }: Pick<LoadedList, 'source' | 'fileHash'>): Promise<void> {
  const now = tx.clock.now();
  const row = { source, file_hash: fileHash, loaded_at: now, checked_at: now, fault: null, fault_at: null };
  await tx.db
    .insertInto('trust_list')
    .values({ kind, version: 1, ...row })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet({ ...row, version: sql`trust_list.version + 1` }))
    .execute();
}

export async function noteChecked(ctx: Ctx): Promise<void> {
  await ctx.db
    .updateTable('trust_list')
    .set({ checked_at: ctx.clock.now(), fault: null, fault_at: null })
    .where('kind', '=', kind)
    .execute();
}

/** The last try came to nothing; what was loaded before goes on. */
export async function noteFault(ctx: Ctx, fault: string): Promise<void> {
  await ctx.db.updateTable('trust_list').set({ fault, fault_at: ctx.clock.now() }).where('kind', '=', kind).execute();
}
