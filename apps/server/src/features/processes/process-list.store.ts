import type { Ctx } from '../../context.ts';
import { sql } from 'kysely';
import { pendingFor, receivedBy } from './processes.store.ts';

export interface ListFilter {
  userId: string;
  email: string;
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

function visibleProcesses(ctx: Ctx, filter: ListFilter) {
  const owned = sql<boolean>`signature_process.owner_id = ${filter.userId}`;
  const received = receivedBy(filter.email);
  const pending = pendingFor(filter.email);
  let query = ctx.db
    .selectFrom('signature_process')
    .where('status', '!=', 'DRAFT')
    // No filter chosen shows all that is the user's; several chosen show their union.
    .where((eb) => {
      if (!filter.requested && !filter.received && !filter.pending) return eb.or([owned, received]);
      return eb.or([...(filter.requested ? [owned] : []), ...(filter.received ? [received] : []), ...(filter.pending ? [pending] : [])]);
    });
  const words = filter.searchText.trim();
  if (words !== '') {
    const pattern = `%${words.replace(/[\\%_]/g, (found) => `\\${found}`)}%`;
    query = query.where(sql<boolean>`search like lower(f_unaccent(${pattern}))`);
  }
  return query;
}

export async function countVisibleProcesses(ctx: Ctx, filter: ListFilter): Promise<number> {
  const row = await visibleProcesses(ctx, filter)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** One page, with the number of signatures made and asked for. `id` breaks ties so that pages do not overlap. */
export async function listVisibleProcesses(ctx: Ctx, filter: ListFilter) {
  const column = columns[filter.sortBy];
  return visibleProcesses(ctx, filter)
    .select([
      'id',
      'title',
      'created_at',
      'finalized_at',
      'due_date',
      'status',
      'modality',
      'owner_id',
      pendingFor(filter.email).as('may_sign'),
      sql<number>`(select count(*) from signer s where s.signature_process_id = signature_process.id)`.as('signer_count'),
      sql<number>`(select count(*) from signer s where s.signature_process_id = signature_process.id and s.status = 'SIGNED')`.as(
        'signed_count',
      ),
    ])
    .orderBy(column, (order) => (filter.direction === 'asc' ? order.asc().nullsLast() : order.desc().nullsLast()))
    .orderBy('id', filter.direction)
    .limit(filter.size)
    .offset(filter.page * filter.size)
    .execute();
}

/** The three counters of the home screen in one query. */
export async function countProcesses(ctx: Ctx, user: { id: string; email: string }) {
  const row = await ctx.db
    .selectFrom('signature_process')
    .where('status', '!=', 'DRAFT')
    .where((eb) => eb.or([sql<boolean>`signature_process.owner_id = ${user.id}`, receivedBy(user.email)]))
    .select([
      sql<number>`count(*) filter (where signature_process.owner_id = ${user.id})`.as('requested'),
      sql<number>`count(*) filter (where ${receivedBy(user.email)})`.as('received'),
      sql<number>`count(*) filter (where ${pendingFor(user.email)})`.as('pending'),
    ])
    .executeTakeFirstOrThrow();
  return { requested: Number(row.requested), received: Number(row.received), pending: Number(row.pending) };
}
