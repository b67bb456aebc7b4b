import type { Cnpj, Cpf, ProcessState, SignerState } from '@lavra/domain';
import { type Selectable, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Ctx } from '../../context.ts';
import type { SignatureProcessTable } from '../../db/process-tables.ts';
import { markParts, type RecordingInstant } from '../clock/clock-watch.ts';
import { documentParts } from '../documents/process-documents.ts';
import { BEGINNING, type RecordedEvent } from './life/event-chain.ts';
import { accountsInvited } from './inbox.store.ts';
import type { ChainEnd, LoadedProcess, ProcessSigner, SignatureProcess } from './signature-process.ts';

/** A process as it stands, where its chain ends, and the newest instant that the database has seen. */
export interface HeldProcess {
  signatureProcess: SignatureProcess;
  end: ChainEnd;
  seen: Date;
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
  const query = selectProcess(ctx, id);
  const row = await (lock === 'lock' ? query.forNoKeyUpdate() : query).executeTakeFirst();
  return row ? heldOf(row) : null;
}

/** With its documents. It locks nothing: who acts on it has locked it before, or only reads. */
export async function findLoaded(ctx: Ctx, id: string): Promise<HeldLoaded | null> {
  const row = await selectProcess(ctx, id)
    .select((eb) => documentParts.ofProcess(eb.ref('signature_process.id')).as('documents'))
    .executeTakeFirst();
  if (!row) return null;
  const { documents, ...own } = row;
  const held = heldOf(own);
  return { ...held, signatureProcess: { ...held.signatureProcess, documents } };
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

function selectProcess(ctx: Ctx, id: string) {
  return ctx.db
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
    ])
    .where('id', '=', id);
}

type ProcessRow = OwnRow & {
  signers: SignerJson[];
  stakeholders: { name: string; email: string }[];
  end: { seq: number; hash: string; at: string } | null;
  seen: Date;
};

function heldOf({ signers, stakeholders, end, seen, ...own }: ProcessRow): HeldProcess {
  return {
    signatureProcess: { ...processOf(own), signers: signers.map(signerOf), stakeholders },
    end: end ? { ...end, at: new Date(end.at) } : BEGINNING,
    seen,
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
  visible: boolean;
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
    visible: row.visible,
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

/** What is written of a decision: the state before and after it, its events, and the chain's end that they follow. */
export interface Written {
  before: SignatureProcess;
  next: ProcessState;
  end: ChainEnd;
  records: readonly RecordedEvent[];
  instant: RecordingInstant;
}

/**
 * Writes a decision in one statement: the events, and what they change of the process, its signers and their signatures; each
 * change from the state that was decided on. The row of the process is held by then (`findProcess` with `lock`). False, and nothing
 * written, when the chain has gone on meanwhile: what was decided on was not the newest state.
 */
export async function writeDecision(tx: Ctx, { before, next, end, records, instant }: Written): Promise<boolean> {
  const changed = next.signers.flatMap((signer, index) => {
    const was = before.signers[index];
    return was && was !== signer ? [{ ...signer, was: was.status }] : [];
  });
  const isMoved = next.status !== before.status || next.preparedAt !== before.preparedAt || next.filesRemovedAt !== before.filesRemovedAt;
  const isFreed = next.preparedAt !== before.preparedAt || next.status === 'FINALIZED_WITH_SUCCESS';
  const answer = await sql<{ isNewest: boolean; appended: number; moved: number; changed: number }>`
    with newest as (
      select 1 where coalesce((select max(seq) from event where signature_process_id = ${before.id}), 0) = ${end.seq}
    ), appended as (
      insert into event (signature_process_id, seq, at, type, signer_id, data, previous_hash, hash)
      select ${before.id}, seq, at, type, "signerId", data, "previousHash", hash
      from newest, jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
        as e (seq int, at timestamptz, type text, "signerId" uuid, data jsonb, "previousHash" text, hash text)
      returning seq
    ), moved as (
      update signature_process set
        status = ${next.status}, started_at = ${next.startedAt}, prepared_at = ${next.preparedAt}, finalized_at = ${next.finalizedAt},
        files_removed_at = ${next.filesRemovedAt},
        problem = case when ${isFreed} then null else problem end,
        problem_params = case when ${isFreed} then null else problem_params end
      from newest where id = ${before.id} and status = ${before.status} and ${isMoved}
      returning id
    ), account as materialized (
      ${accountsInvited(changed.filter(({ was }) => was === 'WAITING').map(({ id }) => id))}
    ), changed as (
      update signer set
        status = c.status, invited_at = c."invitedAt", opened_at = c."openedAt", finalized_at = c."finalizedAt",
        reject_cause = c."rejectCause", reminders_sent = c."remindersSent", told_again_at = c."toldAgainAt",
        user_id = case when c.was = 'WAITING' then coalesce(user_id, (select id from account where account.email = signer.email and account.activated)) else user_id end
      from newest, jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as c (
        id uuid, was text, status text, "invitedAt" timestamptz, "openedAt" timestamptz, "finalizedAt" timestamptz,
        "rejectCause" text, "remindersSent" int, "toldAgainAt" timestamptz
      )
      where signer.id = c.id and signer.signature_process_id = ${before.id} and signer.status = c.was
      returning signer.id, signer.status, signer.finalized_at, signer.reject_cause
    ), closed as (
      update signature set status = changed.status, finalized_at = changed.finalized_at, reject_cause = changed.reject_cause
      from changed where signature.signer_id = changed.id and changed.status in ('SIGNED', 'REJECTED')
    )${instant.mark ? sql`, marked as (${markParts.advance(instant.mark)})` : sql``}
    select
      exists (select from newest) as "isNewest",
      (select count(*) from appended) as appended, (select count(*) from moved) as moved, (select count(*) from changed) as changed
  `.execute(tx.db);
  const [written] = answer.rows;
  if (!written?.isNewest) return false;
  const isWhole = written.appended === records.length && written.moved === Number(isMoved) && written.changed === changed.length;
  if (!isWhole) throw new Error('a decision was not written as it was made');
  return true;
}
