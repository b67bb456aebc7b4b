import { documents, signatureProcesses } from '@lavra/api';
import { checkedFileName } from '@lavra/domain';
import type { EntityView } from '../../entities/entity-view.ts';

/** One's own uploads as generic entities (section 2). */
export const view: EntityView<typeof documents> = {
  entity: documents,
  address: '/entity/document',
  words: 'documentEntity',
  born: [
    { name: 'hash', maxLength: 64, required: true },
    { name: 'createdDate', kind: 'instant', required: true, initial: () => new Date().toISOString() },
  ],
  fields: [{ name: 'name', maxLength: 255 }],
  shown: [
    { name: 'hash' },
    { name: 'createdDate', kind: 'instant' },
    { name: 'pageCount', kind: 'number' },
    { name: 'size', kind: 'number' },
    { name: 'signatureProcess', kind: 'reference', of: signatureProcesses, by: 'title', at: '/entity/signature-process' },
  ],
  hints: ['hash'],
  apart: ['hash'],
  canWrite: ({ signatureProcess }) => signatureProcess === null,
  form: { rule: ({ name }: { name: string }) => checkedFileName(name) },
};
