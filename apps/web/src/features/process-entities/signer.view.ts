import { signatureProcesses, signers } from '@lavra/api';
import { checkedSigner, limits } from '@lavra/domain';
import type { EntityView } from '../../entities/entity-view.ts';

/** Signers as generic entities (section 2). */
export const view: EntityView<typeof signers> = {
  entity: signers,
  address: '/entity/signer',
  words: 'signerEntity',
  born: [
    {
      name: 'signatureProcess',
      kind: 'reference',
      of: signatureProcesses,
      by: 'title',
      required: true,
      fits: ({ status }) => status === 'DRAFT',
    },
  ],
  fields: [
    { name: 'name', maxLength: limits.nameMax },
    { name: 'email', maxLength: limits.signerEmailMax },
    { name: 'phoneNumber', maxLength: limits.signerPhoneMax },
    { name: 'legalIdentifier', maxLength: 14, numeric: true },
    { name: 'order', kind: 'number', maxLength: 3 },
    { name: 'dueDate', kind: 'instant' },
  ],
  shown: [
    { name: 'status', kind: 'choice', choices: [] },
    { name: 'createdDate', kind: 'instant' },
    { name: 'signatureProcess', kind: 'reference', of: signatureProcesses, by: 'title', at: '/entity/signature-process' },
  ],
  hints: ['legalIdentifier', 'order'],
  apart: ['phoneNumber', 'createdDate'],
  canWrite: ({ signatureProcess }) => signatureProcess.status === 'DRAFT',
  form: { rule: checkedSigner },
};
