import { DomainError } from '@lavra/domain';
import type { Ctx, Tx } from '../../../context.ts';
import { releaseDocuments } from '../../documents/process-documents.ts';
import { deleteDraft, holdDraft } from '../processes.store.ts';
import * as store from './personal-processes.store.ts';

export type DataSubject = store.DataSubject;

const AT_ONCE = 100;

/** What somebody started, or signs, or was told of. */
export function listIdsAbout(ctx: Ctx, subject: DataSubject): Promise<string[]> {
  return store.listIdsAbout(ctx, subject);
}

/** The signers that somebody is. */
export function listSignersOf(ctx: Ctx, subject: DataSubject): Promise<string[]> {
  return store.listSignersOf(ctx, subject);
}

/** What somebody started that ended without success, and whose files are kept. */
export async function* everyUnsuccessful(ctx: Ctx, ownerId: string): AsyncGenerator<string> {
  const statuses = ['FINALIZED_BY_EXPIRATION', 'FINALIZED_BY_REJECTION', 'CREATOR_CANCELED'] as const;
  for (let after: string | null = null; ;) {
    const ids: string[] = await store.listOwnIds(ctx, ownerId, { statuses, after, limit: AT_ONCE });
    yield* ids;
    if (ids.length < AT_ONCE) return;
    after = ids.at(-1) ?? null;
  }
}

/**
 * Their drafts go, and what of them stands in ended processes and is no evidence; of what runs it is noted, for `forgetAfterEnd`. Call inside the transaction that erases them.
 * @throws DomainError user.processesRunning: others are waiting for what they started
 */
export async function eraseFromProcesses(tx: Tx, subject: DataSubject): Promise<void> {
  const own = { after: null, limit: 1000 };
  if ((await store.listOwnIds(tx, subject.id, { ...own, statuses: ['IN_PROGRESS'] })).length > 0)
    throw new DomainError('user.processesRunning');
  for (const id of await store.listOwnIds(tx, subject.id, { ...own, statuses: ['DRAFT'] })) {
    // Started at this very moment: it runs.
    if (!(await holdDraft(tx, id))) throw new DomainError('user.processesRunning');
    await releaseDocuments(tx, id);
    await deleteDraft(tx, id);
  }
  // Noted first: what ends meanwhile is forgotten either way.
  await store.askToForget(tx, subject);
  await store.forgetContacts(tx, subject);
}

/**
 * What was left of people who were erased while a process needed them, and which has ended since. `alsoForget`: what other rooms keep
 * of these signers, in the same transaction; it answers of whom something is left, to be asked of again.
 */
export async function forgetAfterEnd(ctx: Ctx, alsoForget: (tx: Tx, signerIds: readonly string[]) => Promise<string[]>): Promise<void> {
  for (let after: string | null = null; ;) {
    const ids: string[] = await store.listToForget(ctx, after, AT_ONCE);
    await ctx.transaction(async (tx) => store.forgetSigners(tx, ids, await alsoForget(tx, ids)));
    if (ids.length < AT_ONCE) break;
    after = ids.at(-1) ?? null;
  }
  await store.forgetStakeholders(ctx);
}
