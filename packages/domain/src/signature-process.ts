import { DomainError } from './errors.ts';

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
  /** Zero-based; equal orders sign in parallel. */
  order: number;
  status: SignerStatus;
  dueDate: Date | null;
}

export interface ProcessState {
  status: ProcessStatus;
  dueDate: Date | null;
  signers: readonly SignerState[];
}

/** The lowest order that still has someone who has not signed; null when all have. */
export function currentOrder(signers: readonly SignerState[]): number | null {
  const open = signers.filter((signer) => signer.status !== 'SIGNED').map((signer) => signer.order);
  return open.length === 0 ? null : Math.min(...open);
}

/** Signers whose turn it now is and who have not been invited yet. */
export function signersToInvite(signers: readonly SignerState[]): SignerState[] {
  const order = currentOrder(signers);
  return signers.filter((signer) => signer.order === order && signer.status === 'WAITING');
}

/** Whether this signer may act (sign or reject) now. Throws the reason when not. */
export function assertMayAct(state: ProcessState, signerId: string, now: Date): void {
  const signer = state.signers.find((candidate) => candidate.id === signerId);
  if (!signer) throw new DomainError('signer.notFound');
  if (signer.status === 'SIGNED') throw new DomainError('signer.alreadySigned');
  if (signer.status === 'REJECTED') throw new DomainError('signer.alreadyRejected');
  if (state.status !== 'IN_PROGRESS') throw new DomainError('process.notInProgress');
  if (isPast(signer.dueDate, now) || isPast(state.dueDate, now)) throw new DomainError('signer.deadlinePassed');
  if (signer.status !== 'SENT' || signer.order !== currentOrder(state.signers)) throw new DomainError('signer.notYourTurn');
}

/** True when the general deadline or the individual deadline of a signer whose turn it is has passed. */
export function hasExpired(state: ProcessState, now: Date): boolean {
  if (state.status !== 'IN_PROGRESS') return false;
  // Everybody has signed: what is left is our own sealing, which no deadline may undo.
  if (state.signers.length > 0 && currentOrder(state.signers) === null) return false;
  if (isPast(state.dueDate, now)) return true;
  return state.signers.some((signer) => signer.status !== 'SIGNED' && isPast(signer.dueDate, now));
}

function isPast(deadline: Date | null, now: Date): boolean {
  return deadline !== null && deadline.getTime() <= now.getTime();
}
