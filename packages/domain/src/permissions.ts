import { DAY_MS, HOUR_MS } from './deadlines.ts';
import { limits } from './limits.ts';
import { minutesUntilToldAgain } from './reminders.ts';
import { type ProcessStatus, refusalToAct, refusalToCorrect, type TurnFacts } from './signature-process.ts';

/**
 * Who may do what with a process: one function a verb, over plain facts. The server asks before it acts, and sends the answers
 * along with the data (`can`), so that a button and the call behind it never disagree.
 */
export interface ProcessFacts {
  status: ProcessStatus;
  currentIsOwner: boolean;
}

/** Seen by whoever made it and by those who were invited to sign; a draft is nobody's to look at. For others it does not exist. */
export function canView(facts: ProcessFacts & { currentIsInvited: boolean }): boolean {
  return facts.status !== 'DRAFT' && (facts.currentIsOwner || facts.currentIsInvited);
}

/** A draft is continued, and started, by its maker while it is one. */
export function canContinueDraft({ status, currentIsOwner }: ProcessFacts): boolean {
  return status === 'DRAFT' && currentIsOwner;
}

/** A draft that nobody has gone on with for a day is removed. */
export function canDeleteDraft({ status, createdAt }: { status: ProcessStatus; createdAt: Date }, now: Date): boolean {
  return status === 'DRAFT' && now > draftEnd(createdAt);
}

/** When an abandoned draft is removed. */
export function draftEnd(createdAt: Date): Date {
  return new Date(createdAt.getTime() + limits.draftLifetimeHours * HOUR_MS);
}

/** Cancel is offered only if the process is in progress and the user owns it (section 4). */
export function canCancel({ status, currentIsOwner }: ProcessFacts): boolean {
  return status === 'IN_PROGRESS' && currentIsOwner;
}

/** Download is offered only if the process finished with success (section 4), and while its files are kept. */
export function canDownload({ status, filesRemovedAt }: Pick<ProcessFacts, 'status'> & { filesRemovedAt: Date | null }): boolean {
  return status === 'FINALIZED_WITH_SUCCESS' && filesRemovedAt === null;
}

/** The files of what has ended may go, once; those of a process that runs, or is being written, never. */
export function canRemoveFiles({ status, filesRemovedAt }: Pick<ProcessFacts, 'status'> & { filesRemovedAt: Date | null }): boolean {
  return status !== 'DRAFT' && status !== 'IN_PROGRESS' && filesRemovedAt === null;
}

/** Whether this signer's act is waited for: their turn, within the deadlines, in a process in progress. Whoever may sign may refuse to. */
export function canSign(state: TurnFacts, signerId: string, now: Date): boolean {
  return refusalToAct(state, signerId, now) === null;
}

/** The creator hands a signer's link out, by whatever way they have, while that signer is waited for. */
export function canHandOutLink({ currentIsOwner, ...state }: TurnFacts & ProcessFacts, signerId: string, now: Date): boolean {
  return currentIsOwner && canSign(state, signerId, now);
}

/** The sender has a signer written to again, or tells them by another way, while that signer is waited for. */
export function canTellAgain(facts: TurnFacts & ProcessFacts, signer: { id: string; toldAgainAt: Date | null }, now: Date): boolean {
  return canHandOutLink(facts, signer.id, now) && minutesUntilToldAgain(signer.toldAgainAt, now) === 0;
}

/** The sender corrects who a signer is while that signer has not acted. */
export function canCorrect({ currentIsOwner, ...state }: TurnFacts & ProcessFacts, signerId: string, now: Date): boolean {
  return currentIsOwner && refusalToCorrect(state, signerId, now) === null;
}

/** What ended without everybody's signature is begun again from what it was, while its files are there. */
export function canRepeat({ status, currentIsOwner, filesRemovedAt }: ProcessFacts & { filesRemovedAt: Date | null }): boolean {
  return (
    currentIsOwner && filesRemovedAt === null && ['FINALIZED_BY_REJECTION', 'FINALIZED_BY_EXPIRATION', 'CREATOR_CANCELED'].includes(status)
  );
}

/**
 * Whether a signer's link still opens the documents: without end while the process runs and when it was signed by everybody;
 * for some days after it ended otherwise, so that nobody is surprised, and then no more.
 */
export function linkOpensDocuments(signatureProcess: { status: ProcessStatus; finalizedAt: Date | null }, now: Date): boolean {
  const { status, finalizedAt } = signatureProcess;
  if (status === 'DRAFT') return false;
  if (status === 'IN_PROGRESS' || status === 'FINALIZED_WITH_SUCCESS' || finalizedAt === null) return true;
  return now.getTime() - finalizedAt.getTime() < limits.endedLinkDays * DAY_MS;
}
