import { type Cpf, parseCpf } from './cpf.ts';
import { DomainError } from './errors.ts';

/** A person of the application as entered. */
export interface EnteredApplicationUser {
  legalIdentifier?: string | null | undefined;
}

/** One fit to be kept; undefined: as it is. @throws DomainError evidence.cpfInvalid */
export function checkedApplicationUser({ legalIdentifier }: EnteredApplicationUser): { legalIdentifier: Cpf | null | undefined } {
  if (legalIdentifier === undefined) return { legalIdentifier };
  if (legalIdentifier === null || legalIdentifier.trim() === '') return { legalIdentifier: null };
  const cpf = parseCpf(legalIdentifier);
  if (cpf === null) throw new DomainError('evidence.cpfInvalid', { field: 'legalIdentifier' });
  return { legalIdentifier: cpf };
}
