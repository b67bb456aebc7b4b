import { PadesError } from '../../errors.ts';
import type { Pdf } from '../pdf.ts';

/** What the owner of a protected file did not leave to others is not done. Throws OWNER_FORBIDS with the bits of P it would take. */
export function assertOwnerPermits(pdf: Pdf, what: 'fill' | 'change'): void {
  const owner = pdf.security?.permissions;
  if (owner === undefined || owner[what]) return;
  throw new PadesError('OWNER_FORBIDS', `bits ${owner.missing.join(', ')} of P`, { bits: owner.missing.join(',') });
}
