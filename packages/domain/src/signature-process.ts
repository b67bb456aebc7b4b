import { DomainError, type DomainErrorCode } from './errors.ts';

export type Modality = 'digital' | 'electronic';

/** DRAFT never leaves the server: the creation sequence is still open and nothing was sent. */
export type ProcessStatus =
  | 'DRAFT'
  | 'IN_PROGRESS'
  | 'FINALIZED_WITH_SUCCESS'
  | 'FINALIZED_BY_EXPIRATION'
  | 'FINALIZED_BY_REJECTION'
  | 'CREATOR_CANCELED';

/** WAITING is ours: a later order whose turn has not come (shown as "waiting turn"). */
export type SignerStatus = 'WAITING' | 'SENT' | 'SIGNED' | 'REJECTED';

export interface SignerState {
  id: string;
  /** As the creator wrote it. */
  name: string;
  /** Zero-based; equal orders sign in parallel. */
  order: number;
  status: SignerStatus;
  dueDate: Date | null;
  invitedAt: Date | null;
  /** When they opened the documents first. */
  openedAt: Date | null;
  /** When they signed or refused. */
  finalizedAt: Date | null;
  rejectCause: string | null;
  /** Which reminder went out last: see `RemindableSigner`. */
  remindersSent: number;
  /** When the sender last had them written to again. */
  toldAgainAt: Date | null;
}

/** All that decides what may happen to a process next: see `decide`. */
export interface ProcessState {
  status: ProcessStatus;
  modality: Modality;
  dueDate: Date | null;
  /** Days between reminders, or null. */
  reminderIn: number | null;
  startedAt: Date | null;
  /** Every signer's fields stand in the documents; before that nobody is invited. */
  preparedAt: Date | null;
  finalizedAt: Date | null;
  /** Its files were removed; what they were, and all that happened, stays. */
  filesRemovedAt: Date | null;
  signers: readonly SignerState[];
}

/** What tells whose turn it is. */
export interface TurnFacts {
  status: ProcessStatus;
  dueDate: Date | null;
  finalizedAt: Date | null;
  signers: readonly Pick<SignerState, 'id' | 'order' | 'status' | 'dueDate'>[];
}

/** The lowest order that still has someone who has not signed; null when all have. */
export function currentOrder(signers: readonly Pick<SignerState, 'order' | 'status'>[]): number | null {
  const open = signers.filter((signer) => signer.status !== 'SIGNED').map((signer) => signer.order);
  return open.length === 0 ? null : Math.min(...open);
}

/** Signers whose turn it now is and who have not been invited yet. */
export function signersToInvite<S extends Pick<SignerState, 'order' | 'status'>>(signers: readonly S[]): S[] {
  const order = currentOrder(signers);
  return signers.filter((signer) => signer.order === order && signer.status === 'WAITING');
}

/** Why this signer may neither sign nor reject now; null when they may do either. */
export function refusalToAct(state: TurnFacts, signerId: string, now: Date): DomainErrorCode | null {
  const signer = state.signers.find((candidate) => candidate.id === signerId);
  if (!signer) return 'signer.notFound';
  if (signer.status === 'SIGNED') return 'signer.alreadySigned';
  if (signer.status === 'REJECTED') return 'signer.alreadyRejected';
  // The same word before and after the sweep that ends it; who had time left when somebody else's deadline ended it was not late.
  const until = state.status === 'FINALIZED_BY_EXPIRATION' ? (state.finalizedAt ?? now) : now;
  const isOfTime = state.status === 'IN_PROGRESS' || state.status === 'FINALIZED_BY_EXPIRATION';
  if (isOfTime && isLate(state, signer, until)) return 'signer.deadlinePassed';
  if (state.status !== 'IN_PROGRESS') return 'process.notInProgress';
  if (signer.status !== 'SENT' || signer.order !== currentOrder(state.signers)) return 'signer.notYourTurn';
  return null;
}

/** Why the sender may not hand over this signer's link, nor tell them again; null when they may. Of what has ended whose time it was is no matter. */
export function refusalToSender(state: TurnFacts, signerId: string, now: Date): DomainErrorCode | null {
  const refusal = refusalToAct(state, signerId, now);
  return refusal === 'signer.deadlinePassed' && state.status !== 'IN_PROGRESS' ? 'process.notInProgress' : refusal;
}

/** Why the sender may not correct who this signer is; null when they may: nothing was signed or refused, and something still can be. */
export function refusalToCorrect(state: TurnFacts, signerId: string, now: Date): DomainErrorCode | null {
  const refusal = refusalToSender(state, signerId, now);
  return refusal === 'signer.notYourTurn' ? null : refusal;
}

/** Throws what `refusalToAct` answers. */
export function assertMayAct(state: TurnFacts, signerId: string, now: Date): void {
  assertNot(refusalToAct(state, signerId, now));
}

/** Throws what is refused. */
export function assertNot(refusal: DomainErrorCode | null): void {
  if (refusal) throw new DomainError(refusal);
}

/** True when the general deadline or the individual deadline of a signer whose turn it is has passed. */
export function hasExpired(state: TurnFacts, now: Date): boolean {
  if (state.status !== 'IN_PROGRESS') return false;
  // Everybody has signed: what is left is our own sealing, which no deadline may undo.
  if (state.signers.length > 0 && currentOrder(state.signers) === null) return false;
  if (isPast(state.dueDate, now)) return true;
  return state.signers.some((signer) => signer.status !== 'SIGNED' && isPast(signer.dueDate, now));
}

/** Whether no time is left for this signer: neither their own nor the process's. */
function isLate({ dueDate }: Pick<TurnFacts, 'dueDate'>, signer: Pick<SignerState, 'dueDate'>, now: Date): boolean {
  return isPast(signer.dueDate, now) || isPast(dueDate, now);
}

/** Through whom it ended: who refused, or whose own deadline passed. Where the general one passed too, or the sender canceled, it was none of them. */
export function signersWhoEnded<S extends Pick<SignerState, 'status' | 'dueDate'>>(
  state: Pick<ProcessState, 'status' | 'dueDate' | 'finalizedAt'> & { signers: readonly S[] },
): S[] {
  const { status, dueDate, finalizedAt, signers } = state;
  if (status === 'FINALIZED_BY_REJECTION') return signers.filter((signer) => signer.status === 'REJECTED');
  if (status !== 'FINALIZED_BY_EXPIRATION' || finalizedAt === null || isPast(dueDate, finalizedAt)) return [];
  return signers.filter((signer) => signer.status !== 'SIGNED' && isPast(signer.dueDate, finalizedAt));
}

function isPast(deadline: Date | null, now: Date): boolean {
  return deadline !== null && deadline.getTime() <= now.getTime();
}
