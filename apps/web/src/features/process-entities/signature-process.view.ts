import { documents, signatureProcesses } from '@lavra/api';
import { checkedTitle, limits } from '@lavra/domain';
import type { EntityView } from '../../entities/entity-view.ts';
import { SendDraft } from './send-draft.tsx';

/** Processes as generic entities (section 2). Who only wants one signed takes /signature. */
export const view: EntityView<typeof signatureProcesses> = {
  entity: signatureProcesses,
  address: '/entity/signature-process',
  words: 'processEntity',
  born: [
    { name: 'createdDate', kind: 'instant', required: true, initial: () => new Date().toISOString() },
    { name: 'type', kind: 'choice', choices: ['DIGITAL_SIGNATURE', 'ELETRONIC_SIGNATURE'], required: true },
    {
      name: 'files',
      kind: 'reference',
      of: documents,
      by: 'name',
      many: true,
      required: true,
      fits: ({ signatureProcess }) => signatureProcess === null,
    },
  ],
  // Its signers come with other forms: until its maker sends it, it waits.
  bornWith: { awaitsStart: true },
  fields: [
    { name: 'title', maxLength: limits.titleMax },
    { name: 'dueDate', kind: 'instant', required: true },
    { name: 'reminderIn', kind: 'number', maxLength: 2 },
  ],
  shown: [
    { name: 'status', kind: 'choice', choices: [] },
    { name: 'type', kind: 'choice', choices: [] },
    { name: 'createdDate', kind: 'instant' },
    { name: 'finalizedDate', kind: 'instant' },
    { name: 'documents' },
    { name: 'applicationUser', kind: 'reference', of: documents, by: 'name' },
  ],
  hints: ['reminderIn'],
  apart: ['reminderIn', 'finalizedDate', 'applicationUser'],
  Acts: SendDraft,
  canWrite: ({ status }) => status === 'DRAFT',
  form: { rule: ({ title }: { title: string }) => checkedTitle(title) },
};
