import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';

/** The documents of these that are there, each with the bytes of all that is kept of it; 0: its files were removed. */
export async function findKeptBytes(ctx: Ctx, documentIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; bytes: number }>`
    select id, stored_bytes(id) as bytes from document where id = any(${documentIds}::uuid[])`.execute(ctx.db);
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}
