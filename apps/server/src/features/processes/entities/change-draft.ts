import { assertDeadlines, checkedTitle, DomainError, isReminder } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { parseInstant } from '../../../language/parse-instant.ts';
import { continueDraft } from '../creation/continue-draft.ts';
import { setDraft } from './drafts.store.ts';

/** What is written of a draft; what is left out stays as it is. */
export interface DraftChange {
  id: string;
  title: string;
  dueDate?: string | null | undefined;
  reminderIn?: number | null | undefined;
}

/**
 * Changes a draft of the actor's own. Rules that need the signers (individual deadlines) are checked when it starts.
 * @throws DomainError process.notFound, process.notDraft, text.invisible, process.titleRequired, process.titleTooLong, process.deadlineTooEarly, process.reminderConflict, request.invalid
 */
export function changeDraft(ctx: Ctx, actor: Person, { id, title, dueDate, reminderIn }: DraftChange): Promise<void> {
  return ctx.transaction(async (tx) => {
    const draft = await continueDraft(tx, actor, id);
    const reminder = reminderIn === undefined ? draft.reminderIn : reminderIn;
    if (!isReminder(reminder)) throw new DomainError('request.invalid', { field: 'reminderIn' });
    const due = dueDate === undefined ? draft.dueDate : parseInstant(dueDate, 'dueDate');
    assertDeadlines({ general: due, individual: [] }, reminder, tx.clock.now());
    await setDraft(tx, { id, title: checkedTitle(title), dueDate: due, reminderIn: reminder });
  });
}
