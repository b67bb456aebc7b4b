import type { Selectable } from 'kysely';
import type { SignatureProcessTable } from '../../../db/process-tables.ts';

/** The SignatureProcess entity as the wire has it. */
export function processReply(row: Selectable<SignatureProcessTable>, documents: readonly { id: string; name: string }[]) {
  return {
    id: row.id,
    title: row.title,
    createdDate: row.created_at.toISOString(),
    finalizedDate: row.finalized_at?.toISOString() ?? null,
    status: row.status,
    dueDate: row.due_date?.toISOString() ?? null,
    reminderIn: row.reminder_in,
    type: row.modality === 'digital' ? ('DIGITAL_SIGNATURE' as const) : ('ELETRONIC_SIGNATURE' as const),
    files: documents.map(({ id, name }) => ({ id, name })),
    createdByFront: row.created_by_front,
    finalized: row.status !== 'DRAFT' && row.status !== 'IN_PROGRESS',
  };
}
