import type { Cnpj, Cpf, EventData, SignerState, TurnFacts } from '@lavra/domain';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Ctx } from '../../context.ts';
import type { SignatureProcessTable } from '../../db/process-tables.ts';
import { FirstReading } from '../../access/first-reading.store.ts';
import { keptStatement } from '../../db/kept-statement.ts';
import { markParts } from '../clock/clock-watch.ts';
import { mailedKeysOf, replacedKeysOf } from '../../access/signer-links.store.ts';
import { accountFacts, accountParts } from '../accounts/find-account.ts';
import { companyParts } from '../companies/find-letterhead-of.ts';
import { documentParts, type Files, type ProcessDocument } from '../documents/process-documents.ts';
import { BEGINNING } from './life/event-chain.ts';
import type { ChainEnd, LoadedProcess, ProcessSigner, SignatureProcess } from './signature-process.ts';

/** A process as it stands, where its chain ends, and the newest instant that the database has seen. */
export interface HeldProcess {
  signatureProcess: SignatureProcess;
  end: ChainEnd;
  seen: Date;
  /** Of its own row: another as soon as anybody has written it, and whatever is added to a draft does. */
  version: string;
}

export interface HeldLoaded extends HeldProcess {
  signatureProcess: LoadedProcess;
}

/**
 * Reads the aggregate in one statement. `lock` keeps its row for the rest of the transaction: acts on one process queue up. FOR NO
 * KEY UPDATE, because every row that names the process holds FOR KEY SHARE on it: with FOR UPDATE two acts that had both inserted
 * such a row would wait for each other. Who had to wait for the row may still read what hangs on it as it was before:
 * `writeDecision` finds that out.
 */
export async function findProcess(ctx: Ctx, id: string, lock: 'lock' | 'read'): Promise<HeldProcess | null> {
  const [row] = lock === 'lock' ? await lockedProcess(ctx.db, { id }) : [await processReadings.alone.find(ctx, { id })];
  return row ? heldOf(row) : null;
}

/**
 * With its documents and its sender. It locks nothing: who acts on it has locked it before, or only reads. `files`: with what its documents'
 * files are put together of, which visitors' calls would read for nothing.
 */
export async function findLoaded(ctx: Ctx, id: string, files?: 'files'): Promise<HeldLoaded | null> {
  const row = await processReadings[files ?? 'facts'].find(ctx, { id });
  return row ? loadedOf(row) : null;
}

/** By signer. */
export type MailedKeys = ReadonlyMap<string, string>;

/** A process with all that its preparation, and the invitations after it, are made of. */
export interface ToPrepare {
  read: HeldLoaded;
  keys: MailedKeys;
}

/** The same with how its documents' pages lie. It locks nothing. */
export async function findToPrepare(ctx: Ctx, id: string): Promise<ToPrepare | null> {
  const row = await processReadings.toPrepare.find(ctx, { id });
  if (!row) return null;
  const { keys, ...own } = row;
  return { read: loadedOf(own), keys: keysOf(keys) };
}

/** What mails about a process are written from. */
export interface ToldProcess {
  loaded: LoadedProcess;
  /** The keys that stand in mails to its signers. */
  keys: MailedKeys;
  /** What the events of their signatures say. */
  signed: readonly { signerId: string | null; data: EventData }[];
}

/** The same as whoever was handed nothing reads it: mails may wait that a run before wrote. */
export interface ReadTold extends ToldProcess {
  /** Keys that stood in mails to its signers before. */
  replaced: readonly { signerId: string; key: string }[];
}

/**
 * A process for those who tell of it. All of one moment: with a key that was read after the address, a signer who was corrected
 * between would have had their new link sent to the old one.
 */
export async function findTold(ctx: Ctx, id: string): Promise<ReadTold | null> {
  const [row] = await told(ctx.db, { id });
  if (!row) return null;
  const { keys, replaced, signed, ...rest } = row;
  return { loaded: loadedOf(rest).signatureProcess, keys: keysOf(keys), replaced, signed };
}

/** Whose turn it is in a process, and until when. */
export async function findTurn(ctx: Ctx, id: string): Promise<TurnFacts | null> {
  const [row] = await turn(ctx.db, { id });
  // JSON has instants as texts.
  return row ? { ...row, signers: row.signers.map((one) => ({ ...one, dueDate: instantOf(one.dueDate) })) } : null;
}

type Db = Ctx['db'];

/** The same as a query, for a statement that reads more on its way; `loadedOf` makes of its row what `findLoaded` answers. */
export function selectLoaded(db: Db, id: string, files?: Files) {
  return selectProcess(db, id).select((eb) => [
    documentParts.ofProcess(eb.ref('signature_process.id'), files).as('documents'),
    accountParts.facts(eb.ref('signature_process.owner_id')).as('sender'),
    companyParts.membership(eb.ref('signature_process.owner_id')).as('membership'),
  ]);
}

/** The keys that stand in mails to its signers, as SQL, and what was read of them. */
export const selectMailedKeys = (id: string) => mailedKeysOf(selectSignerIds(id));
export const keysOf = (keys: Record<string, string>): MailedKeys => new Map(Object.entries(keys));

export function selectSignerIds(id: string): RawBuilder<unknown> {
  return sql`select id from signer where signature_process_id = ${id}`;
}

type LoadedRow = ProcessRow & {
  documents: ProcessDocument[];
  sender: Parameters<typeof accountFacts>[0];
  membership: { companyId: string; joinedAt: string } | null;
};

export function loadedOf({ documents, sender, membership, ...own }: LoadedRow): HeldLoaded {
  const held = heldOf(own);
  const senderCompany = membership && { id: membership.companyId, joinedAt: new Date(membership.joinedAt) };
  return { ...held, signatureProcess: { ...held.signatureProcess, documents, sender: accountFacts(sender), senderCompany } };
}

/** By their names: a statement for whatever columns there are would be planned each time that it is asked (db/client.ts). */
const OWN = [
  'id',
  'owner_id',
  'title',
  'status',
  'modality',
  'due_date',
  'reminder_in',
  'geolocation',
  'lang_key',
  'tell_stakeholders',
  'created_by_front',
  'awaits_start',
  'created_at',
  'touched_at',
  'started_at',
  'prepared_at',
  'finalized_at',
  'files_removed_at',
  'problem',
  'problem_params',
  'evidence_report_hash',
  'evidence_report_size',
] as const;
type OwnRow = Pick<Selectable<SignatureProcessTable>, (typeof OWN)[number]>;

function selectProcess(db: Db, id: string) {
  return db
    .selectFrom('signature_process')
    .select(OWN)
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('signer')
          .selectAll('signer')
          .whereRef('signer.signature_process_id', '=', 'signature_process.id')
          .orderBy('order')
          .orderBy('created_at')
          .orderBy('id'),
      ).as('signers'),
      jsonArrayFrom(
        eb
          .selectFrom('stakeholder')
          .select(['name', 'email'])
          .whereRef('stakeholder.signature_process_id', '=', 'signature_process.id')
          .orderBy('name'),
      ).as('stakeholders'),
      jsonObjectFrom(
        eb
          .selectFrom('event')
          .select(['seq', 'hash', 'at'])
          .whereRef('event.signature_process_id', '=', 'signature_process.id')
          .orderBy('seq', 'desc')
          .limit(1),
      ).as('end'),
      markParts.seen().as('seen'),
      sql<string>`signature_process.xmin::text`.as('version'),
    ])
    .where('id', '=', id);
}

interface OfProcess {
  id: string;
}

/** What is asked of a process, each also as what a call reads first. */
export const processReadings = {
  alone: new FirstReading((db, { id }: OfProcess) => selectProcess(db, id)),
  facts: new FirstReading((db, { id }: OfProcess) => selectLoaded(db, id)),
  files: new FirstReading((db, { id }: OfProcess) => selectLoaded(db, id, 'files')),
  toPrepare: new FirstReading((db, { id }: OfProcess) => selectLoaded(db, id, 'pages').select(selectMailedKeys(id).as('keys'))),
};
const lockedProcess = keptStatement((db, { id }: OfProcess) => selectProcess(db, id).forNoKeyUpdate());
const turn = keptStatement((db, { id }: OfProcess) =>
  db
    .selectFrom('signature_process')
    .select(['status', 'due_date as dueDate', 'finalized_at as finalizedAt'])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('signer')
          .select(['signer.id', 'signer.status', 'signer.order', sql<string | null>`signer.due_date`.as('dueDate')])
          .whereRef('signer.signature_process_id', '=', 'signature_process.id'),
      ).as('signers'),
    )
    .where('id', '=', id),
);
const told = keptStatement((db, { id }: OfProcess) =>
  selectLoaded(db, id).select((eb) => [
    selectMailedKeys(id).as('keys'),
    replacedKeysOf(selectSignerIds(id)).as('replaced'),
    jsonArrayFrom(
      eb
        .selectFrom('event')
        .select(['event.signer_id as signerId', 'event.data'])
        .whereRef('event.signature_process_id', '=', 'signature_process.id')
        .where('event.type', '=', 'signer.signed'),
    ).as('signed'),
  ]),
);

type ProcessRow = OwnRow & {
  signers: SignerJson[];
  stakeholders: { name: string; email: string }[];
  end: { seq: number; hash: string; at: string } | null;
  seen: Date;
  version: string;
};

function heldOf({ signers, stakeholders, end, seen, version, ...own }: ProcessRow): HeldProcess {
  return {
    signatureProcess: { ...processOf(own), signers: signers.map(signerOf), stakeholders },
    end: end ? { ...end, at: new Date(end.at) } : BEGINNING,
    seen,
    version,
  };
}

function processOf(row: OwnRow): Omit<SignatureProcess, 'signers' | 'stakeholders'> {
  const { evidence_report_hash: hash, evidence_report_size: size } = row;
  return {
    id: row.id,
    ownerId: row.owner_id,
    title: row.title,
    status: row.status,
    modality: row.modality,
    dueDate: row.due_date,
    reminderIn: row.reminder_in,
    geolocation: row.geolocation,
    langKey: row.lang_key,
    tellStakeholders: row.tell_stakeholders,
    createdByFront: row.created_by_front,
    awaitsStart: row.awaits_start,
    createdAt: row.created_at,
    touchedAt: row.touched_at,
    startedAt: row.started_at,
    preparedAt: row.prepared_at,
    finalizedAt: row.finalized_at,
    filesRemovedAt: row.files_removed_at,
    problem: row.problem,
    problemParams: row.problem_params ?? {},
    evidenceReport: hash === null || size === null ? null : { hash, size: Number(size) },
  };
}

/** What is read of a signer's row, as JSON has it: instants are texts. */
interface SignerJson {
  id: string;
  user_id: string | null;
  name: string;
  email: string;
  phone_number: string | null;
  legal_identifier: string | null;
  company_identifier: string | null;
  order: number;
  status: SignerState['status'];
  quantity: number;
  visible: boolean;
  model_id: string | null;
  model: ProcessSigner['model'];
  lang_key: ProcessSigner['langKey'];
  due_date: string | null;
  invited_at: string | null;
  opened_at: string | null;
  finalized_at: string | null;
  reject_cause: string | null;
  reminders_sent: number;
  told_again_at: string | null;
}

const instantOf = (text: string | null) => (text === null ? null : new Date(text));

function signerOf(row: SignerJson): ProcessSigner {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    email: row.email,
    phoneNumber: row.phone_number,
    // Written as what `parseCpf` made of it.
    cpf: row.legal_identifier as Cpf | null,
    cnpj: row.company_identifier as Cnpj | null,
    order: row.order,
    status: row.status,
    quantity: row.quantity,
    visible: row.visible,
    modelId: row.model_id,
    model: row.model,
    langKey: row.lang_key,
    dueDate: instantOf(row.due_date),
    invitedAt: instantOf(row.invited_at),
    openedAt: instantOf(row.opened_at),
    finalizedAt: instantOf(row.finalized_at),
    rejectCause: row.reject_cause,
    remindersSent: row.reminders_sent,
    toldAgainAt: instantOf(row.told_again_at),
  };
}
