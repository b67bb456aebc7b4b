import { AliasNode, ColumnNode, IdentifierNode, type Kysely, ReferenceNode, type SelectQueryBuilder } from 'kysely';
import type { Ctx } from '../context.ts';
import { keptStatement } from '../db/kept-statement.ts';
import type { Database } from '../db/tables.ts';

type Db = Kysely<Database>;
type Select<Row> = SelectQueryBuilder<Database, never, Row>;

/**
 * A question that a call may have asked with who makes it (callers.store.ts), by one statement for two: of one row at most, and without locks. The same words
 * whatever the values are (db/kept-statement.ts).
 */
export class FirstReading<Values extends object, Row extends object> {
  readonly select: (db: Db, values: Values) => Select<Row>;
  readonly #alone: (db: Db, values: Values) => Promise<Row[]>;

  constructor(select: (db: Db, values: Values) => Select<Row>) {
    this.select = select;
    this.#alone = keptStatement(select);
  }

  /** As the call that `ctx` is of has read it already, once; else, and in a transaction, the database is asked. */
  async find(ctx: Ctx, values: Values): Promise<Row | null> {
    const read = ctx.readFirst?.take(this, values);
    if (read) return read.row as Row | null;
    const [row] = await this.#alone(ctx.db, values);
    return row ?? null;
  }
}

/** The columns that a query answers: a statement for whatever there are would be planned each time that it is asked (db/client.ts). */
export function columnsOf(query: Select<unknown>): string[] {
  const { selections = [] } = query.toOperationNode();
  return selections.map(({ selection }) => {
    if (AliasNode.is(selection) && IdentifierNode.is(selection.alias)) return selection.alias.name;
    if (ReferenceNode.is(selection) && ColumnNode.is(selection.column)) return selection.column.column.name;
    throw new Error('a column without a name is read first');
  });
}

/** Of any kind: what is made of its rows only whoever asks for them knows. */
export type AnyReading = FirstReading<never, object>;

/** What a call is to read first. */
export interface AskedFirst {
  reading: AnyReading;
  values: object;
}

/** What it has read: given out once, so that whoever looks again sees what is so by then. */
export class ReadFirst {
  #left: (AskedFirst & { row: object | null }) | null;

  constructor(asked: AskedFirst, row: object | null) {
    this.#left = { ...asked, row };
  }

  take(reading: object, values: object): { row: object | null } | null {
    const left = this.#left;
    if (left?.reading !== reading || wordsOf(left.values) !== wordsOf(values)) return null;
    this.#left = null;
    return left;
  }
}

/** Of the same call: a moment later is none. */
const wordsOf = (values: object) =>
  JSON.stringify(
    Object.entries(values)
      .filter(([, value]) => !(value instanceof Date))
      .toSorted(),
  );

/** Who asks, as far as their token says, and what they sent, which nobody has checked yet. */
export interface Asking {
  ctx: Ctx;
  userId: string | null;
  /** They show a link's key, and will act as its signer. */
  isByLink: boolean;
  sent: Readonly<Record<'params' | 'query' | 'body', unknown>>;
}

export interface Ahead {
  /** Null: it is no call that could be answered, or of another shape; it reads by itself. */
  askedBy(asking: Asking): AskedFirst | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** What stands in what was sent, by the names on the way there. */
export function sentAt(sent: Asking['sent'], path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], sent);
}

/** Of the row whose id stands there. */
export function byId<Row extends object>(reading: FirstReading<{ id: string }, Row>, path: string): Ahead {
  return {
    askedBy({ sent }) {
      const id = sentAt(sent, path);
      return isId(id) ? { reading, values: { id } } : null;
    },
  };
}
