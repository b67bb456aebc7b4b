import type { ProcessListItem } from '@lavra/api';
import { fullName, limits, type ProcessStatus } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { Person } from '../../../access/actor.ts';
import { listAccounts } from '../../accounts/find-account.ts';
import { everySets, PENDING, RECEIVED, readCounts, REQUESTED } from '../process-counts.store.ts';
import { abilitiesOf } from './abilities.ts';
import { type ListedProcess, type ListOrder, type ListScope, pageIds, readListed, type Slice } from './process-list.store.ts';
import type { FoundPage } from '../../../db/find-page.ts';
import { searchList } from './search-list.ts';

export interface ListRequest extends Partial<ListOrder> {
  page?: number;
  size?: number;
  searchText?: string;
  requested?: boolean;
  received?: boolean;
  pending?: boolean;
  status?: ProcessStatus;
}

/** Of a list's place: no account comes near it, and it fits the database's numbers. */
const LAST_PAGE = 100_000_000;

/**
 * A page of what the actor asked for or was asked to sign; newest first unless said otherwise. No filter chosen shows all that is
 * theirs, several chosen show what is in any of them.
 */
export async function listProcesses(
  ctx: Ctx,
  actor: Person,
  request: ListRequest,
): Promise<{ total: number; isTotalExact: boolean; signatureProcesses: ProcessListItem[] }> {
  const chosen = (request.requested ? REQUESTED : 0) | (request.received ? RECEIVED : 0) | (request.pending ? PENDING : 0) || ANY;
  const list: ListScope = { actor, sets: everySets.filter((sets) => (sets & chosen) !== 0), status: request.status };
  const order: ListOrder = { sortBy: request.sortBy ?? 'createdDate', direction: request.direction ?? 'desc' };
  const size = Math.min(100, Math.max(1, Math.trunc(request.size ?? limits.processPageSize)));
  const slice = { offset: Math.min(LAST_PAGE, Math.max(0, Math.trunc(request.page ?? 0))) * size, size };
  const listed = (await readCounts(ctx, actor.userId)).listed(chosen);
  const text = (request.searchText ?? '').slice(0, 100).trim();
  const { ids, total, isTotalExact } =
    text === '' && request.status === undefined
      ? await pageOf(ctx, list, order, slice, listed)
      : await searchList(ctx, list, order, { text, ...slice, listed });
  const now = ctx.clock.now();
  const shown = await withCreators(ctx, await readListed(ctx, actor.userId, ids));
  return { total, isTotalExact, signatureProcesses: shown.map((one) => itemOf(one, one.ownerId === actor.userId, now)) };
}

const ANY = REQUESTED | RECEIVED | PENDING;

/** What lies nearer to the list's end is counted from there. */
async function pageOf(ctx: Ctx, list: ListScope, order: ListOrder, { offset, size }: Slice, listed: number): Promise<FoundPage> {
  const after = listed - offset - size;
  const found = { total: listed, isTotalExact: true };
  if (offset >= listed) return { ids: [], ...found };
  if (offset <= after) return { ids: await pageIds(ctx, list, order, { offset, size }, false), ...found };
  const slice = { offset: Math.max(0, after), size: Math.min(size, listed - offset) };
  return { ids: (await pageIds(ctx, list, order, slice, true)).toReversed(), ...found };
}

/** With the name of who sent each. */
async function withCreators(ctx: Ctx, shown: readonly ListedProcess[]): Promise<(ListedProcess & { creatorName: string })[]> {
  const accounts = await listAccounts(ctx, [...new Set(shown.map(({ ownerId }) => ownerId))]);
  const names = new Map(accounts.map((account) => [account.id, fullName(account)]));
  return shown.map((one) => ({ ...one, creatorName: names.get(one.ownerId) ?? '' }));
}

function itemOf(listed: ListedProcess & { creatorName: string }, currentIsOwner: boolean, now: Date): ProcessListItem {
  return {
    id: listed.id,
    title: listed.title,
    createdDate: listed.createdAt.toISOString(),
    finalizedDate: listed.finalizedAt?.toISOString() ?? null,
    filesRemovedDate: listed.filesRemovedAt?.toISOString() ?? null,
    dueDate: listed.dueDate?.toISOString() ?? null,
    hasOwnDeadlines: listed.hasOwnDeadlines,
    // DRAFT never passes the query.
    status: listed.status as ProcessListItem['status'],
    type: listed.modality === 'digital' ? 'DIGITAL_SIGNATURE' : 'ELETRONIC_SIGNATURE',
    currentIsOwner,
    // Nobody is sent for who is not of the current order: their own rows are enough to tell whose turn it is.
    can: abilitiesOf({ ...listed, currentIsOwner, signers: listed.own }, listed.own, now),
    signedCount: listed.signedCount,
    signerCount: listed.signerCount,
    creatorName: listed.creatorName,
    waitingFor: [...listed.waitingFor],
  };
}
