import * as api from '@lavra/api';
import type { Modality, ProcessStatus, SignerStatus } from '@lavra/domain';
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import type { EntityRoom, Row } from '../../../entities/entity-room.ts';
import { accountParts } from '../../accounts/find-account.ts';
import { documentParts } from '../../documents/process-documents.ts';

/** Processes and what hangs on them, as generic entities read them. Whoever may see a row: its process's maker, and who signs there. */

const instant = (date: Date | null) => date?.toISOString() ?? null;
const person = ({ userId }: Person) => userId;

export interface ProcessRow {
  id: string;
  owner_id: string;
  title: string;
  due_date: Date | null;
  reminder_in: number | null;
  created_at: Date;
  finalized_at: Date | null;
  status: ProcessStatus;
  modality: Modality;
  created_by_front: boolean;
  files: { id: string; name: string }[];
  owner_name: string | null;
}

export const processRows = {
  entity: api.signatureProcesses,
  table: 'signature_process',
  // The version is what could be overwritten, so that what is added to a draft meanwhile stands in nobody's way.
  source: sql<Row>`
    select p.id, p.owner_id, p.title, p.due_date, p.reminder_in, p.created_at, p.finalized_at, p.status, p.modality, p.created_by_front,
      p.search, hashtext(concat_ws('|', p.title, coalesce(extract(epoch from p.due_date), 0), coalesce(p.reminder_in, 0), p.status)) as version,
      ${documentParts.names(sql`p.id`)} as files, ${accountParts.name(sql`p.owner_id`)} as owner_name
    from signature_process p`,
  scope: (actor: Person) => sql<boolean>`owner_id = ${person(actor)} or (status <> 'DRAFT' and id in (
    select signature_process_id from signer where user_id = ${person(actor)} and status <> 'WAITING'))`,
  sorts: {
    createdDate: { column: 'created_at' },
    title: { column: 'title', text: true },
    dueDate: { column: 'due_date' },
    finalizedDate: { column: 'finalized_at' },
    status: { column: 'status' },
    type: { column: 'modality' },
  },
  fromRow(row: Row) {
    const process = row as unknown as ProcessRow;
    return {
      title: process.title,
      dueDate: instant(process.due_date),
      reminderIn: process.reminder_in,
      createdDate: process.created_at.toISOString(),
      finalizedDate: instant(process.finalized_at),
      status: process.status,
      type: process.modality === 'digital' ? ('DIGITAL_SIGNATURE' as const) : ('ELETRONIC_SIGNATURE' as const),
      files: process.files,
      documents: process.files.map(({ name }) => name).join(', '),
      applicationUser: { id: process.owner_id, name: process.owner_name },
      createdByFront: process.created_by_front,
      finalized: process.status !== 'DRAFT' && process.status !== 'IN_PROGRESS',
    };
  },
  refusals: { taken: { code: 'record.exists', field: 'id' }, missing: 'process.notFound' },
} satisfies EntityRoom<typeof api.signatureProcesses>;

/** The process that a signer, an interested party or a signature belongs to. */
export const processOf = (row: Row): string => String(row['signature_process_id']);

interface SignerRow {
  id: string;
  signature_process_id: string;
  process_title: string;
  process_status: ProcessStatus;
  name: string;
  email: string;
  phone_number: string | null;
  legal_identifier: string | null;
  company_identifier: string | null;
  order: number;
  status: SignerStatus;
  due_date: Date | null;
  created_at: Date;
  finalized_at: Date | null;
}

export const signerRows = {
  entity: api.signers,
  table: 'signer',
  source: sql<Row>`
    select s.id, s.signature_process_id, s.user_id, s.name, s.email, s.phone_number, s.legal_identifier, s.company_identifier, s."order",
      s.status, s.due_date, s.created_at, s.finalized_at, p.owner_id, p.title as process_title, p.status as process_status,
      lower(f_unaccent(s.name || ' ' || s.email || ' ' || p.title)) as search,
      hashtext(concat_ws('|', s.name, s.email, coalesce(s.phone_number, '-'), coalesce(s.legal_identifier, '-'),
        coalesce(s.company_identifier, '-'), s."order", coalesce(extract(epoch from s.due_date), 0), s.status)) as version
    from signer s join signature_process p on p.id = s.signature_process_id`,
  // Their id is what opens their page: to nobody but the maker, who hands it out, and themselves.
  scope: (actor: Person) => sql<boolean>`owner_id = ${person(actor)} or (user_id = ${person(actor)} and status <> 'WAITING')`,
  sorts: {
    createdDate: { column: 'created_at' },
    name: { column: 'name', text: true },
    email: { column: 'email' },
    order: { column: 'order' },
    dueDate: { column: 'due_date' },
    status: { column: 'status' },
  },
  fromRow(row: Row) {
    const signer = row as unknown as SignerRow;
    return {
      name: signer.name,
      email: signer.email,
      phoneNumber: signer.phone_number,
      legalIdentifier: signer.legal_identifier,
      companyIdentifier: signer.company_identifier,
      order: signer.order,
      dueDate: instant(signer.due_date),
      signatureProcess: { id: signer.signature_process_id, name: signer.process_title, status: signer.process_status },
      createdDate: signer.created_at.toISOString(),
      finalizedDate: instant(signer.finalized_at),
      status: signer.status,
    };
  },
  refusals: { taken: { code: 'record.exists', field: 'id' }, missing: 'signer.notFound' },
} satisfies EntityRoom<typeof api.signers>;

export interface StakeholderRow {
  id: string;
  signature_process_id: string;
  process_title: string;
  name: string;
  email: string;
}

export const stakeholderRows = {
  entity: api.stakeholders,
  table: 'stakeholder',
  source: sql<Row>`
    select t.id, t.signature_process_id, t.name, t.email, p.owner_id, p.title as process_title,
      lower(f_unaccent(t.name || ' ' || t.email || ' ' || p.title)) as search, hashtext(concat_ws('|', t.name, t.email)) as version
    from stakeholder t join signature_process p on p.id = t.signature_process_id`,
  scope: (actor: Person) => sql<boolean>`owner_id = ${person(actor)}`,
  sorts: { name: { column: 'name', text: true }, email: { column: 'email' } },
  fromRow(row: Row) {
    const { name, email, ...party } = row as unknown as StakeholderRow;
    return {
      name,
      email,
      stakeholderName: name,
      stakeholderEmail: email,
      signatureProcess: { id: party.signature_process_id, name: party.process_title },
    };
  },
  refusals: { taken: { code: 'stakeholder.duplicateEmail', field: 'email' } },
} satisfies EntityRoom<typeof api.stakeholders>;

export interface SignatureRow {
  id: string;
  signature_process_id: string;
  process_title: string;
  process_status: ProcessStatus;
  signer_id: string;
  signer_name: string;
  document_id: string;
  status: 'SENT' | 'SIGNED' | 'REJECTED';
  reject_cause: string | null;
  created_at: Date;
  finalized_at: Date | null;
}

/** Of a process that all have signed: the call that answers the signed file. */
export function signedFile({ id, status }: { id: string; status: ProcessStatus }, documentId: string) {
  const isFinished = status === 'FINALIZED_WITH_SUCCESS';
  return {
    signatureFinalized: isFinished ? `api/downloadSignature/${id}/${documentId}` : null,
    signatureFinalizedContentType: isFinished ? 'application/pdf' : null,
  };
}

export const signatureRows = {
  entity: api.signatures,
  table: 'signature',
  source: sql<Row>`
    select g.id, g.signature_process_id, g.signer_id, g.document_id, g.status, g.reject_cause, g.created_at, g.finalized_at,
      s.name as signer_name, s.user_id, s.status as signer_status, p.owner_id, p.title as process_title, p.status as process_status,
      lower(f_unaccent(s.name || ' ' || s.email || ' ' || p.title)) as search,
      hashtext(concat_ws('|', g.signer_id, g.document_id, g.status)) as version
    from signature g join signer s on s.id = g.signer_id join signature_process p on p.id = g.signature_process_id`,
  scope: (actor: Person) => sql<boolean>`owner_id = ${person(actor)} or (user_id = ${person(actor)} and signer_status <> 'WAITING')`,
  sorts: { createdDate: { column: 'created_at' }, status: { column: 'status' }, finalizedDate: { column: 'finalized_at' } },
  fromRow(row: Row) {
    const signature = row as unknown as SignatureRow;
    const { signature_process_id: processId, document_id: documentId } = signature;
    return {
      signer: { id: signature.signer_id, name: signature.signer_name },
      document: { id: documentId },
      status: signature.status,
      rejectCause: signature.reject_cause,
      createdDate: signature.created_at.toISOString(),
      finalizedDate: instant(signature.finalized_at),
      signatureProcess: { id: processId, name: signature.process_title, status: signature.process_status },
      ...signedFile({ id: processId, status: signature.process_status }, documentId),
    };
  },
  refusals: { taken: { code: 'record.exists', field: 'document' } },
} satisfies EntityRoom<typeof api.signatures>;

/** Who signs a process, in their order, and their signatures. */
export async function findSigning(ctx: Ctx, signatureProcessId: string) {
  const read = await ctx.db
    .selectFrom('signature_process')
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('signer')
          .select([
            'signer.id',
            'signer.name',
            'signer.email',
            'signer.phone_number as phoneNumber',
            'signer.legal_identifier as legalIdentifier',
          ])
          .select(['signer.company_identifier as companyIdentifier', 'signer.order', 'signer.status', 'signer.visible', 'signer.model'])
          .select(['signer.due_date as dueDate', 'signer.created_at as createdDate', 'signer.finalized_at as finalizedDate'])
          .whereRef('signer.signature_process_id', '=', 'signature_process.id')
          .orderBy('signer.order')
          .orderBy('signer.created_at')
          .orderBy('signer.id'),
      ).as('signers'),
      jsonArrayFrom(
        eb
          .selectFrom('signature')
          .select([
            'signature.id',
            'signature.signer_id as signerId',
            'signature.document_id as documentId',
            'signature.status',
            'signature.reject_cause as rejectCause',
          ])
          .select(['signature.created_at as createdDate', 'signature.finalized_at as finalizedDate'])
          .whereRef('signature.signature_process_id', '=', 'signature_process.id')
          .orderBy('signature.created_at')
          .orderBy('signature.id'),
      ).as('signatures'),
    ])
    .where('id', '=', signatureProcessId)
    .executeTakeFirst();
  return {
    signers: (read?.signers ?? []).map((one) => ({ ...one, ...timesOf(one), dueDate: inUtc(one.dueDate) })),
    signatures: (read?.signatures ?? []).map((one) => ({ ...one, ...timesOf(one) })),
  };
}

/** JSON has instants as texts, in the session's zone. */
const inUtc = (at: Date | string | null) => at && new Date(at).toISOString();
const timesOf = ({ createdDate, finalizedDate }: { createdDate: Date | string; finalizedDate: Date | string | null }) => ({
  createdDate: new Date(createdDate).toISOString(),
  finalizedDate: inUtc(finalizedDate),
});
