import type { Cnpj, Cpf } from '@lavra/domain';
import { DomainError } from '@lavra/domain';
import { sql } from 'kysely';
import type { Ctx } from '../../../context.ts';

/** What a draft holds, changed and taken away; the draft is held (`continueDraft`). */

export async function setDraft(
  tx: Ctx,
  { id, title, dueDate, reminderIn }: { id: string; title: string; dueDate: Date | null; reminderIn: number | null },
): Promise<void> {
  await tx.db
    .updateTable('signature_process')
    .set({ title, due_date: dueDate, reminder_in: reminderIn })
    .where('id', '=', id)
    .where('status', '=', 'DRAFT')
    .execute();
}

export interface ChangedSigner {
  id: string;
  name: string;
  email: string;
  phoneNumber: string | null;
  cpf: Cpf | null;
  cnpj: Cnpj | null;
  order: number;
  dueDate: Date | null;
}

/** Who takes somebody's place has not asked to be forgotten. */
const whileSame = (email: string) => sql<Date | null>`case when email = ${email} then erasure_asked_at end`;

export async function setSigner(tx: Ctx, signer: ChangedSigner): Promise<void> {
  await tx.db
    .updateTable('signer')
    .set({
      name: signer.name,
      email: signer.email,
      phone_number: signer.phoneNumber,
      legal_identifier: signer.cpf,
      company_identifier: signer.cnpj,
      order: signer.order,
      due_date: signer.dueDate,
      erasure_asked_at: whileSame(signer.email),
    })
    .where('id', '=', signer.id)
    .execute();
}

/** With their boxes, and the signatures that were named for them. */
export async function deleteSigner(tx: Ctx, id: string): Promise<void> {
  await tx.db.deleteFrom('placement').where('signer_id', '=', id).execute();
  await tx.db.deleteFrom('signature').where('signer_id', '=', id).execute();
  await tx.db.deleteFrom('signer').where('id', '=', id).execute();
}

const UNIQUE_VIOLATION = '23505';

/** @throws DomainError stakeholder.duplicateEmail */
export async function setStakeholder(tx: Ctx, { id, name, email }: { id: string; name: string; email: string }): Promise<void> {
  try {
    await tx.db
      .updateTable('stakeholder')
      .set({ name, email, erasure_asked_at: whileSame(email) })
      .where('id', '=', id)
      .execute();
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    throw new DomainError('stakeholder.duplicateEmail', { field: 'email', params: { email } });
  }
}

export async function deleteStakeholder(tx: Ctx, id: string): Promise<void> {
  await tx.db.deleteFrom('stakeholder').where('id', '=', id).execute();
}

/** @throws DomainError record.exists: the signer's signature of this document is there */
export async function setSignature(
  tx: Ctx,
  { id, signerId, documentId }: { id: string; signerId: string; documentId: string },
): Promise<void> {
  try {
    await tx.db.updateTable('signature').set({ signer_id: signerId, document_id: documentId }).where('id', '=', id).execute();
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    throw new DomainError('record.exists', { field: 'document' });
  }
}

export async function deleteSignature(tx: Ctx, id: string): Promise<void> {
  await tx.db.deleteFrom('signature').where('id', '=', id).execute();
}

export async function findSignatureId(tx: Ctx, signerId: string, documentId: string): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('signature')
    .select('id')
    .where('signer_id', '=', signerId)
    .where('document_id', '=', documentId)
    .executeTakeFirst();
  return row?.id;
}
