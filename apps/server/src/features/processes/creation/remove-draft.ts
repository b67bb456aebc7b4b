import { DomainError } from '@lavra/domain';
import type { Person, System } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { releaseDocuments } from '../../documents/process-documents.ts';
import { deleteDraft, holdDraft } from '../processes.store.ts';
import { continueDraft } from './continue-draft.ts';

/**
 * Removes a draft: its documents become unassigned. Never touches a started process.
 * @throws DomainError process.notFound, process.notDraft
 */
export function removeDraft(ctx: Ctx, actor: Person | System, id: string): Promise<void> {
  return ctx.transaction(async (tx) => {
    if (actor.kind === 'person') await continueDraft(tx, actor, id);
    if (!(await holdDraft(tx, id))) throw new DomainError('process.notDraft');
    await releaseDocuments(tx, id);
    await deleteDraft(tx, id);
  });
}
