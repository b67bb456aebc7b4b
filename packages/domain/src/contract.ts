import { basicContractTypeId } from './contract-type.ts';
import { DomainError } from './errors.ts';
import { limits } from './limits.ts';

/** How often a contract is paid for. */
export const paymentTypes = ['MONTHLY', 'YEARLY'] as const;
export type PaymentType = (typeof paymentTypes)[number];

/** A contract as it is kept. */
export interface ContractValues {
  /** Until then it is good. */
  validity: Date;
  paymentType: PaymentType;
  /** Days that files are kept; null: as long as the company says. */
  storageRetentionTime: number | null;
  contractTypeId: number;
  /** Whose it is; null: nobody's, and it covers nobody; undefined: nobody said. */
  applicationUserId?: string | null;
  /** Stopped by hand; undefined: nobody said. */
  suspended?: boolean;
}

/** As entered. */
export interface EnteredContract {
  readonly validity: string;
  readonly paymentType?: string | number | null | undefined;
  readonly storageRetentionTime?: string | null | undefined;
  readonly contractType?: { readonly id?: number | null | undefined } | null | undefined;
  readonly applicationUsers?: { readonly id?: string | null | undefined } | null | undefined;
  readonly suspended?: boolean | null | undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A contract fit to be kept. Without a type it has the one with id 1 (section 9); the database knows which types and people there are.
 * @throws DomainError contract.validityInvalid, paymentTypeInvalid, ownerUnknown, typeUnknown; company.retentionInvalid
 */
export function checkedContract(entered: EnteredContract): ContractValues {
  const owner = entered.applicationUsers === undefined ? undefined : (entered.applicationUsers?.id ?? null);
  if (typeof owner === 'string' && !UUID.test(owner)) throw new DomainError('contract.ownerUnknown', { field: 'applicationUsers' });
  return {
    validity: validityOf(entered.validity),
    paymentType: paymentTypeOf(entered.paymentType),
    storageRetentionTime: retentionOf(entered.storageRetentionTime ?? ''),
    contractTypeId: typeOf(entered.contractType?.id),
    ...(owner === undefined ? {} : { applicationUserId: owner }),
    ...(typeof entered.suspended === 'boolean' ? { suspended: entered.suspended } : {}),
  };
}

/**
 * Section 9: the select's 1 (Mensal), or nothing, is monthly; its other choice (Anual) is yearly. The words of the wire say it themselves.
 * @throws DomainError contract.paymentTypeInvalid
 */
export function paymentTypeOf(selected: string | number | null | undefined): PaymentType {
  const value = String(selected ?? '').trim();
  if (value === '' || value === '1' || value === 'MONTHLY') return 'MONTHLY';
  if (value === '2' || value === 'YEARLY') return 'YEARLY';
  throw new DomainError('contract.paymentTypeInvalid', { field: 'paymentType' });
}

/** A contract that covers nobody's new processes: its validity has passed, or somebody stopped it. */
export function isContractSuspended({ validity, suspended }: { validity: Date; suspended: boolean }, now: Date): boolean {
  return suspended || validity <= now;
}

/** The highest id that the database has. */
const ID_MAX = 2_147_483_647;

function typeOf(id: number | null | undefined): number {
  if (typeof id === 'number' && !(id >= 1 && id <= ID_MAX)) throw new DomainError('contract.typeUnknown', { field: 'contractType' });
  return id ?? basicContractTypeId;
}

function validityOf(text: string): Date {
  const [, day = ''] = /^(\d{4}-\d{2}-\d{2})T/.exec(text) ?? [];
  const [instant, midnight] = [new Date(day === '' ? Number.NaN : text), new Date(`${day}T00:00:00Z`)];
  const year = instant.getUTCFullYear();
  // A 30th of February would become the 2nd of March.
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  if (!isDay || !(year >= 2000 && year <= 9999)) throw new DomainError('contract.validityInvalid', { field: 'validity' });
  return instant;
}

function retentionOf(text: string): number | null {
  const digits = text.trim();
  if (digits === '') return null;
  const max = limits.companyRetentionMaxDays;
  const days = /^\d{1,6}$/.test(digits) ? Number(digits) : 0;
  if (days < 1 || days > max) throw new DomainError('company.retentionInvalid', { field: 'storageRetentionTime', params: { max } });
  return days;
}
