import { randomUUID } from 'node:crypto';
import { cleanLine, documentCountFault, DomainError, duplicateFileNames, limits, type Modality } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { assignDocuments, insertProcess } from './creation.store.ts';
import { findProcess, listProcessDocuments } from '../processes.store.ts';
import { processReply } from '../reading/process-reply.ts';

export interface NewProcessInput {
  title: string;
  dueDate: Date | null;
  reminderIn: number | null;
  modality: Modality | null;
  documentIds: readonly string[];
  createdByFront: boolean;
  awaitsStart: boolean;
  geolocation: 'required' | 'optional';
  langKey: 'pt-br' | 'en' | 'es' | undefined;
}

/**
 * Opens a draft over documents the actor uploaded. Rules that need the signers (deadlines, reminder, boxes)
 * are checked when the sequence closes, and only then its events begin: they cannot be removed, a draft can.
 * @throws DomainError text.invisible; process.titleRequired, titleTooLong, documentsRequired, tooManyDocuments, duplicateFileName, modalityRequired, digitalNotAvailable; document.notFound, inUse
 */
export async function createSignatureProcess(ctx: Ctx, actor: Person, input: NewProcessInput) {
  const title = cleanLine(input.title, 'title');
  if (title === '') throw new DomainError('process.titleRequired', { field: 'title' });
  if (title.length > limits.titleMax) throw new DomainError('process.titleTooLong', { field: 'title', params: { max: limits.titleMax } });
  const count = documentCountFault(input.documentIds.length);
  if (count) throw new DomainError(count.fault, { field: 'files', params: count.params });
  if (input.modality === null) throw new DomainError('process.modalityRequired', { field: 'type' });
  // Without ICP-Brasil's authorities it would be a process that nobody can sign.
  if (input.modality === 'digital' && ctx.icpBrasil.anchors.length === 0)
    throw new DomainError('process.digitalNotAvailable', { field: 'type' });
  if (input.reminderIn !== null && !limits.reminderDays.some((days) => days === input.reminderIn)) {
    throw new DomainError('request.invalid', { field: 'reminderIn' });
  }
  return ctx.transaction(async (tx) => {
    const now = tx.clock.now();
    const id = randomUUID();
    await insertProcess(tx, {
      id,
      owner_id: actor.userId,
      title,
      status: 'DRAFT',
      modality: input.modality ?? 'electronic',
      due_date: input.dueDate,
      reminder_in: input.reminderIn,
      geolocation: input.geolocation,
      lang_key: input.langKey ?? actor.langKey,
      created_by_front: input.createdByFront,
      awaits_start: input.awaitsStart,
      created_at: now,
      touched_at: now,
    });
    await assignDocuments(tx, id, actor.userId, input.documentIds);
    const documents = await listProcessDocuments(tx, id);
    const [duplicate] = duplicateFileNames(documents.map((document) => document.name));
    if (duplicate !== undefined) throw new DomainError('process.duplicateFileName', { field: 'files', params: { name: duplicate } });
    const row = await findProcess(tx, id);
    if (!row) throw new DomainError('server.unexpected');
    return processReply(row, documents);
  });
}
