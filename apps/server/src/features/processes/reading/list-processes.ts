import type { ProcessListItem } from '@lavra/api';
import { limits } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { Person } from '../../../access/actor.ts';
import { countVisibleProcesses, type ListFilter, listVisibleProcesses } from './process-list.store.ts';

export interface ListRequest extends Partial<Omit<ListFilter, 'userId'>> {}

/** A page of what the actor asked for or was asked to sign; newest first unless said otherwise. */
export async function listProcesses(
  ctx: Ctx,
  actor: Person,
  request: ListRequest,
): Promise<{ total: number; signatureProcesses: ProcessListItem[] }> {
  const filter: ListFilter = {
    userId: actor.userId,
    page: Math.max(0, Math.trunc(request.page ?? 0)),
    size: Math.min(100, Math.max(1, Math.trunc(request.size ?? limits.processPageSize))),
    sortBy: request.sortBy ?? 'createdDate',
    direction: request.direction ?? 'desc',
    searchText: (request.searchText ?? '').slice(0, 100),
    requested: request.requested ?? false,
    received: request.received ?? false,
    pending: request.pending ?? false,
  };
  const [total, rows] = await Promise.all([countVisibleProcesses(ctx, filter), listVisibleProcesses(ctx, filter)]);
  const signatureProcesses = rows.map((row) => ({
    id: row.id,
    title: row.title,
    createdDate: row.created_at.toISOString(),
    finalizedDate: row.finalized_at?.toISOString() ?? null,
    dueDate: row.due_date?.toISOString() ?? null,
    // DRAFT never passes the query.
    status: row.status as ProcessListItem['status'],
    type: row.modality === 'digital' ? ('DIGITAL_SIGNATURE' as const) : ('ELETRONIC_SIGNATURE' as const),
    currentIsOwner: row.owner_id === actor.userId,
    currentMaySign: row.may_sign,
    signedCount: Number(row.signed_count),
    signerCount: Number(row.signer_count),
  }));
  return { total, signatureProcesses };
}
