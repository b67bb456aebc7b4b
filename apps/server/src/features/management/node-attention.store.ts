import type { Attention } from '@lavra/api';
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';

/** What a program told last counts for so long, by the database's clock: it tells again each minute. */
const COUNTS_FOR = sql`interval '3 minutes'`;
/** A program that was killed takes its own back no more. */
const KEPT_FOR = sql`interval '1 hour'`;

/** In the place of what this program told before; what the dead told goes. */
export async function tellAttention({ db }: Ctx, node: string, attention: readonly Attention[]): Promise<void> {
  const told = { attention: JSON.stringify(attention), told_at: sql<Date>`now()` };
  await db
    .insertInto('node_attention')
    .values({ node, ...told })
    .onConflict((conflict) => conflict.column('node').doUpdateSet(told))
    .execute();
  await db
    .deleteFrom('node_attention')
    .where('told_at', '<', sql<Date>`now() - ${KEPT_FOR}`)
    .execute();
}

/** What the other programs told. */
export async function listTold({ db }: Ctx, node: string): Promise<Attention[]> {
  const rows = await db
    .selectFrom('node_attention')
    .select('attention')
    .where('node', '!=', node)
    .where('told_at', '>', sql<Date>`now() - ${COUNTS_FOR}`)
    .orderBy('node')
    .execute();
  return rows.flatMap(({ attention }) => attention);
}
