import { DomainError } from './errors.ts';
import { limits } from './limits.ts';
import { cleanLine } from './one-line.ts';

/** What a plan counts, in the order of the form (section 2). `storage` is in megabytes. */
export const contractQuotas = ['documents', 'digitalSignatures', 'eletronicSignatures', 'storage', 'accountUsersLimit'] as const;
export type ContractQuota = (typeof contractQuotas)[number];

/** The type that a contract has when nobody chooses one (section 9); it is never deleted. */
export const basicContractTypeId = 1;

/** A plan. Null: no limit. */
export type ContractTypeValues = { name: string } & Record<ContractQuota, number | null>;

/** As entered: quotas are text, blank for no limit. */
export type EnteredContractType = { name: string } & { readonly [Quota in ContractQuota]?: string | null | undefined };

/**
 * A plan fit to be kept.
 * @throws DomainError text.invisible; record.nameRequired, nameTooLong; record.quantityInvalid: neither blank nor a whole number of nine digits at most
 */
export function checkedContractType(entered: EnteredContractType): ContractTypeValues {
  const name = cleanLine(entered.name, 'name');
  if (name === '') throw new DomainError('record.nameRequired', { field: 'name' });
  if (name.length > limits.nameMax) throw new DomainError('record.nameTooLong', { field: 'name', params: { max: limits.nameMax } });
  const quotas = contractQuotas.map((quota) => [quota, quotaOf(quota, entered[quota] ?? '')]);
  return { name, ...(Object.fromEntries(quotas) as Record<ContractQuota, number | null>) };
}

function quotaOf(quota: ContractQuota, text: string): number | null {
  const digits = text.trim();
  if (digits === '') return null;
  if (!/^\d{1,9}$/.test(digits)) throw new DomainError('record.quantityInvalid', { field: quota });
  return Number(digits);
}
