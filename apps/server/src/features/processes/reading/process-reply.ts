import type { createSignatureProcess as call, Reply } from '@lavra/api';
import type { LoadedProcess } from '../signature-process.ts';

/** What it tells. */
type Told = Pick<
  LoadedProcess,
  'id' | 'title' | 'createdAt' | 'finalizedAt' | 'status' | 'dueDate' | 'reminderIn' | 'modality' | 'createdByFront'
> & {
  documents: readonly { id: string; name: string }[];
};

/** A new draft as the wire has it. */
export function processReply(loaded: Told): Reply<typeof call> {
  return {
    id: loaded.id,
    title: loaded.title,
    createdDate: loaded.createdAt.toISOString(),
    finalizedDate: loaded.finalizedAt?.toISOString() ?? null,
    status: loaded.status,
    dueDate: loaded.dueDate?.toISOString() ?? null,
    reminderIn: loaded.reminderIn,
    type: loaded.modality === 'digital' ? 'DIGITAL_SIGNATURE' : 'ELETRONIC_SIGNATURE',
    files: loaded.documents.map(({ id, name }) => ({ id, name })),
    createdByFront: loaded.createdByFront,
    finalized: loaded.status !== 'DRAFT' && loaded.status !== 'IN_PROGRESS',
  };
}
