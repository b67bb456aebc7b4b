import { PscError } from './errors.ts';

/** Whom we ask about: the holder of a person's or a company's certificate. */
export interface Identification {
  readonly type: 'CPF' | 'CNPJ';
  /** Eleven digits, or fourteen characters (letters possible since 2026). */
  readonly value: string;
}

/** A CPF or CNPJ as typed, mask or not. Check digits are the caller's business. Throws PSC_INVALID_REQUEST. */
export function identificationOf(typed: string): Identification {
  const value = bare(typed);
  if (/^\d{11}$/.test(value)) return { type: 'CPF', value };
  if (/^[0-9A-Z]{12}\d{2}$/.test(value)) return { type: 'CNPJ', value };
  throw new PscError('PSC_INVALID_REQUEST', null, { invalid: 'identification' });
}

/** Same holder? Providers drop leading zeros (a number in JSON) and keep masks. */
export function isSameHolder({ type, value }: Identification, said: string): boolean {
  return bare(said).padStart(type === 'CPF' ? 11 : 14, '0') === value;
}

function bare(typed: string): string {
  return typed.replaceAll(/[\s./-]/g, '').toUpperCase();
}
