import { type Deadlines, deadlineFault } from './deadlines.ts';
import { DomainError } from './errors.ts';
import { reminderConflicts } from './reminders.ts';

/**
 * Holds deadlines, as far as they are known, and a reminder to their rules.
 * @throws DomainError process.deadlineTooEarly, deadlineBeforeLastIndividual, individualDeadlinesNotAscending, reminderConflict
 */
export function assertDeadlines(deadlines: Deadlines, reminderIn: number | null, now: Date): void {
  const found = deadlineFault(deadlines, now);
  if (found) throw new DomainError(found.fault, { field: 'dueDate' });
  if (reminderIn !== null && reminderConflicts(reminderIn, deadlines, now))
    throw new DomainError('process.reminderConflict', { field: 'reminderIn' });
}
