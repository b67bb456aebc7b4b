import { type Cnpj, type Cpf, type Placement, type SignatureModel } from '@lavra/domain';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { FirstReading } from '../../../access/first-reading.store.ts';
import type { Ctx } from '../../../context.ts';
import { MovedOn, type Write, writeAtOnce } from '../../../db/at-once.ts';
import { documentParts } from '../../documents/process-documents.ts';
import { contractParts } from '../../plans/assert-contract-active.ts';
import { touchWrites } from '../processes.store.ts';
import type { SignatureProcess } from '../signature-process.ts';

type NewDraft = Pick<
  SignatureProcess,
  | 'id'
  | 'ownerId'
  | 'title'
  | 'modality'
  | 'dueDate'
  | 'reminderIn'
  | 'geolocation'
  | 'langKey'
  | 'tellStakeholders'
  | 'createdByFront'
  | 'awaitsStart'
>;

/** Begins a draft, with what belongs to it, in one statement. */
export async function insertProcess(tx: Ctx, draft: NewDraft, beside: readonly Write[] = []): Promise<void> {
  const now = tx.clock.now();
  const query = tx.db.insertInto('signature_process').values({
    id: draft.id,
    owner_id: draft.ownerId,
    title: draft.title,
    status: 'DRAFT',
    modality: draft.modality,
    due_date: draft.dueDate,
    reminder_in: draft.reminderIn,
    geolocation: draft.geolocation,
    lang_key: draft.langKey,
    tell_stakeholders: draft.tellStakeholders,
    created_by_front: draft.createdByFront,
    awaits_start: draft.awaitsStart,
    created_at: now,
    touched_at: now,
    problem: null,
    problem_params: null,
    evidence_report_hash: null,
    evidence_report_size: null,
  });
  await writeAtOnce(tx.db, [{ as: 'begun', query }, ...beside]);
}

/** What a draft is begun on: the documents that it is to take, and whether its owner's contract has passed. */
export async function findBeginning(ctx: Ctx, ownerId: string, documentIds: readonly string[]) {
  const row = await beginningReading.find(ctx, { ownerId, documentIds, now: ctx.clock.now() });
  return row ?? { documents: [], isSuspended: false };
}

interface OfBeginning {
  ownerId: string;
  documentIds: readonly string[];
  now: Date;
}

export const beginningReading = new FirstReading((db, { ownerId, documentIds, now }: OfBeginning) =>
  db.selectNoFrom([documentParts.byIds(documentIds).as('documents'), contractParts.isSuspended(ownerId, now).as('isSuspended')]),
);

export interface NewSigner {
  id: string;
  name: string;
  email: string;
  phoneNumber: string | null;
  cpf: Cpf | null;
  cnpj: Cnpj | null;
  order: number;
  quantity: number;
  visible: boolean;
  modelId: string | null;
  model: SignatureModel | null;
  dueDate: Date | null;
}

/** Adds a signer, who waits, with their boxes, to a draft whose row is still as it was read. @throws MovedOn when it is not */
export async function insertSigner(
  ctx: Ctx,
  draft: Pick<SignatureProcess, 'id' | 'langKey'> & { version: string },
  signer: NewSigner,
  placements: readonly Placement[],
): Promise<void> {
  const added = ctx.db.insertInto('signer').values({
    id: signer.id,
    signature_process_id: draft.id,
    name: signer.name,
    email: signer.email,
    phone_number: signer.phoneNumber,
    legal_identifier: signer.cpf,
    company_identifier: signer.cnpj,
    order: signer.order,
    status: 'WAITING',
    quantity: signer.quantity,
    visible: signer.visible,
    model_id: signer.modelId,
    model: signer.model && JSON.stringify(signer.model),
    due_date: signer.dueDate,
    lang_key: draft.langKey,
    created_at: ctx.clock.now(),
    reject_cause: null,
  });
  const rows = placements.map((placement) => ({ id: randomUUID(), ...placement }));
  const placed = sql`
    insert into placement (id, signer_id, document_id, page, x, y, width, height, real_signature)
    select id, ${signer.id}::uuid, "documentId", page, x, y, width, height, "realSignature"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p (id uuid, "documentId" uuid, page int, x float8, y float8, width float8,
      height float8, "realSignature" boolean)`;
  const boxes = rows.length > 0 ? [{ as: 'placed', query: placed }] : [];
  await writeAtOnce(ctx.db, [...touchWrites(ctx, draft), { as: 'added', query: added }, ...boxes]);
}

export async function countPlacements(tx: Ctx, signatureProcessId: string): Promise<number> {
  const row = await tx.db
    .selectFrom('placement')
    .innerJoin('signer', 'signer.id', 'placement.signer_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('signer.signature_process_id', '=', signatureProcessId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function insertStakeholder(
  tx: Ctx,
  row: { id: string; signatureProcessId: string; name: string; email: string },
): Promise<boolean> {
  const written = await tx.db
    .insertInto('stakeholder')
    .values({ id: row.id, signature_process_id: row.signatureProcessId, name: row.name, email: row.email })
    .onConflict((conflict) => conflict.columns(['signature_process_id', 'email']).doNothing())
    .executeTakeFirst();
  return Number(written.numInsertedOrUpdatedRows ?? 0) === 1;
}

/** One Signature (the specification's entity) per signer and document, waiting. Answers their ids. */
export async function insertSignatures(
  tx: Ctx,
  signatureProcessId: string,
  pairs: readonly { signerId: string; documentId: string }[],
): Promise<string[]> {
  const made = await signaturesOf(tx, signatureProcessId, pairs).execute(tx.db);
  return made.rows.map(({ id }) => id);
}

/** `insertSignatures` as a part, named `made`, of the statement that starts their process; not written (`MovedOn`) where some are there already. */
export function signatureWrites(ctx: Ctx, signatureProcessId: string, pairs: readonly { signerId: string; documentId: string }[]): Write[] {
  return [{ as: 'made', query: signaturesOf(ctx, signatureProcessId, pairs), rows: pairs.length, otherwise: () => new MovedOn() }];
}

function signaturesOf(ctx: Ctx, signatureProcessId: string, pairs: readonly { signerId: string; documentId: string }[]) {
  const rows = pairs.map((pair) => ({ id: randomUUID(), ...pair }));
  return sql<{ id: string }>`
    insert into signature (id, signer_id, document_id, signature_process_id, status, created_at)
    select id, "signerId", "documentId", ${signatureProcessId}::uuid, 'SENT', ${ctx.clock.now()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (id uuid, "signerId" uuid, "documentId" uuid)
    on conflict (signer_id, document_id) do nothing returning id`;
}
