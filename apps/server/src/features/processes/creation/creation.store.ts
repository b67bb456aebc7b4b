import { type Cnpj, type Cpf, type Placement, type SignatureModel } from '@lavra/domain';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { hideMailedKey } from '../../../access/signer-links.store.ts';
import type { Ctx } from '../../../context.ts';
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

export async function insertProcess(tx: Ctx, draft: NewDraft): Promise<void> {
  const now = tx.clock.now();
  await tx.db
    .insertInto('signature_process')
    .values({
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
    })
    .execute();
}

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

/** Adds a signer, who waits, with their boxes. */
export async function insertSigner(
  tx: Ctx,
  draft: Pick<SignatureProcess, 'id' | 'langKey'>,
  signer: NewSigner,
  placements: readonly Placement[],
): Promise<void> {
  await tx.db
    .insertInto('signer')
    .values({
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
      created_at: tx.clock.now(),
      reject_cause: null,
    })
    .execute();
  // The sender knows the signer's id: nobody signs by it.
  await hideMailedKey(tx, signer.id);
  if (placements.length === 0) return;
  const rows = placements.map((placement) => ({ id: randomUUID(), ...placement }));
  await sql`
    insert into placement (id, signer_id, document_id, page, x, y, width, height, real_signature)
    select id, ${signer.id}::uuid, "documentId", page, x, y, width, height, "realSignature"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p (id uuid, "documentId" uuid, page int, x float8, y float8, width float8,
      height float8, "realSignature" boolean)`.execute(tx.db);
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
  const rows = pairs.map((pair) => ({ id: randomUUID(), ...pair }));
  const made = await sql<{ id: string }>`
    insert into signature (id, signer_id, document_id, signature_process_id, status, created_at)
    select id, "signerId", "documentId", ${signatureProcessId}::uuid, 'SENT', ${tx.clock.now()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (id uuid, "signerId" uuid, "documentId" uuid)
    on conflict (signer_id, document_id) do nothing returning id`.execute(tx.db);
  return made.rows.map(({ id }) => id);
}
