import { randomUUID } from 'node:crypto';
import type { Entity, EntityItem } from '@lavra/api';
import { DomainError, limits } from '@lavra/domain';
import { recordAudit } from '../audit/audit.store.ts';
import type { Ctx, Tx } from '../context.ts';
import type { Person } from '../access/actor.ts';
import type { Change, Created, EntityRoom, Holder, Row, Written } from './entity-room.ts';
import { isSentBack } from './sent-back.ts';
import { findPage } from '../db/find-page.ts';
import { deleteRow, findRow, holdRow, insertRow, lockRow, updateRow } from './entity.store.ts';
import {
  countRecords,
  lookUpRecords,
  pageIds,
  partsOfWords,
  type RecordList,
  rowsById,
  type Slice,
  walkRecords,
} from './record-list.store.ts';

type Id = string | number;

/** What a list was asked for, as the wire has it. */
export interface ListAsked {
  page?: number | undefined;
  size?: number | undefined;
  /** `field,asc` or `field,desc`. */
  sort?: string | undefined;
  query?: string | undefined;
}

/** More rows than there can be. */
const EVERYTHING = 2_147_483_647;

/**
 * One page of what the actor may see, and how many there are: where `isTotalExact` is false there are more than `total`, and pages go on
 * as far as there are any. @throws DomainError request.invalid: no such sort
 */
export async function listRecords<E extends Entity>(ctx: Ctx, actor: Person, room: EntityRoom<E>, asked: ListAsked) {
  const { sorts, whole } = room.entity;
  const [sortBy = 'id', direction = 'asc'] = (asked.sort ?? `${sorts[0] ?? 'id'},asc`).split(',');
  if (direction !== 'asc' && direction !== 'desc') throw new DomainError('request.invalid', { field: 'sort' });
  const list: RecordList = { actor, room, sortBy, direction };
  const first = (asked.page ?? 0) * (asked.size ?? limits.entityPageSize);
  const most = Math.max(limits.recordsCountedTo, first + (asked.size ?? limits.entityPageSize));
  const { counted, inTable } = await countRecords(ctx, list, most + 1);
  const size = asked.size ?? (whole ? EVERYTHING : limits.entityPageSize);
  const slice = { offset: (asked.page ?? 0) * size, size };
  const words = (asked.query ?? '').trim();
  const { ids, total, isTotalExact } =
    words === ''
      ? { ids: await pageIds(ctx, list, slice), total: Math.min(counted, most), isTotalExact: counted <= most }
      : await searchRecords(ctx, list, { words, ...slice, listed: counted <= most ? counted : Math.max(counted, inTable) });
  return { items: await itemsOf(ctx, room, await rowsById(ctx, list, ids)), total, ...(isTotalExact ? {} : { isTotalExact }) };
}

function searchRecords(ctx: Ctx, list: RecordList, { words, listed, offset, size }: Slice & { words: string; listed: number }) {
  let parts: ReturnType<typeof partsOfWords> | undefined;
  return findPage<Id>({
    listed,
    offset,
    size,
    counted: limits.searchCountedTo,
    walk: (within, most) => walkRecords(ctx, list, { words, within, most }),
    async lookUp(most) {
      parts ??= partsOfWords(ctx, list, words);
      return lookUpRecords(ctx, list, { words, parts: await parts, most, offset, size });
    },
  });
}

/** @throws DomainError request.notFound: none, or somebody else's */
export async function getRecord<E extends Entity>(ctx: Ctx, actor: Person, room: EntityRoom<E>, id: Id): Promise<EntityItem<E>> {
  return itemOf(ctx, room, found(room, await findRow(ctx, actor, room, id)));
}

/** The same for whoever refers to it: within a transaction it cannot be removed before its end. @throws DomainError request.notFound */
export async function holdRecord<E extends Entity>(tx: Ctx, actor: Person, room: EntityRoom<E>, id: Id): Promise<EntityItem<E>> {
  return itemOf(tx, room, found(room, await holdRow(tx, actor, room, id)));
}

/** @throws what the room's rules refuse */
export function createRecord<E extends Entity>(ctx: Ctx, actor: Person, room: EntityRoom<E>, written: Created<E>): Promise<EntityItem<E>> {
  return ctx.transaction(async (tx) => {
    const { create } = room.acts ?? {};
    const row = create
      ? found(room, await findRow(tx, actor, room, await create(tx, actor, written)))
      : await insertOwn(tx, actor, room, written);
    await noteAct(tx, actor, room, 'record.created', row);
    return itemOf(tx, room, await follow(tx, actor, room, { before: null, after: row, written: written as Written<E> }));
  });
}

function insertOwn<E extends Entity>(tx: Ctx, actor: Person, room: EntityRoom<E>, written: Created<E>): Promise<Row> {
  const own = room.entity.id === 'uuid' ? { id: randomUUID() } : {};
  return insertRow(tx, room, { ...own, ...room.born?.(tx, actor), ...ownColumns(room, written as Written<E>) });
}

/** The columns of a record that its room writes by its row. */
function ownColumns<E extends Entity>(room: EntityRoom<E>, written: Written<E>): Row {
  if (!room.toRow) throw new Error(`${room.entity.path} is written by use cases`);
  return room.toRow(written);
}

/**
 * Changes a record, unless somebody else did since it was read: then nothing is overwritten.
 * @throws DomainError request.notFound, record.changed, record.fixed, and what the room's rules refuse
 */
export function updateRecord<E extends Entity>(
  ctx: Ctx,
  actor: Person,
  room: EntityRoom<E>,
  id: Id,
  written: Written<E> & { version?: number | null | undefined },
): Promise<EntityItem<E>> {
  return ctx.transaction(async (tx) => {
    const before = await heldRow(tx, actor, room, id);
    if ((written.version ?? before['version']) !== before['version']) throw new DomainError('record.changed');
    if (room.entity.sentBack) await assertSentBack(tx, room, before, written);
    const row = await writeRow(tx, actor, room, before, written);
    await noteAct(tx, actor, room, 'record.changed', row, before);
    return itemOf(tx, room, await follow(tx, actor, room, { before, after: row, written }));
  });
}

async function writeRow<E extends Entity>(tx: Tx, actor: Person, room: EntityRoom<E>, before: Row, written: Written<E>): Promise<Row> {
  const id = before['id'] as Id;
  if (!room.acts?.write) return updateRow(tx, room, id, { ...room.changed?.(tx, actor), ...ownColumns(room, written) });
  await room.acts.write.change(tx, actor, before, written);
  return found(room, await findRow(tx, actor, room, id));
}

/** A record that nobody else changes before the end of the transaction. */
async function heldRow<E extends Entity>(tx: Tx, actor: Person, room: EntityRoom<E>, id: Id): Promise<Row> {
  const write = room.acts?.write;
  if (!write) return found(room, await lockRow(tx, actor, room, id));
  // What must be held besides, and in which order, its use cases know; only then it is read as it stands.
  await write.hold(tx, actor, found(room, await findRow(tx, actor, room, id)));
  return found(room, await findRow(tx, actor, room, id));
}

/** What is only read comes back as it was, or not at all. */
async function assertSentBack<E extends Entity>(tx: Ctx, room: EntityRoom<E>, row: Row, written: object): Promise<void> {
  const [kept, sent] = [(await itemOf(tx, room, row)) as Row, written as Row];
  const changed = Object.keys(room.entity.read).find((field) => !isSentBack(sent[field], kept[field]));
  if (changed !== undefined) throw new DomainError('record.fixed', { field: changed });
}

/** @throws DomainError request.notFound, and what the room's rules refuse */
export function deleteRecord<E extends Entity>(
  ctx: Ctx,
  actor: Person,
  room: EntityRoom<E>,
  id: Id,
  holders: readonly Holder[] = [],
): Promise<void> {
  return ctx.transaction(async (tx) => {
    const row = await heldRow(tx, actor, room, id);
    await room.beforeRemoval?.(tx, id);
    for (const isHeld of holders) if (await isHeld(tx, String(id))) throw new DomainError(room.refusals.inUse ?? 'record.inUse');
    if (room.acts?.write) await room.acts.write.remove(tx, actor, row);
    else await deleteRow(tx, room, id);
    await noteAct(tx, actor, room, 'record.deleted', row);
  });
}

/** Has the room do what follows, and answers the record as that leaves it. */
async function follow<E extends Entity>(tx: Tx, actor: Person, room: EntityRoom<E>, change: Omit<Change<E>, 'id'>): Promise<Row> {
  if (!room.followed) return change.after;
  const id = String(change.after['id']);
  await room.followed(tx, actor, { ...change, id });
  return found(room, await findRow(tx, actor, room, id));
}

function found<E extends Entity>(room: EntityRoom<E>, row: Row | undefined): Row {
  if (row === undefined) throw new DomainError(room.refusals.missing ?? 'request.notFound');
  return row;
}

async function itemOf<E extends Entity>(ctx: Ctx, room: EntityRoom<E>, row: Row): Promise<EntityItem<E>> {
  const [item] = await itemsOf(ctx, room, [row]);
  return item as EntityItem<E>;
}

async function itemsOf<E extends Entity>(ctx: Ctx, room: EntityRoom<E>, rows: readonly Row[]): Promise<EntityItem<E>[]> {
  const items = rows.map((row) => ({ id: row['id'], version: row['version'], ...room.fromRow(row) }) as EntityItem<E>);
  return room.completed && items.length > 0 ? room.completed(ctx, items) : items;
}

/** Who did what to which record, and of a change which columns: the values are the record's own affair. */
async function noteAct<E extends Entity>(
  tx: Ctx,
  actor: Person,
  room: EntityRoom<E>,
  kind: 'record.created' | 'record.changed' | 'record.deleted',
  row: Row,
  before?: Row,
): Promise<void> {
  const values = before && room.audited ? changedValues(room, before, row) : null;
  await recordAudit(tx, {
    kind,
    outcome: 'success',
    accountId: actor.userId,
    subjectId: `${room.entity.path}/${String(row['id'])}`,
    ...(values === null ? {} : { details: values }),
  });
}

function changedValues<E extends Entity>(room: EntityRoom<E>, before: Row, after: Row): Record<string, unknown> {
  const [was, is] = [room.fromRow(before), room.fromRow(after)] as [Row, Row];
  return Object.fromEntries(
    Object.keys(is)
      .filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]))
      .map((field) => [field, { from: was[field], to: is[field] }]),
  );
}
