import { DomainError } from '@lavra/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Person } from '../access/actor.ts';
import type { Ctx } from '../context.ts';
import { byIndexOfWords, rarestParts, searched } from '../db/search-words.ts';
import type { EntityRoom, Row } from './entity-room.ts';
import { sourceOf } from './entity.store.ts';

/** What somebody may see of a room, in an order. */
export interface RecordList {
  actor: Person;
  room: EntityRoom;
  sortBy: string;
  direction: 'asc' | 'desc';
}

export interface Slice {
  offset: number;
  size: number;
}

type Id = string | number;

/** How many there are, counted as far as `most`, and how many the table has by and large. */
export async function countRecords(ctx: Ctx, { actor, room }: RecordList, most: number): Promise<{ counted: number; inTable: number }> {
  const { rows } = await sql<{ counted: number; inTable: number }>`
    select (select count(*) from (select from ${sourceOf(room)} where ${room.scope(actor)} limit ${most}) as part_of_it) as counted,
      (select greatest(reltuples, 0)::bigint from pg_class where oid = ${room.table}::regclass) as "inTable"`.execute(ctx.db);
  return rows[0] ?? { counted: 0, inTable: 0 };
}

/** @throws DomainError request.invalid: no such sort */
function orderOf({ room, sortBy, direction }: RecordList) {
  const sort = Object.hasOwn(room.sorts, sortBy) ? room.sorts[sortBy] : undefined;
  if (sort === undefined) throw new DomainError('request.invalid', { field: 'sort' });
  const way = direction === 'asc' ? sql`asc` : sql`desc`;
  const column = sort.text ? sql`${sql.ref(sort.column)} collate people` : sql.ref(sort.column);
  return { column, way, by: sql`blank, key ${way}, id ${way}` };
}

/**
 * The first `most` of a list. `id` breaks ties, so that pages do not overlap; what is blank comes last in both directions, and is a part
 * of its own, so that each is in the order of an index. The number stands in the statement: a plan for any number would be one for a
 * tenth of everything.
 */
function head(list: RecordList, most: number) {
  const { column, way, by } = orderOf(list);
  const part = (isBlank: boolean) => sql`(
    select ${sql.lit(isBlank)} as blank, id, ${column} as key, search from ${sourceOf(list.room)}
    where (${list.room.scope(list.actor)}) and ${column} is ${isBlank ? sql`null` : sql`not null`}
    order by ${column} ${way}, id ${way} limit ${sql.lit(most)})`;
  return { by, rows: sql`(select * from (${part(false)} union all ${part(true)}) as parts order by ${by} limit ${sql.lit(most)})` };
}

/** One page's ids. */
export async function pageIds(ctx: Ctx, list: RecordList, { offset, size }: Slice): Promise<Id[]> {
  const { by, rows: first } = head(list, offset + size);
  const { rows } = await sql<{ id: Id }>`select id from ${first} as listed order by ${by} limit ${size} offset ${offset}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** What has the words among the first `within` of a list, in its order; no more than `most`. */
export async function walkRecords(
  ctx: Ctx,
  list: RecordList,
  { words, within, most }: { words: string; within: number; most: number },
): Promise<Id[]> {
  const { by, rows: first } = head(list, within);
  const { rows } = await sql<{ id: Id }>`
    select id from ${first} as listed where ${searched(words)} order by ${by} limit ${most}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** SQL for the parts of the words that the index is asked for. */
export async function partsOfWords(ctx: Ctx, list: RecordList, words: string): Promise<RawBuilder<boolean>> {
  const sample = sql`select search from ${sourceOf(list.room)} where ${list.room.scope(list.actor)}`;
  const parts = (await rarestParts(ctx, sample, [words], (word) => sql`lower(f_unaccent(${word}))`)).get(words) ?? [];
  return parts.length === 0 ? searched(words) : sql`${sql.join(parts.slice(0, 3), sql` and `)}`;
}

/** One page of what has the words, and how many have, by the index of words: no more than `most` are looked at, in no order. */
export async function lookUpRecords(
  ctx: Ctx,
  list: RecordList,
  { words, parts, most, offset, size }: Slice & { words: string; parts: RawBuilder<boolean>; most: number | null },
): Promise<{ ids: Id[]; found: number }> {
  const { column, by } = orderOf(list);
  return ctx.transaction(async (tx) => {
    await byIndexOfWords(tx);
    const { rows } = await sql<{ id: Id | null; found: number }>`
      with found as materialized (
        select id, key, key is null as blank from (
          select id, ${column} as key, search from ${sourceOf(list.room)} where (${list.room.scope(list.actor)}) and ${parts} offset 0
        ) as candidates where ${searched(words)} limit ${most}
      ), page as (select id, row_number() over (order by ${by}) as place from found order by ${by} limit ${size} offset ${offset})
      select id, (select count(*) from found) as found from (select 1) as once left join page on true order by place`.execute(tx.db);
    return { ids: rows.flatMap(({ id }) => (id === null ? [] : [id])), found: rows[0]?.found ?? 0 };
  });
}

/** These records of a list, in this order. */
export async function rowsById(ctx: Ctx, { actor, room }: RecordList, ids: readonly Id[]): Promise<Row[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`
    select * from ${sourceOf(room)} where id in (${sql.join([...ids])}) and (${room.scope(actor)})`.execute(ctx.db);
  const found = new Map<unknown, Row>(rows.map((row) => [row['id'], row]));
  return ids.flatMap((id): Row[] => [found.get(id)].filter((row) => row !== undefined));
}
