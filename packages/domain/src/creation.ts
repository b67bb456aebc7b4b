import type { DomainErrorCode } from './errors.ts';
import { limits } from './limits.ts';

/** Why a process cannot be made of so many of something, with what the sentence names. */
export interface CountFault {
  fault: DomainErrorCode;
  params: Record<string, number>;
}

function countFault(count: number, most: number, none: DomainErrorCode, tooMany: DomainErrorCode): CountFault | null {
  if (count === 0) return { fault: none, params: {} };
  return count > most ? { fault: tooMany, params: { max: most } } : null;
}

/** At least one document, and not more than a process takes. */
export function documentCountFault(count: number): CountFault | null {
  return countFault(count, limits.documentsPerProcessMax, 'process.documentsRequired', 'process.tooManyDocuments');
}

/** At least one signer, and not more than a process takes. */
export function signerCountFault(count: number): CountFault | null {
  return countFault(count, limits.signersPerProcessMax, 'process.signersRequired', 'process.tooManySigners');
}

/** How many boxes a signer gets in each document: a whole number. */
export function isQuantity(quantity: number): boolean {
  return Number.isInteger(quantity) && quantity >= 1 && quantity <= limits.quantityMax;
}

/** The quantity nearest to what somebody typed; 1 for what is no number. */
export function nearestQuantity(typed: number): number {
  return Math.min(limits.quantityMax, Math.max(1, Math.trunc(typed) || 1));
}
