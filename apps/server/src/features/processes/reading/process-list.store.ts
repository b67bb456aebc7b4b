import type { TurnFacts } from '@lavra/domain';
import { type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { scope } from '../inbox.store.ts';
import type { SignatureProcess } from '../signature-process.ts';

/** Whose list, and which of the sets of `process-counts.store.ts` it shows. */
export interface ListScope {
  actor: Pick<Person, 'userId'>;
  sets: readonly number[];
}

export interface ListOrder {
  sortBy: 'createdDate' | 'title' | 'dueDate' | 'status' | 'finalizedDate';
  direction: 'asc' | 'desc';
}

interface SortKey {
  column: RawBuilder<unknown>;
  /** Not every process has one. */
  isOpen?: true;
}

const keys: Record<ListOrder['sortBy'], SortKey> = {
  createdDate: { column: sql`created_at` },
  // As people sort them: accents and case last, numbers by their value.
  title: { column: sql`title collate people` },
  dueDate: { column: sql`due_date`, isOpen: true },
  status: { column: sql`status` },
  finalizedDate: { column: sql`finalized_at`, isOpen: true },
};

/**
 * The first `most` of a list in its order, or in the opposite one. Each set is read by itself, in its own index's order and only as far
 * as the whole goes, and so is what lacks the day that is sorted by: it comes last in both directions. `id` breaks ties, so that pages
 * do not overlap.
 */
function head({ actor, sets }: ListScope, order: ListOrder, most: number, { isBackward = false, withWords = false } = {}) {
  const { column, isOpen } = keys[order.sortBy];
  const way = (order.direction === 'asc') === isBackward ? sql`desc` : sql`asc`;
  const parts = sets.flatMap((set) => {
    const rows = (condition: RawBuilder<unknown>) => sql`(
      select signature_process_id as id, ${column} as key ${withWords ? sql`, search` : sql``} from listed_process
      where ${scope(actor)} and sets = ${set} ${condition} order by ${column} ${way}, signature_process_id ${way} limit ${most})`;
    return isOpen ? [rows(sql`and ${column} is not null`), rows(sql`and ${column} is null`)] : [rows(sql``)];
  });
  const undated = isOpen ? (isBackward ? sql`key is null desc,` : sql`key is null,`) : sql``;
  const by = sql`${undated} key ${way}, id ${way}`;
  return { by, rows: sql`(select * from (${sql.join(parts, sql` union all `)}) as parts order by ${by} limit ${most})` };
}

export interface Slice {
  offset: number;
  size: number;
}

/** One page's ids. `isBackward`: counted from the other end, and answered in that order. */
export async function pageIds(
  ctx: Ctx,
  list: ListScope,
  order: ListOrder,
  { offset, size }: Slice,
  isBackward: boolean,
): Promise<string[]> {
  const { by, rows: first } = head(list, order, offset + size, { isBackward });
  const { rows } = await sql<{ id: string }>`select id from ${first} as listed order by ${by} limit ${size} offset ${offset}`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

const everyWord = (words: readonly RawBuilder<boolean>[]) => sql<boolean>`${sql.join([...words], sql` and `)}`;

/** What has all the words among the first `within` of a list, in its order; no more than `most`. */
export async function walkList(
  ctx: Ctx,
  list: ListScope,
  order: ListOrder,
  { words, within, most }: { words: readonly RawBuilder<boolean>[]; within: number; most: number },
): Promise<string[]> {
  const { by, rows: first } = head(list, order, within, { withWords: true });
  const { rows } = await sql<{ id: string }>`
    select id from ${first} as listed where ${everyWord(words)} order by ${by} limit ${most}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/**
 * One page of what has all the words, and how many have, found by the index of words: no more than `most` are looked at, in no order.
 * The planner knows too little of a person's words and would rather read everything.
 */
export async function searchIndex(
  ctx: Ctx,
  { actor, sets }: ListScope,
  order: ListOrder,
  { words, most, offset, size }: Slice & { words: readonly RawBuilder<boolean>[]; most: number | null },
): Promise<{ ids: string[]; found: number }> {
  const { column, isOpen } = keys[order.sortBy];
  const way = order.direction === 'asc' ? sql`asc` : sql`desc`;
  const by = sql`${isOpen ? sql`key is null,` : sql``} key ${way}, id ${way}`;
  return ctx.transaction(async (tx) => {
    await sql`select set_config(name, 'off', true) from (values ('enable_seqscan'), ('enable_indexscan'), ('enable_indexonlyscan')) as of (name)`.execute(
      tx.db,
    );
    const { rows } = await sql<{ ids: string[]; found: number }>`
      with found as materialized (
        select signature_process_id as id, ${column} as key from listed_process
        where ${scope(actor)} and sets = any(${sets}::smallint[]) and ${everyWord(words)} limit ${most}
      )
      select array(select id from found order by ${by} limit ${size} offset ${offset}) as ids, (select count(*) from found) as found`.execute(
      tx.db,
    );
    return rows[0] ?? { ids: [], found: 0 };
  });
}

/** A process as lists show it: with the number of signatures made and asked for, and the signers that the user is. */
export interface ListedProcess extends Pick<
  SignatureProcess,
  'id' | 'title' | 'createdAt' | 'finalizedAt' | 'dueDate' | 'status' | 'modality' | 'ownerId'
> {
  own: readonly TurnFacts['signers'][number][];
  signerCount: number;
  signedCount: number;
}

/** These processes, in this order. */
export async function readListed(ctx: Ctx, userId: string, ids: readonly string[]): Promise<ListedProcess[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('signature_process')
    .where('id', 'in', sql<string>`(select unnest(${ids}::uuid[]))`)
    .select(['id', 'title', 'created_at as createdAt', 'finalized_at as finalizedAt', 'due_date as dueDate', 'status', 'modality'])
    .select((eb) => [
      'owner_id as ownerId',
      jsonArrayFrom(
        eb
          .selectFrom('signer')
          .select(['signer.id', 'signer.order', 'signer.status', 'signer.due_date as dueDate'])
          .whereRef('signer.signature_process_id', '=', 'signature_process.id')
          .where('signer.user_id', '=', userId),
      ).as('own'),
      sql<number>`(select count(*) from signer s where s.signature_process_id = signature_process.id)`.as('signerCount'),
      sql<number>`(select count(*) from signer s where s.signature_process_id = signature_process.id and s.status = 'SIGNED')`.as(
        'signedCount',
      ),
    ])
    .orderBy(sql`array_position(${ids}::uuid[], id)`)
    .execute();
  return rows.map(({ own, ...row }) => ({
    ...row,
    own: own.map((signer) => ({ ...signer, dueDate: signer.dueDate === null ? null : new Date(signer.dueDate) })),
  }));
}
