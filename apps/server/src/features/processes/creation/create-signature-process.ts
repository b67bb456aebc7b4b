import { randomUUID } from 'node:crypto';
import { checkedTitle, documentCountFault, DomainError, duplicateFileNames, isReminder, type Modality } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { demandCreateProcess } from '../../accounts/has-permission.ts';
import { takeDocuments } from '../../documents/process-documents.ts';
import { insertProcess } from './creation.store.ts';
import { loadProcess } from '../load-process.ts';
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
  tellStakeholders: boolean;
}

/**
 * Opens a draft over documents the actor uploaded. Rules that need the signers (deadlines, reminder, boxes)
 * are checked when the sequence closes, and only then its events begin: they cannot be removed, a draft can.
 * @throws DomainError permission.createProcess; process.contractSuspended; text.invisible; process.titleRequired, titleTooLong, documentsRequired, tooManyDocuments, duplicateFileName, modalityRequired, digitalNotAvailable; document.notFound, inUse
 */
export async function createSignatureProcess(ctx: Ctx, actor: Person, input: NewProcessInput) {
  await demandCreateProcess(ctx, actor);
  const title = checkedTitle(input.title);
  const count = documentCountFault(input.documentIds.length);
  if (count) throw new DomainError(count.fault, { field: 'files', params: count.params });
  const { modality } = input;
  if (modality === null) throw new DomainError('process.modalityRequired', { field: 'type' });
  // Without ICP-Brasil's authorities it would be a process that nobody can sign.
  if (modality === 'digital' && ctx.icpBrasil.anchors.length === 0) throw new DomainError('process.digitalNotAvailable', { field: 'type' });
  if (!isReminder(input.reminderIn)) throw new DomainError('request.invalid', { field: 'reminderIn' });
  return ctx.transaction(async (tx) => {
    const id = randomUUID();
    await insertProcess(tx, {
      ...input,
      id,
      ownerId: actor.userId,
      title,
      modality,
      langKey: input.langKey ?? actor.langKey,
    });
    await takeDocuments(tx, id, actor.userId, input.documentIds);
    const draft = await loadProcess(tx, id);
    const [duplicate] = duplicateFileNames(draft.documents.map(({ name }) => name));
    if (duplicate !== undefined) throw new DomainError('process.duplicateFileName', { field: 'files', params: { name: duplicate } });
    return processReply(draft);
  });
}
