import { reminderAt } from './reminders.ts';
import type { ProcessState, SignerState } from './signature-process.ts';

/** Everything that is written to a process's evidence. Sentences live in the locales under `event.<type>`. */
export const processEventTypes = [
  'process.created',
  'process.started',
  'document.prepared',
  'signer.invited',
  'link.handedOut',
  'link.confirmed',
  'signer.opened',
  'signer.consented',
  'signer.signed',
  'signer.evidenceRegistered',
  'signer.rejected',
  'signer.reminded',
  'signer.invitedAgain',
  'signer.nudged',
  'signer.corrected',
  'process.canceled',
  'process.expired',
  'process.sealed',
  'process.extended',
  'process.finalized',
  'files.removed',
] as const;

export type ProcessEventType = (typeof processEventTypes)[number];

/** What an event tells beside its type: names, addresses, hashes. */
export type EventData = Readonly<Record<string, unknown>>;

export interface ProcessEvent {
  type: ProcessEventType;
  signerId: string | null;
  data: EventData;
}

/** The state after an event. The state of a process is its draft and its events, nothing else. */
export function evolve(state: ProcessState, event: ProcessEvent, at: Date): ProcessState {
  switch (event.type) {
    case 'process.started':
      return { ...state, status: 'IN_PROGRESS', startedAt: at };
    case 'document.prepared':
      return { ...state, preparedAt: at };
    case 'signer.invited':
      return withSigner(state, event, { status: 'SENT', invitedAt: at });
    case 'signer.opened':
      return withSigner(state, event, { openedAt: at });
    case 'signer.reminded': {
      const signer = state.signers.find(({ id }) => id === event.signerId);
      return signer ? withSigner(state, event, { remindersSent: reminderAt(signer, state.reminderIn, at) }) : state;
    }
    case 'signer.invitedAgain':
    case 'signer.nudged':
      return withSigner(state, event, { toldAgainAt: at });
    case 'signer.corrected': {
      const { name } = event.data;
      const fresh = { status: 'WAITING', invitedAt: null, openedAt: null, remindersSent: 0, toldAgainAt: null } as const;
      return withSigner(state, event, { ...fresh, ...(typeof name === 'string' ? { name } : {}) });
    }
    case 'signer.signed':
      return withSigner(state, event, { status: 'SIGNED', finalizedAt: instantOfAct(event, at) });
    case 'signer.rejected': {
      const { cause } = event.data;
      const rejectCause = typeof cause === 'string' ? cause : '';
      return { ...withSigner(state, event, { status: 'REJECTED', finalizedAt: at, rejectCause }), ...ended('FINALIZED_BY_REJECTION', at) };
    }
    case 'process.canceled':
      return { ...state, ...ended('CREATOR_CANCELED', at) };
    case 'process.expired':
      return { ...state, ...ended('FINALIZED_BY_EXPIRATION', at) };
    case 'process.finalized':
      return { ...state, ...ended('FINALIZED_WITH_SUCCESS', at) };
    case 'files.removed':
      return { ...state, filesRemovedAt: at };
    // What was told, agreed or added to the files; it moves nothing.
    case 'process.created':
    case 'link.handedOut':
    case 'link.confirmed':
    case 'signer.consented':
    case 'signer.evidenceRegistered':
    case 'process.sealed':
    case 'process.extended':
      return state;
  }
}

/**
 * When what an event tells was done. A signature's time is the one that it says itself, as it stands in the document; making and
 * recording it take a moment more, and nobody shall meet two times for one act. Every other act is its recording.
 */
export function instantOfAct({ type, data }: Pick<ProcessEvent, 'data'> & { type: string }, recordedAt: Date): Date {
  const { signedAt } = data;
  return type === 'signer.signed' && typeof signedAt === 'string' ? new Date(signedAt) : recordedAt;
}

function ended(status: ProcessState['status'], at: Date): Pick<ProcessState, 'status' | 'finalizedAt'> {
  return { status, finalizedAt: at };
}

function withSigner(state: ProcessState, { signerId }: ProcessEvent, change: Partial<SignerState>): ProcessState {
  return { ...state, signers: state.signers.map((signer) => (signer.id === signerId ? { ...signer, ...change } : signer)) };
}

/** A draft and its log, in order: the state that they amount to. */
export function replay(draft: ProcessState, log: readonly (ProcessEvent & { at: Date })[]): ProcessState {
  return log.reduce((state, event) => evolve(state, event, event.at), draft);
}
