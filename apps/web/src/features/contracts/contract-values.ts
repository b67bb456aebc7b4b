import type { Contract } from '@lavra/api';

/** What stands in the form. */
export interface ContractValues {
  /** Null: what was typed is no instant. */
  validity: string | null;
  /** The select's own values: 1 is Mensal, 2 is Anual. */
  paymentType: '1' | '2';
  storageRetentionTime: string;
  /** The id of a type; blank: none was chosen. */
  contractType: string;
  /** An e-mail; blank: nobody. */
  applicationUsers: string;
  suspended: boolean;
}

/** What the form begins with: a new contract ends now, until somebody says when. */
export function valuesOf(contract: Contract | null, now: Date): ContractValues {
  return {
    validity: contract?.validity ?? now.toISOString(),
    paymentType: contract?.paymentType === 'YEARLY' ? '2' : '1',
    storageRetentionTime: contract?.storageRetentionTime ?? '',
    contractType: contract ? String(contract.contractType.id) : '',
    applicationUsers: contract?.applicationUsers?.login ?? '',
    suspended: contract?.suspended ?? false,
  };
}

/** What is sent of it. */
export function writtenOf(values: ContractValues, owner: { id: string } | null) {
  return {
    validity: values.validity ?? '',
    paymentType: values.paymentType === '1' ? 'MONTHLY' : 'YEARLY',
    storageRetentionTime: values.storageRetentionTime,
    contractType: values.contractType === '' ? null : { id: Number(values.contractType) },
    applicationUsers: owner && { id: owner.id },
    suspended: values.suspended,
  };
}
