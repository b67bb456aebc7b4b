import { DomainError } from '@lavra/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Person } from '../access/actor.ts';
import type { EntityRoom, Row } from './entity-room.ts';

type Rows = Kysely<Record<string, Record<string, unknown>>>;
/** The tables of rooms are named at run time. */
const rowsOf = (ctx: Ctx): Rows => ctx.db as unknown as Rows;

/** What a room's records are read from. */
export const sourceOf = (room: EntityRoom): RawBuilder<unknown> => (room.source ? sql`(${room.source}) as record` : sql.table(room.table));

/** Undefined: there is none, or it is somebody else's. */
export async function findRow(ctx: Ctx, actor: Person, room: EntityRoom, id: string | number): Promise<Row | undefined> {
  const { rows } = await ownRow(actor, room, id).execute(ctx.db);
  return rows[0];
}

/** The same within a transaction: it is not removed before the end. */
export async function holdRow(tx: Ctx, actor: Person, room: EntityRoom, id: string | number): Promise<Row | undefined> {
  const { rows } = await sql<Row>`${ownRow(actor, room, id)} for key share`.execute(tx.db);
  return rows[0];
}

/** The same within a transaction: it stays as it is until the end. */
export async function lockRow(tx: Ctx, actor: Person, room: EntityRoom, id: string | number): Promise<Row | undefined> {
  const { rows } = await sql<Row>`${ownRow(actor, room, id)} for update`.execute(tx.db);
  return rows[0];
}

const ownRow = (actor: Person, room: EntityRoom, id: string | number) =>
  sql<Row>`select * from ${sourceOf(room)} where id = ${id} and (${room.scope(actor)})`;

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** The database's refusal in the product's words. */
async function refusing<T>(room: EntityRoom, act: Promise<T>): Promise<T> {
  try {
    return await act;
  } catch (error) {
    const { code, constraint = '' } = error as { code?: string; constraint?: string };
    const { taken, inUse, unknown } = room.refusals;
    const missing = unknown?.[constraint];
    if (code === UNIQUE_VIOLATION) throw new DomainError(taken.code, { field: taken.field });
    if (code === FOREIGN_KEY_VIOLATION && missing) throw new DomainError(missing.code, { field: missing.field });
    if (code === FOREIGN_KEY_VIOLATION) throw new DomainError(inUse ?? 'record.inUse');
    throw error;
  }
}

export function insertRow(ctx: Ctx, room: EntityRoom, row: Row): Promise<Row> {
  return refusing(room, rowsOf(ctx).insertInto(room.table).values(row).returningAll().executeTakeFirstOrThrow());
}

/** Changes the row that `lockRow` holds. */
export function updateRow(ctx: Ctx, room: EntityRoom, id: string | number, row: Row): Promise<Row> {
  const changed = { ...row, version: sql`version + 1` };
  return refusing(room, rowsOf(ctx).updateTable(room.table).set(changed).where('id', '=', id).returningAll().executeTakeFirstOrThrow());
}

/** Removes the row that `lockRow` holds. */
export async function deleteRow(ctx: Ctx, room: EntityRoom, id: string | number): Promise<void> {
  await refusing(room, rowsOf(ctx).deleteFrom(room.table).where('id', '=', id).execute());
}
