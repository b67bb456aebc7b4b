import { randomUUID } from 'node:crypto';
import {
  assertDeadlines,
  checkedTitle,
  documentCountFault,
  DomainError,
  duplicateFileNames,
  isReminder,
  type Modality,
} from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import { type Ahead, isId, sentAt } from '../../../access/first-reading.store.ts';
import type { Ctx } from '../../../context.ts';
import { demandCreateProcess } from '../../accounts/has-permission.ts';
import { MovedOn } from '../../../db/at-once.ts';
import { documentParts, documentsToTake } from '../../documents/process-documents.ts';
import { beginningReading, findBeginning, insertProcess } from './creation.store.ts';
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
 * Opens a draft over documents the actor uploaded. Rules that need the signers (individual deadlines, boxes)
 * are checked when the sequence closes, and only then its events begin: they cannot be removed, a draft can.
 * @throws DomainError permission.createProcess; process.contractSuspended; text.invisible; process.titleRequired, titleTooLong, documentsRequired, tooManyDocuments, duplicateFileName, modalityRequired, digitalNotAvailable, deadlineTooEarly, reminderConflict; document.notFound, inUse
 */
export async function createSignatureProcess(ctx: Ctx, actor: Person, input: NewProcessInput) {
  // Somebody took, or renamed, a document between the two statements of a look: the second one tells what it is now.
  for (let look = 1; look <= 2; look += 1) {
    const draft = await beginAtOnce(ctx, actor, input);
    if (draft) return draft;
  }
  throw new DomainError('document.inUse', { field: 'files' });
}

/** What it reads, of documents that are named by ids. */
export const beginningAhead: Ahead = {
  askedBy({ ctx, userId: ownerId, sent }) {
    const files = sentAt(sent, 'body.files');
    if (ownerId === null || !Array.isArray(files) || documentCountFault(files.length)) return null;
    const documentIds = files.map((file: unknown) => (file as { id?: unknown } | null)?.id);
    return documentIds.every(isId) ? { reading: beginningReading, values: { ownerId, documentIds, now: ctx.clock.now() } } : null;
  },
};

/** Null, and nothing written: a document is not as it was read. */
async function beginAtOnce(ctx: Ctx, actor: Person, input: NewProcessInput) {
  const found = await findBeginning(ctx, actor.userId, input.documentIds);
  await demandCreateProcess(ctx, actor, found.isSuspended);
  const asked = checkedInput(ctx, input);
  const documents = documentsToTake(found.documents, actor.userId, input.documentIds);
  const [duplicate] = duplicateFileNames(documents.map(({ name }) => name));
  if (duplicate !== undefined) throw new DomainError('process.duplicateFileName', { field: 'files', params: { name: duplicate } });
  const draft = { ...input, ...asked, id: randomUUID(), ownerId: actor.userId, langKey: input.langKey ?? actor.langKey };
  const createdAt = ctx.clock.now();
  try {
    await insertProcess(ctx, draft, documentParts.taking(draft.id, actor.userId, documents));
  } catch (error) {
    if (error instanceof MovedOn) return null;
    throw error;
  }
  return processReply({ ...draft, status: 'DRAFT', createdAt, finalizedAt: null, documents });
}

function checkedInput(ctx: Ctx, input: NewProcessInput): { title: string; modality: Modality } {
  const title = checkedTitle(input.title);
  const count = documentCountFault(input.documentIds.length);
  if (count) throw new DomainError(count.fault, { field: 'files', params: count.params });
  const { modality } = input;
  if (modality === null) throw new DomainError('process.modalityRequired', { field: 'type' });
  // Without ICP-Brasil's authorities it would be a process that nobody can sign.
  if (modality === 'digital' && ctx.icpBrasil.anchors.length === 0) throw new DomainError('process.digitalNotAvailable', { field: 'type' });
  if (!isReminder(input.reminderIn)) throw new DomainError('request.invalid', { field: 'reminderIn' });
  assertDeadlines({ general: input.dueDate, individual: [] }, input.reminderIn, ctx.clock.now());
  return { title, modality };
}
