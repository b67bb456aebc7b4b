import type { ProcessStatus, TurnFacts } from '@lavra/domain';
import { type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { byIndexOfWords, rarestParts, type SearchedWord, standsIn } from '../../../db/search-words.ts';
import { scope } from '../inbox.store.ts';
import type { SignatureProcess } from '../signature-process.ts';

/** Whose list, which of the sets of `process-counts.store.ts` it shows, and of them what stands so; left out: all. */
export interface ListScope {
  actor: Pick<Person, 'userId'>;
  sets: readonly number[];
  status?: ProcessStatus | undefined;
}

const standing = ({ status }: ListScope): RawBuilder<unknown> => (status === undefined ? sql`` : sql`and status = ${status}`);

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
 * The first `most` of a list in its order, or in the opposite one. Each set is read by itself, in its own index's order, and no further
 * than the whole goes: they are merged as they come. What lacks the day that is sorted by is a part of its own: it comes last in both
 * directions. `id` breaks ties, so that pages do not overlap. The number stands in the statement: a plan for any number would be one
 * for a tenth of everything.
 */
function head(list: ListScope, order: ListOrder, most: number, isBackward = false) {
  const { actor, sets } = list;
  const { column, isOpen } = keys[order.sortBy];
  const way = (order.direction === 'asc') === isBackward ? sql`desc` : sql`asc`;
  const limit = sql`limit ${sql.lit(most)}`;
  const part = (number: number, condition: RawBuilder<unknown>) => {
    const each = sets.map(
      (set) => sql`(
        select signature_process_id as id, ${column} as key, search from listed_process
        where ${scope(actor)} and sets = ${sql.lit(set)} ${standing(list)} ${condition} order by ${column} ${way}, signature_process_id ${way} ${limit})`,
    );
    return sql`(
      select ${sql.lit(number)} as part, id, key, search from (${sql.join(each, sql` union all `)}) as each
      order by key ${way}, id ${way} ${limit})`;
  };
  if (!isOpen) return { by: sql`key ${way}, id ${way}`, rows: part(0, sql``) };
  const undated = isBackward ? 0 : 1;
  const by = sql`part, key ${way}, id ${way}`;
  const both = sql`${part(1 - undated, sql`and ${column} is not null`)} union all ${part(undated, sql`and ${column} is null`)}`;
  return { by, rows: sql`(select * from (${both}) as both_parts order by ${by} ${limit})` };
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
  const { by, rows: first } = head(list, order, offset + size, isBackward);
  const { rows } = await sql<{ id: string }>`select id from ${first} as listed order by ${by} limit ${size} offset ${offset}`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

const all = (conditions: readonly RawBuilder<boolean>[]) =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join([...conditions], sql` and `)}`;
const everyWord = (words: readonly SearchedWord[]) => all(words.map(standsIn));

/** What has all the words among the first `within` of a list, in its order; no more than `most`. */
export async function walkList(
  ctx: Ctx,
  list: ListScope,
  order: ListOrder,
  { words, within, most }: { words: readonly SearchedWord[]; within: number; most: number },
): Promise<string[]> {
  const { by, rows: first } = head(list, order, within);
  const { rows } = await sql<{ id: string }>`
    select id from ${first} as listed where ${everyWord(words)} order by ${by} limit ${most}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** SQL for what the index is asked for: of each word its rarest part, by the newest of the list; of a single word the two rarest. */
export async function partsOfWords(ctx: Ctx, list: ListScope, words: readonly SearchedWord[]): Promise<RawBuilder<boolean>[]> {
  const whole = words.filter(({ isStart }) => !isStart).map(({ text }) => text);
  const newest = sql`select search from ${head(list, { sortBy: 'createdDate', direction: 'desc' }, NEWEST).rows} as newest`;
  const parts = await rarestParts(ctx, newest, whole, (word) => sql`plain_words(${word})`);
  const most = words.length === 1 ? 2 : 1;
  return words.flatMap((word) => {
    const rarest = parts.get(word.text)?.slice(0, most) ?? [];
    return rarest.length === 0 ? [standsIn(word)] : rarest;
  });
}

/** As many tell how rare a part of a word is. */
const NEWEST = 300;

/**
 * One page of what has all the words, and how many have, found by the index of words: no more than `most` are looked at, in no order.
 * The index is asked for `parts` of them alone. The planner knows too little of a person's words and would rather read everything.
 */
export async function searchIndex(
  ctx: Ctx,
  list: ListScope,
  order: ListOrder,
  {
    words,
    parts,
    most,
    offset,
    size,
  }: Slice & { words: readonly SearchedWord[]; parts: readonly RawBuilder<boolean>[]; most: number | null },
): Promise<{ ids: string[]; found: number }> {
  const { column, isOpen } = keys[order.sortBy];
  const way = order.direction === 'asc' ? sql`asc` : sql`desc`;
  const by = sql`${isOpen ? sql`key is null,` : sql``} key ${way}, id ${way}`;
  const { actor, sets } = list;
  return ctx.transaction(async (tx) => {
    await byIndexOfWords(tx);
    const { rows } = await sql<{ ids: string[]; found: number }>`
      with found as materialized (
        select id, key from (
          select signature_process_id as id, ${column} as key, search from listed_process
          where ${scope(actor)} and sets = any(${sets}::smallint[]) ${standing(list)} and ${all(parts)} offset 0
        ) as candidates where ${everyWord(words)} limit ${most}
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
  'id' | 'title' | 'createdAt' | 'finalizedAt' | 'filesRemovedAt' | 'dueDate' | 'status' | 'modality' | 'ownerId'
> {
  own: readonly TurnFacts['signers'][number][];
  hasOwnDeadlines: boolean;
  signerCount: number;
  signedCount: number;
  /** Names of some whose signature is waited for. */
  waitingFor: readonly string[];
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
      'files_removed_at as filesRemovedAt',
      jsonArrayFrom(
        eb
          .selectFrom('signer')
          .select(['signer.id', 'signer.order', 'signer.status', 'signer.due_date as dueDate'])
          .whereRef('signer.signature_process_id', '=', 'signature_process.id')
          .where('signer.user_id', '=', userId),
      ).as('own'),
      sql<boolean>`exists (
        select from signer s where s.signature_process_id = signature_process.id and s.due_date is not null)`.as('hasOwnDeadlines'),
      sql<number>`(select count(*) from signer s where s.signature_process_id = signature_process.id)`.as('signerCount'),
      sql<number>`(select count(*) from signer s where s.signature_process_id = signature_process.id and s.status = 'SIGNED')`.as(
        'signedCount',
      ),
      sql<string[]>`array(
        select s.name from signer s
        where s.signature_process_id = signature_process.id and s.status = 'SENT' and signature_process.status = 'IN_PROGRESS'
        order by s.created_at, s.id limit 3)`.as('waitingFor'),
    ])
    .orderBy(sql`array_position(${ids}::uuid[], id)`)
    .execute();
  return rows.map(({ own, ...row }) => ({
    ...row,
    own: own.map((signer) => ({ ...signer, dueDate: signer.dueDate === null ? null : new Date(signer.dueDate) })),
  }));
}
