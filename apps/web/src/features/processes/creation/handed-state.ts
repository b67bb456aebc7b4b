import {
  checkedPartyName,
  checkedSignerName,
  isReminder,
  limits,
  nearestQuantity,
  parseCnpj,
  parseCpf,
  parseEmail,
  refusalOf,
} from '@lavra/domain';
import { type ChosenFiles, sortChosenFiles } from './chosen-files.ts';
import type { ProcessDraft, SignerDraft } from './process-draft.ts';

/** What the history carries to /prepare under the specification's names. The draft, where there is one, has all of it and the bytes. */
export interface PrepareState {
  draftId?: string;
  action?: string;
  files?: unknown;
  title?: unknown;
  destinatarios?: unknown;
  processDeadline?: unknown;
  individualDeadline?: unknown;
  stakeholders?: unknown;
  reminder?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;
const names = ['files', 'title', 'destinatarios', 'processDeadline', 'individualDeadline', 'stakeholders', 'reminder'] as const;

/** Whether a navigation's state hands over a process that is no draft here yet. */
export function isHandedOver(state: PrepareState): boolean {
  return state.draftId === undefined && names.some((name) => state[name] !== undefined);
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** A date, its number or its text as an instant; null for whatever is none. */
function instant(value: unknown): string | null {
  if (!(value instanceof Date) && typeof value !== 'string' && typeof value !== 'number') return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function signerOf(value: unknown, deadline: unknown): SignerDraft | null {
  const given = fields(value);
  const email = parseEmail(text(given.email), limits.signerEmailMax);
  if (email === null || refusalOf(() => checkedSignerName(text(given.name)))) return null;
  return {
    id: crypto.randomUUID(),
    name: checkedSignerName(text(given.name)),
    email,
    phoneNumber: text(given.phoneNumber).slice(0, limits.signerPhoneMax) || null,
    cpf: parseCpf(text(given.legalIdentifier)),
    cnpj: parseCnpj(text(given.companyIdentifier)),
    quantity: nearestQuantity(Number(given.quantity ?? 1)),
    dueDate: instant(deadline ?? given.dueDate),
  };
}

function partyOf(value: unknown): ProcessDraft['stakeholders'][number] | null {
  const given = fields(value);
  const name = text(given.name ?? given.stakeholderName);
  const email = parseEmail(text(given.email ?? given.stakeholderEmail));
  return email === null || refusalOf(() => checkedPartyName(name)) ? null : { name: checkedPartyName(name), email };
}

export interface HandedOver {
  files: readonly File[];
  content: Partial<ProcessDraft>;
  /** Files that are none of ours to take, with the reason's key. */
  refused: ChosenFiles['refused'];
  /** How many people could not be taken: without a name or an address that will do. */
  peopleLeftOut: number;
}

/** Of a navigation's state what a draft is made of; what cannot be taken is counted, not guessed. */
export function handedOver(state: PrepareState, maxBytes: number | undefined): HandedOver {
  const chosen = sortChosenFiles(
    list(state.files).filter((file) => file instanceof File),
    [],
    maxBytes,
  );
  const each = list(state.individualDeadline);
  const people = list(state.destinatarios);
  const signers = people.map((person, index) => signerOf(person, each[index])).filter((signer) => signer !== null);
  const told = list(state.stakeholders);
  const all = told.map(partyOf).filter((party) => party !== null);
  // A repeated e-mail is not added.
  const stakeholders = [...new Map(all.toReversed().map((party) => [party.email, party])).values()].toReversed();
  const deadline = instant(state.processDeadline);
  const days = typeof state.reminder === 'number' && isReminder(state.reminder) ? state.reminder : null;
  return {
    files: chosen.accepted,
    refused: chosen.refused,
    peopleLeftOut: people.length - signers.length + told.length - all.length,
    content: {
      ...(text(state.title) === '' ? {} : { title: text(state.title).slice(0, limits.titleMax) }),
      signers,
      multiple: signers.some(({ quantity }) => quantity > 1),
      individual: state.individualDeadline === true || signers.some(({ dueDate }) => dueDate !== null),
      stakeholders,
      hasStakeholders: stakeholders.length > 0,
      hasDeadline: deadline !== null,
      deadline,
      hasReminder: days !== null,
      ...(days === null ? {} : { reminderDays: days }),
    },
  };
}

/** The same names on the way back from /confirm; the draft's id stands for the bytes of its files. */
export function returningState(draft: ProcessDraft): PrepareState {
  return {
    draftId: draft.id,
    action: 'returning',
    files: draft.files.map(({ id, name }) => ({ id, name })),
    title: draft.title,
    destinatarios: draft.signers.map(({ name, email, quantity }) => ({ name, email, quantity })),
    processDeadline: draft.hasDeadline ? draft.deadline : null,
    individualDeadline: draft.individual ? draft.signers.map(({ dueDate }) => dueDate) : false,
    stakeholders: draft.hasStakeholders ? draft.stakeholders : [],
    reminder: draft.hasReminder ? draft.reminderDays : null,
  };
}
