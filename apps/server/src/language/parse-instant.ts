import { DomainError } from '@lavra/domain';

/** An ISO 8601 instant of the wire. @throws DomainError request.invalid naming the field */
export function parseInstant(value: string | null, field: string): Date | null {
  if (value === null) return null;
  const instant = new Date(value);
  if (Number.isNaN(instant.getTime())) throw new DomainError('request.invalid', { field });
  return instant;
}
