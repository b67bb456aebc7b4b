import type { ContractQuota } from './contract-type.ts';
import { DomainError } from './errors.ts';
import type { Modality } from './signature-process.ts';

const MEGABYTE = 1024 * 1024;

/** The alert starts when this part of a plan's signatures is used. */
const ALERT_FROM = 0.8;

/** What was taken of a quota, and what it is; null: no limit. Bytes and megabytes for `storage`. */
export interface QuotaUse {
  /** Used, and reserved for what was started. */
  taken: number;
  quota: number | null;
}

const refusals = {
  documents: 'contract.documentsUsedUp',
  digitalSignatures: 'contract.digitalSignaturesUsedUp',
  eletronicSignatures: 'contract.electronicSignaturesUsedUp',
  storage: 'contract.storageUsedUp',
  accountUsersLimit: 'contract.accountUsersUsedUp',
} as const satisfies Record<ContractQuota, string>;

/** Which of a plan's quotas a process's signatures count in. */
export function signatureQuota(modality: Modality): 'digitalSignatures' | 'eletronicSignatures' {
  return modality === 'digital' ? 'digitalSignatures' : 'eletronicSignatures';
}

/**
 * Refuses what a plan has no room for. What is beyond its quota already (it was lowered) refuses nothing but more.
 * @throws DomainError contract.documentsUsedUp, digitalSignaturesUsedUp, electronicSignaturesUsedUp, storageUsedUp, accountUsersUsedUp
 */
export function assertWithinQuota(name: ContractQuota, { taken, quota }: QuotaUse, asked: number): void {
  if (quota === null || asked <= 0) return;
  const unit = name === 'storage' ? MEGABYTE : 1;
  if (taken + asked <= quota * unit) return;
  const left = Math.floor(Math.max(0, quota * unit - taken) / unit);
  throw new DomainError(refusals[name], { params: { max: quota, left, asked: Math.ceil(asked / unit) } });
}

export interface UsageAlert {
  shouldAlert: boolean;
  currentSignatures: number;
  /** Null: no limit. */
  planSignatures: number | null;
  /** The kind that these numbers are of; null: of both, for neither has a limit. */
  modality: Modality | null;
}

/**
 * Whether a plan's signatures are near their end, or over it: from 80 % of either kind. Both kinds have a quota of their own, so the numbers
 * are those of the kind that is nearer to its end; a sum would hide it.
 */
export function usageAlert(uses: Readonly<Record<Modality, QuotaUse>>): UsageAlert {
  const [first] = (['digital', 'electronic'] as const)
    .flatMap((modality) => {
      const { taken, quota } = uses[modality];
      return quota === null ? [] : [{ modality, taken, quota, part: taken === 0 ? 0 : taken / quota }];
    })
    .toSorted((a, b) => b.part - a.part || b.quota - a.quota);
  if (!first) {
    const currentSignatures = uses.digital.taken + uses.electronic.taken;
    return { shouldAlert: false, currentSignatures, planSignatures: null, modality: null };
  }
  const { modality, taken, quota, part } = first;
  return { shouldAlert: part >= ALERT_FROM, currentSignatures: taken, planSignatures: quota, modality };
}
