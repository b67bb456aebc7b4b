/** Deadline rules of sections 5 and 9. Instants are UTC; only the caller knows the user's zone. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Tomorrow plus one hour at minute zero: what the general deadline offers first. */
export function defaultGeneralDeadline(now: Date): Date {
  const instant = new Date(now.getTime() + DAY_MS + HOUR_MS);
  instant.setMinutes(0, 0, 0);
  return instant;
}

/** Individual deadlines step one day each from the default: the `index`-th (zero-based). */
export function defaultIndividualDeadline(now: Date, index: number): Date {
  return new Date(defaultGeneralDeadline(now).getTime() + index * DAY_MS);
}

/** What is offered as somebody's deadline: the default, not before the previous signer's nor after the general one. */
export function offeredIndividualDeadline(
  now: Date,
  index: number,
  { previous, general }: { previous: Date | null; general: Date | null },
): Date {
  const wanted = Math.max(defaultIndividualDeadline(now, index).getTime(), previous?.getTime() ?? 0);
  return new Date(general ? Math.min(wanted, general.getTime()) : wanted);
}

/** A call is judged a little after its deadlines were. */
const CALL_MS = 60_000;
/** So much of the time that a form was open is not held against the deadlines that were chosen in it. */
const FORM_MS = HOUR_MS;
/** What sending takes: a deadline that is a day away by less is not by the time it has been sent. */
const SENDING_MS = 15 * CALL_MS;

/** The first instant that a deadline may have: the next day, which is a day from now. */
export function minimumDeadline(now: Date): Date {
  return new Date(now.getTime() + DAY_MS);
}

/** What deadlines that are chosen in a form are judged by: when it was opened, but not more than an hour ago. */
export function formInstant(opened: Date, now: Date): Date {
  return new Date(Math.min(now.getTime(), Math.max(opened.getTime(), now.getTime() - FORM_MS)));
}

/** A deadline that came nearer than a day while its form was open, moved on to the next whole hour that lets it be sent; others as they are. */
export function keptDeadline(deadline: Date, now: Date): Date {
  const least = minimumDeadline(now).getTime() + SENDING_MS;
  return deadline.getTime() >= minimumDeadline(now).getTime() + CALL_MS ? deadline : new Date(Math.ceil(least / HOUR_MS) * HOUR_MS);
}

export type DeadlineFault = 'process.deadlineTooEarly' | 'process.deadlineBeforeLastIndividual' | 'process.individualDeadlinesNotAscending';

export interface Deadlines {
  /** The process's own deadline. */
  general: Date | null;
  /** One per signer in signing order; null where the signer has none. */
  individual: readonly (Date | null)[];
  /** The order of each of them, where some may sign at the same time; left out: one after the other. */
  orders?: readonly number[];
}

/**
 * Null when the deadlines hold together: ascending, first about a day ahead, general not before the last individual one. Those who
 * sign at the same time come one after another by chance alone: among them nothing has to ascend.
 */
export function deadlineFault(deadlines: Deadlines, now: Date): { fault: DeadlineFault; index?: number } | null {
  const minimum = new Date(minimumDeadline(now).getTime() - CALL_MS);
  let [turn, before, last] = [-1, null as Date | null, null as Date | null];
  for (const [index, deadline] of deadlines.individual.entries()) {
    if (!deadline) continue;
    const order = deadlines.orders?.[index] ?? index;
    if (order !== turn) [turn, before] = [order, last];
    if (before === null && deadline < minimum) return { fault: 'process.deadlineTooEarly', index };
    if (before !== null && deadline < before) return { fault: 'process.individualDeadlinesNotAscending', index };
    last = later(last, deadline);
  }
  if (!deadlines.general) return null;
  if (deadlines.general < minimum) return { fault: 'process.deadlineTooEarly' };
  if (last !== null && deadlines.general < last) return { fault: 'process.deadlineBeforeLastIndividual' };
  return null;
}

function later(one: Date | null, other: Date | null): Date | null {
  return one && (!other || one > other) ? one : other;
}

/** The instant after which nobody is waited for in order: the last individual deadline, or the general one where somebody has none of their own. */
export function lastDeadline({ general, individual }: Deadlines): Date | null {
  if (general && (individual.length === 0 || individual.includes(null))) return general;
  return individual.reduce(later, null);
}

/** Room for a deadline that is extended later. */
const EXTENSION_DAYS = 365;
/** Room for a sealing that waits for a timestamp authority. */
const SEALING_DAYS = 30;
/** Where a signer without a deadline may still come: nobody knows when. */
const OPEN_END_DAYS = 10 * 365;

/**
 * When a signer's single-use certificate ends: past the last deadline of the whole process, not of this signer alone,
 * because the final proofs must be made while it holds. The key is destroyed at once, so that length risks nothing.
 */
export function signerCertificateEnd(deadlines: Deadlines, now: Date): Date {
  const given = [deadlines.general, ...deadlines.individual].filter((deadline): deadline is Date => deadline !== null);
  const isOpen = deadlines.general === null && (deadlines.individual.length === 0 || deadlines.individual.includes(null));
  const days = isOpen ? OPEN_END_DAYS : EXTENSION_DAYS;
  const last = Math.max(now.getTime() + days * DAY_MS, ...given.map((deadline) => deadline.getTime()));
  return new Date(last + SEALING_DAYS * DAY_MS);
}
