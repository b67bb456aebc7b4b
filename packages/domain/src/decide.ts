import { assertDeadlines } from './assert-deadlines.ts';
import { documentCountFault, signerCountFault } from './creation.ts';
import { DomainError } from './errors.ts';
import { isSameName } from './names.ts';
import { canCancel, canRemoveFiles } from './permissions.ts';
import { type EventData, evolve, type ProcessEvent } from './process-events.ts';
import { dueReminders, minutesUntilToldAgain } from './reminders.ts';
import {
  assertMayAct,
  assertNot,
  currentOrder,
  hasExpired,
  type ProcessState,
  refusalToCorrect,
  refusalToSender,
  type SignerState,
  signersToInvite,
} from './signature-process.ts';

/** What happens to a process. `facts`: what only the server knows of the act (addresses, certificates, hashes), for its event. */
export type ProcessAct =
  /** The creation sequence is closed; `closedAt`: by its last write, where nobody closed it (left out: now). */
  | { kind: 'start'; facts: EventData & { documents: readonly unknown[] }; signers: readonly EventData[]; closedAt?: Date }
  /** Every document has its fields and signature pages; `documents`: an event's facts for each. */
  | { kind: 'prepare'; documents: readonly EventData[] }
  /** Somebody was shown a signer's link. */
  | { kind: 'handOutLink'; signerId: string; to: 'signer-session' | 'creator' }
  | { kind: 'open'; signerId: string; facts: EventData }
  /** A signer's will: the signature is made afterwards, and counts with `sign`. */
  | { kind: 'consent'; signerId: string; facts: EventData }
  /** The signature is in every document; `signedAt`: as it says there. */
  | { kind: 'sign'; signerId: string; name: string; signedAt: Date; facts: EventData }
  /** What the signer's own program gave of their act, after it. */
  | { kind: 'registerEvidence'; signerId: string; facts: EventData }
  | { kind: 'reject'; signerId: string; cause: string; facts: EventData }
  | { kind: 'remind' }
  /** The holder of a link that the sender handed over gave the code that was mailed to the signer. */
  | { kind: 'confirmLink'; signerId: string; facts: EventData }
  /** The sender has a signer written to again. */
  | { kind: 'tellAgain'; signerId: string; as: 'invitation' | 'reminder' }
  /** The sender corrects who a signer is; `facts`: what it was and is. The signer is invited anew. */
  | { kind: 'correct'; signerId: string; name: string; facts: EventData }
  | { kind: 'cancel'; by: string }
  | { kind: 'expire' }
  /** All documents and the evidence report are sealed; `added`: what the platform added to the documents, if anything. */
  | { kind: 'finish'; added: { type: 'process.sealed' | 'process.extended'; facts: EventData } | null; facts: EventData }
  /** The files of a process that has ended are kept no longer; `facts`: which they were, and why. */
  | { kind: 'removeFiles'; facts: EventData };

export type ProcessEnd = 'finished' | 'rejected' | 'expired' | 'canceled';

/** What must follow, once, because of a decision. */
export type ProcessEffect =
  | { kind: 'prepareDocuments' }
  | { kind: 'invite'; signerId: string }
  /** `number`: which reminder of theirs it is, from 1; after a pause some are left out. */
  | { kind: 'remind'; signerId: string; number: number }
  /** `at`: which time it is, once an hour at most. */
  | { kind: 'tellAgain'; signerId: string; as: 'invitation' | 'reminder'; at: Date }
  /** Everybody has signed: the platform seals. */
  | { kind: 'finalize' }
  /** Everybody who has heard of the process hears of its end. */
  | { kind: 'announce'; end: ProcessEnd };

export interface Decision {
  next: ProcessState;
  /** What is appended to the log; none: the act changes nothing, and is no fault either. */
  events: readonly ProcessEvent[];
  effects: readonly ProcessEffect[];
}

/**
 * What an act does to a process (an aggregate in the sense of event sourcing): the state after it, what its log tells, and what
 * must follow. Pure; whoever writes all of it down at once has acted. An act that may be repeated (start, prepare, open, expire, remind, handOutLink, removeFiles) and has nothing left to do
 * answers without events.
 * @throws DomainError what `assertMayAct` refuses for sign, reject and consent; process.notInProgress for cancel and finish; process.inProgress for removeFiles; process.notFound for a draft's link; signer.toldRecently; for start the faults of counts, deadlines and reminder
 */
export function decide(state: ProcessState, act: ProcessAct, now: Date): Decision {
  const acted = eventsOf(state, act, now);
  const between = acted.reduce((before, event) => evolve(before, event, now), state);
  const invited = invitations(between);
  const events = [...acted, ...invited];
  const next = invited.reduce((before, event) => evolve(before, event, now), between);
  return { next, events, effects: effectsOf(next, events) };
}

/** Signatures say no less; what is told of their time shall be the same to the last digit. */
function wholeSecond(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1000) * 1000);
}

function eventsOf(state: ProcessState, act: ProcessAct, now: Date): ProcessEvent[] {
  switch (act.kind) {
    case 'start':
      return start(state, act, now);
    case 'prepare': {
      const isDue = state.status === 'IN_PROGRESS' && state.preparedAt === null;
      return isDue ? act.documents.map((facts) => event('document.prepared', null, facts)) : [];
    }
    case 'handOutLink': {
      if (state.status === 'DRAFT') throw new DomainError('process.notFound');
      // A signer sees their own page whenever they like; the creator has nothing to hand out but what is waited for.
      if (act.to === 'creator') assertNot(refusalToSender(state, act.signerId, now));
      const { name, status } = signerOf(state, act.signerId);
      // Told while it bears on an act to come. Later it is a look at one's own page, and whoever looked again and again would keep
      // the end, which is written onto the chain as it stands, from ever being written.
      const isAwaited = state.status === 'IN_PROGRESS' && status === 'SENT';
      return isAwaited ? [event('link.handedOut', act.signerId, { name, to: act.to })] : [];
    }
    case 'open': {
      const { name, status, openedAt } = signerOf(state, act.signerId);
      // Whoever reads a process that has ended, or before their turn, changes nothing of its evidence.
      const isFirst = state.status === 'IN_PROGRESS' && status === 'SENT' && openedAt === null;
      return isFirst ? [event('signer.opened', act.signerId, { name, ...act.facts })] : [];
    }
    case 'consent':
      assertMayAct(state, act.signerId, now);
      return [event('signer.consented', act.signerId, act.facts)];
    case 'sign': {
      assertMayAct(state, act.signerId, now);
      const { name: invitedName } = signerOf(state, act.signerId);
      const other = isSameName(act.name, invitedName) ? {} : { invitedName };
      return [
        event('signer.signed', act.signerId, { name: act.name, signedAt: wholeSecond(act.signedAt).toISOString(), ...other, ...act.facts }),
      ];
    }
    case 'reject': {
      assertMayAct(state, act.signerId, now);
      const { name } = signerOf(state, act.signerId);
      return [event('signer.rejected', act.signerId, { name, cause: act.cause, ...act.facts })];
    }
    case 'remind':
      return remindersOf(state, now).map(({ id, name }) => event('signer.reminded', id, { name }));
    case 'confirmLink':
    case 'tellAgain':
    case 'correct':
    case 'registerEvidence':
      return actedBeside(state, act, now);
    case 'cancel':
      if (!canCancel({ status: state.status, currentIsOwner: true })) throw new DomainError('process.notInProgress');
      return [event('process.canceled', null, { by: act.by })];
    case 'expire':
      return hasExpired(state, now) ? [event('process.expired')] : [];
    case 'finish':
      if (!isFullySigned(state)) throw new DomainError('process.notInProgress');
      return [...(act.added ? [event(act.added.type, null, act.added.facts)] : []), event('process.finalized', null, act.facts)];
    case 'removeFiles':
      if (state.status === 'DRAFT' || state.status === 'IN_PROGRESS') throw new DomainError('process.inProgress');
      return canRemoveFiles(state) ? [event('files.removed', null, act.facts)] : [];
  }
}

/** What the sender does for one signer, what follows from a link that they handed over, and what comes after an act of its evidence. */
function actedBeside(
  state: ProcessState,
  act: Extract<ProcessAct, { kind: 'confirmLink' | 'tellAgain' | 'correct' | 'registerEvidence' }>,
  now: Date,
): ProcessEvent[] {
  switch (act.kind) {
    case 'confirmLink': {
      const { name } = signerOf(state, act.signerId);
      // Whoever looks at what has ended changes nothing of its evidence.
      return state.status === 'IN_PROGRESS' ? [event('link.confirmed', act.signerId, { name, ...act.facts })] : [];
    }
    case 'tellAgain': {
      assertNot(refusalToSender(state, act.signerId, now));
      const { name, toldAgainAt } = signerOf(state, act.signerId);
      const minutes = minutesUntilToldAgain(toldAgainAt, now);
      if (minutes > 0) throw new DomainError('signer.toldRecently', { params: { minutes } });
      return [event(act.as === 'invitation' ? 'signer.invitedAgain' : 'signer.nudged', act.signerId, { name })];
    }
    case 'registerEvidence': {
      const { name, status } = signerOf(state, act.signerId);
      // Without an act there is nothing that it would be the evidence of; what has ended is sealed as it stands.
      const isTold = state.status === 'IN_PROGRESS' && status === 'SIGNED';
      return isTold ? [event('signer.evidenceRegistered', act.signerId, { name, ...act.facts })] : [];
    }
    case 'correct': {
      assertNot(refusalToCorrect(state, act.signerId, now));
      return [event('signer.corrected', act.signerId, { name: act.name, ...act.facts })];
    }
  }
}

/** Whether nothing is missing but the platform's seal. */
export function isFullySigned(state: Pick<ProcessState, 'status' | 'preparedAt' | 'signers'>): boolean {
  return state.status === 'IN_PROGRESS' && state.preparedAt !== null && currentOrder(state.signers) === null;
}

function start(state: ProcessState, { facts, signers, closedAt }: Extract<ProcessAct, { kind: 'start' }>, now: Date): ProcessEvent[] {
  // The closing may be repeated.
  if (state.status !== 'DRAFT') return [];
  const count = signerCountFault(state.signers.length) ?? documentCountFault(facts.documents.length);
  if (count) throw new DomainError(count.fault, { params: count.params });
  const deadlines = {
    general: state.dueDate,
    individual: state.signers.map(({ dueDate }) => dueDate),
    orders: state.signers.map(({ order }) => order),
  };
  assertDeadlines(deadlines, state.reminderIn, closedAt ?? now);
  return [event('process.created', null, facts), event('process.started', null, { signers })];
}

function remindersOf(state: ProcessState, now: Date): SignerState[] {
  if (state.status !== 'IN_PROGRESS') return [];
  const waitingSigners = state.signers.filter(({ status }) => status === 'SENT');
  return dueReminders({ reminderIn: state.reminderIn, dueDate: state.dueDate, waitingSigners }, now);
}

/** Everyone whose turn has come and who has not been told, from the moment that there is something to sign. */
function invitations(state: ProcessState): ProcessEvent[] {
  if (state.status !== 'IN_PROGRESS' || state.preparedAt === null) return [];
  return signersToInvite(state.signers).map(({ id, name }) => event('signer.invited', id, { name, channel: 'e-mail' }));
}

const ends: Partial<Record<ProcessEvent['type'], ProcessEnd>> = {
  'process.finalized': 'finished',
  'signer.rejected': 'rejected',
  'process.expired': 'expired',
  'process.canceled': 'canceled',
};

function effectsOf(next: ProcessState, events: readonly ProcessEvent[]): ProcessEffect[] {
  return events.flatMap(({ type, signerId }): ProcessEffect[] => {
    const end = ends[type];
    if (end) return [{ kind: 'announce', end }];
    if (type === 'process.started') return [{ kind: 'prepareDocuments' }];
    if (type === 'signer.signed') return isFullySigned(next) ? [{ kind: 'finalize' }] : [];
    if (signerId === null) return [];
    if (type === 'signer.invited') return [{ kind: 'invite', signerId }];
    if (type === 'signer.invitedAgain' || type === 'signer.nudged') {
      const { toldAgainAt } = signerOf(next, signerId);
      return toldAgainAt
        ? [{ kind: 'tellAgain', signerId, as: type === 'signer.nudged' ? 'reminder' : 'invitation', at: toldAgainAt }]
        : [];
    }
    if (type === 'signer.reminded') return [{ kind: 'remind', signerId, number: signerOf(next, signerId).remindersSent }];
    return [];
  });
}

function signerOf({ signers }: ProcessState, id: string): SignerState {
  const signer = signers.find((candidate) => candidate.id === id);
  if (!signer) throw new DomainError('signer.notFound');
  return signer;
}

function event(type: ProcessEvent['type'], signerId: string | null = null, data: EventData = {}): ProcessEvent {
  return { type, signerId, data };
}
