import { contracts } from '@lavra/api';
import type { EntityView } from '../../entities/entity-view.ts';
import { ContractForm } from './contract-form.tsx';
import { Amount, Moment, Owner, Payment, Retention, Validity } from './contract-cells.tsx';

/** Who may use what, and until when (section 2). */
export const view: EntityView<typeof contracts> = {
  entity: contracts,
  address: '/contract',
  words: 'contract',
  frame: 'workspace',
  fields: [],
  columns: [
    { key: 'validity', cell: (contract) => <Validity contract={contract} /> },
    { key: 'created', cell: ({ created }) => <Moment instant={created} /> },
    { key: 'paymentType', cell: ({ paymentType }) => <Payment type={paymentType} /> },
    { key: 'uploadedDocuments', numeric: true, cell: ({ uploadedDocuments }) => <Amount value={uploadedDocuments} /> },
    { key: 'digitalSignaturesDone', numeric: true, cell: ({ digitalSignaturesDone }) => <Amount value={digitalSignaturesDone} /> },
    { key: 'eletronicSinaturesDone', numeric: true, cell: ({ eletronicSinaturesDone }) => <Amount value={eletronicSinaturesDone} /> },
    { key: 'storageUsed', numeric: true, cell: ({ storageUsed }) => <Amount value={storageUsed} unit="MB" /> },
    { key: 'storageRetentionTime', numeric: true, cell: ({ storageRetentionTime }) => <Retention days={storageRetentionTime ?? null} /> },
    { key: 'applicationUsers', cell: ({ applicationUsers }) => <Owner owner={applicationUsers} /> },
  ],
  form: { Editor: ContractForm },
};
