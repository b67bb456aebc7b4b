import type { Body, Entity, EntityItem, Reply } from '@lavra/api';
import type { DomainErrorCode } from '@lavra/domain';
import type { RawBuilder } from 'kysely';
import type { Ctx, Tx } from '../context.ts';
import type { Person } from '../access/actor.ts';

/** A record's own columns, as the database has them. */
export type Row = Readonly<Record<string, unknown>>;

/** What one entity adds to the machine: its table, whose rows they are, and the rules of what is kept. Lives in the owner's store. */
export interface EntityRoom<E extends Entity = Entity> {
  readonly entity: E;
  /** With the columns `id`, `version` and `search` (its words without accents and case), unless `source` has them. */
  readonly table: string;
  /** A query over the table, where a record as it is read has more than the table's own columns. */
  readonly source?: RawBuilder<Row>;
  /** The rows that the actor may see and change; others are not found. Never left out, so that whoever adds an entity answers it. */
  scope(actor: Person): RawBuilder<boolean>;
  /** The columns behind the sorts; `text` sorts as people sort names. */
  readonly sorts: Readonly<Record<E['sorts'][number], { readonly column: string; readonly text?: true }>>;
  /** Columns of a new or changed record. Throws DomainError for what is not fit to be kept. */
  toRow?(written: Written<E>): Row;
  /** Where a record is more than its row, the product's own use cases write it, by the product's own rules. */
  readonly acts?: Acts<E>;
  fromRow(row: Row): Omit<EntityItem<E>, 'id' | 'version'>;
  /** Adds what other rooms know of these records, for who reads them: what their people are called. */
  completed?(ctx: Ctx, items: readonly EntityItem<E>[]): Promise<EntityItem<E>[]>;
  /** Adds what is told of one record alone, and in no list. */
  alone?(ctx: Ctx, actor: Person, item: EntityItem<E>): Promise<Reply<E['get']>>;
  /** True where the audit trail keeps the values of a change: nothing personal. */
  readonly audited?: true;
  /** Columns that only a new record gets: its owner, its time. */
  born?(ctx: Ctx, actor: Person): Row;
  /** Columns that a changed record gets beside what was written: by whom, when. */
  changed?(ctx: Ctx, actor: Person): Row;
  /** What a creation or a change brings with it, in its transaction and while the record is held. Throws DomainError for what may not be. */
  followed?(tx: Tx, actor: Person, change: Change<E>): Promise<void>;
  /** Throws DomainError for a record that must stay; takes what goes with one that may go. */
  beforeRemoval?(tx: Ctx, id: string | number): Promise<void> | void;
  /**
   * What a unique key that refuses means here; and, where the usual codes do not say it: that there is none, that others need it, and by
   * the constraint's name that what the record names is not there.
   */
  readonly refusals: {
    readonly taken: { readonly code: DomainErrorCode; readonly field: string };
    readonly missing?: DomainErrorCode;
    readonly inUse?: DomainErrorCode;
    readonly unknown?: Readonly<Record<string, { readonly code: DomainErrorCode; readonly field: string }>>;
  };
}

export interface Acts<E extends Entity> {
  /** Left out: records are created by a call of their own, or by their row. Answers the new record's id. */
  create?(tx: Tx, actor: Person, written: Created<E>): Promise<string>;
  /** Left out: records are changed and removed by their row. */
  readonly write?: {
    /** Holds what must not change meanwhile, to the end of the transaction. Throws DomainError for what is not to be changed any more. */
    hold(tx: Tx, actor: Person, row: Row): Promise<void>;
    change(tx: Tx, actor: Person, row: Row, written: Written<E>): Promise<void>;
    remove(tx: Tx, actor: Person, row: Row): Promise<void>;
  };
}

/** What was done to a record. */
export interface Change<E extends Entity = Entity> {
  readonly id: string;
  /** Null: it is new. */
  readonly before: Row | null;
  readonly after: Row;
  readonly written: Written<E>;
}

/** A room above that needs a record: while it says yes, the record is not removed. Asked while the record is locked. */
export type Holder = (tx: Ctx, id: string) => Promise<boolean>;

/** What a client writes of an entity. */
export type Written<E extends Entity> = Omit<EntityItem<E>, 'version' | 'id'>;

/** What a client writes of a new one. */
export type Created<E extends Entity> = Body<E['create']>;
