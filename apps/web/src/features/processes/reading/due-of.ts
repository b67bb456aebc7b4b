import type { ProcessListItem } from '@lavra/api';
import { formatDateTime } from '../../../lib/format.ts';
import type { Translate } from '../../../lib/i18n.ts';

/** Until when a process of the list may be signed: what each person has of their own stands with them. */
export function dueOf({ dueDate, hasOwnDeadlines }: ProcessListItem, t: Translate): string {
  return dueDate === null && hasOwnDeadlines ? t('word.dueEach') : formatDateTime(dueDate);
}
