import { documents, signatureProcesses, signatures, signers } from '@lavra/api';
import type { EntityView } from '../../entities/entity-view.ts';

const isOfDraft = ({ signatureProcess }: Readonly<Record<string, unknown>>) =>
  (signatureProcess as { status?: string } | null)?.status === 'DRAFT';

/** Signatures as generic entities (section 2): a draft names them, and its start makes the rest. */
export const view: EntityView<typeof signatures> = {
  entity: signatures,
  address: '/entity/signature',
  words: 'signatureEntity',
  fields: [
    { name: 'signer', kind: 'reference', of: signers, by: 'name', at: '/entity/signer', required: true, fits: isOfDraft },
    {
      name: 'document',
      kind: 'reference',
      of: documents,
      by: 'name',
      required: true,
      fits: ({ signatureProcess }) => signatureProcess !== null,
    },
  ],
  shown: [
    { name: 'status', kind: 'choice', choices: [] },
    { name: 'createdDate', kind: 'instant' },
    { name: 'finalizedDate', kind: 'instant' },
    { name: 'rejectCause' },
    { name: 'signatureProcess', kind: 'reference', of: signatureProcesses, by: 'title', at: '/entity/signature-process' },
  ],
  apart: ['createdDate'],
  canWrite: isOfDraft,
  form: { rule: () => {} },
};
