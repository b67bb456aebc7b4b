import type { TurnFacts } from '@lavra/domain';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { SignatureProcess } from '../signature-process.ts';
import type { Ctx } from '../../../context.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Person } from '../../../access/actor.ts';
import { searched } from '../../../db/search-words.ts';
import { scope } from '../inbox.store.ts';

export interface ListFilter {
  actor: Pick<Person, 'userId'>;
  page: number;
  size: number;
  sortBy: 'createdDate' | 'title' | 'dueDate' | 'status' | 'finalizedDate';
  direction: 'asc' | 'desc';
  searchText: string;
  requested: boolean;
  received: boolean;
  pending: boolean;
}

const columns = {
  createdDate: 'created_at',
  title: 'title',
  dueDate: 'due_date',
  status: 'status',
  finalizedDate: 'finalized_at',
} as const;

/**
 * The chosen sets without overlap: each is read in its own index's order and only as far as the page goes, where one
 * condition with OR reads and sorts all. No filter chosen shows all that is the user's; several chosen show their union.
 */
function visibleSets({ actor, requested, received, pending, searchText }: ListFilter): RawBuilder<boolean>[] {
  const isAny = requested || received || pending;
  const theirs = scope(actor);
  const chosen = [
    ...(requested || !isAny ? [theirs.owned] : []),
    ...(received || !isAny ? [theirs.received] : []),
    ...(pending ? [theirs.pending] : []),
  ];
  const listed = sql`status <> 'DRAFT'`;
  const words = searchText.trim();
  if (words !== '') {
    // One set, so that the words' index is what finds it.
    return [sql<boolean>`${listed} and (${sql.join(chosen, sql` or `)}) and ${searched(words)}`];
  }
  return chosen.map((set, index) => {
    const others = chosen.slice(0, index).map((earlier) => sql<boolean>`not ${earlier}`);
    return sql<boolean>`${sql.join([listed, set, ...others], sql` and `)}`;
  });
}

export async function countVisibleProcesses(ctx: Ctx, filter: ListFilter): Promise<number> {
  const counts = visibleSets(filter).map((set) => sql`(select count(*) from signature_process where ${set})`);
  const { rows } = await sql<{ total: number }>`select ${sql.join(counts, sql` + `)} as total`.execute(ctx.db);
  return Number(rows[0]?.total);
}

/** The ids of one page: of each set no more than could stand on it. */
function pageOfIds(filter: ListFilter): RawBuilder<string> {
  const order = orderOf(filter);
  const column = sql.ref(columns[filter.sortBy]);
  const offset = filter.page * filter.size;
  const heads = visibleSets(filter).map(
    (set) => sql`(select id, ${column} from signature_process where ${set} order by ${order} limit ${offset + filter.size})`,
  );
  return sql`(select id from (${sql.join(heads, sql` union all `)}) as heads order by ${order} limit ${filter.size} offset ${offset})`;
}

/** `id` breaks ties so that pages do not overlap. Dates that may be missing come last, in both directions. */
function orderOf({ sortBy, direction }: ListFilter): RawBuilder<unknown> {
  const way = direction === 'asc' ? sql`asc` : sql`desc`;
  const nulls = sortBy === 'dueDate' || sortBy === 'finalizedDate' ? sql` nulls last` : sql``;
  // Titles as people sort them: accents and case last, numbers by their value.
  const column = sortBy === 'title' ? sql`title collate people` : sql.ref(columns[sortBy]);
  return sql`${column} ${way}${nulls}, id ${way}`;
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

/** One page. */
export async function listVisibleProcesses(ctx: Ctx, filter: ListFilter): Promise<ListedProcess[]> {
  const rows = await ctx.db
    .selectFrom('signature_process')
    .where('id', 'in', pageOfIds(filter))
    .select(['id', 'title', 'created_at as createdAt', 'finalized_at as finalizedAt', 'due_date as dueDate', 'status', 'modality'])
    .select((eb) => [
      'owner_id as ownerId',
      jsonArrayFrom(
        eb
          .selectFrom('signer')
          .select(['signer.id', 'signer.order', 'signer.status', 'signer.due_date as dueDate'])
          .whereRef('signer.signature_process_id', '=', 'signature_process.id')
          .where('signer.user_id', '=', filter.actor.userId),
      ).as('own'),
      sql<number>`(select count(*) from signer s where s.signature_process_id = signature_process.id)`.as('signerCount'),
      sql<number>`(select count(*) from signer s where s.signature_process_id = signature_process.id and s.status = 'SIGNED')`.as(
        'signedCount',
      ),
    ])
    .orderBy(orderOf(filter))
    .execute();
  return rows.map(({ own, ...row }) => ({
    ...row,
    own: own.map((signer) => ({ ...signer, dueDate: signer.dueDate === null ? null : new Date(signer.dueDate) })),
  }));
}

/** The three counters of the home screen in one query. */
export async function countProcesses(ctx: Ctx, actor: Pick<Person, 'userId'>) {
  const { owned, received, pending } = scope(actor);
  const count = (set: RawBuilder<boolean>) => sql`(select count(*) from signature_process where status <> 'DRAFT' and ${set})`;
  const { rows } = await sql<Record<'requested' | 'received' | 'pending', number>>`select
    ${count(owned)} as requested,
    ${count(received)} as received,
    ${count(pending)} as pending`.execute(ctx.db);
  return { requested: Number(rows[0]?.requested), received: Number(rows[0]?.received), pending: Number(rows[0]?.pending) };
}
