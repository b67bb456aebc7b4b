import type { ProcessListItem } from '@lavra/api';
import { limits } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { Person } from '../../../access/actor.ts';
import { abilitiesOf } from './abilities.ts';
import { countVisibleProcesses, type ListedProcess, type ListFilter, listVisibleProcesses } from './process-list.store.ts';

export interface ListRequest extends Partial<Omit<ListFilter, 'actor'>> {}

/** A page of what the actor asked for or was asked to sign; newest first unless said otherwise. */
export async function listProcesses(
  ctx: Ctx,
  actor: Person,
  request: ListRequest,
): Promise<{ total: number; signatureProcesses: ProcessListItem[] }> {
  const filter: ListFilter = {
    actor,
    page: Math.max(0, Math.trunc(request.page ?? 0)),
    size: Math.min(100, Math.max(1, Math.trunc(request.size ?? limits.processPageSize))),
    sortBy: request.sortBy ?? 'createdDate',
    direction: request.direction ?? 'desc',
    searchText: (request.searchText ?? '').slice(0, 100),
    requested: request.requested ?? false,
    received: request.received ?? false,
    pending: request.pending ?? false,
  };
  const [total, listed] = await Promise.all([countVisibleProcesses(ctx, filter), listVisibleProcesses(ctx, filter)]);
  const now = ctx.clock.now();
  return { total, signatureProcesses: listed.map((one) => itemOf(one, one.ownerId === actor.userId, now)) };
}

function itemOf(listed: ListedProcess, currentIsOwner: boolean, now: Date): ProcessListItem {
  return {
    id: listed.id,
    title: listed.title,
    createdDate: listed.createdAt.toISOString(),
    finalizedDate: listed.finalizedAt?.toISOString() ?? null,
    dueDate: listed.dueDate?.toISOString() ?? null,
    // DRAFT never passes the query.
    status: listed.status as ProcessListItem['status'],
    type: listed.modality === 'digital' ? 'DIGITAL_SIGNATURE' : 'ELETRONIC_SIGNATURE',
    currentIsOwner,
    // Nobody is sent for who is not of the current order: their own rows are enough to tell whose turn it is.
    can: abilitiesOf({ ...listed, currentIsOwner, signers: listed.own }, listed.own, now),
    signedCount: listed.signedCount,
    signerCount: listed.signerCount,
  };
}
