import { DomainError } from './errors.ts';

/** Where nobody chose another one: the specification's. */
export const usualTimeZone = 'America/Sao_Paulo';

/** A zone by IANA's name, as whoever shows instants in it knows it; no offset, which has no summer. @throws DomainError account.timeZoneUnknown */
export function checkedTimeZone(name: string): string {
  if (!/^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)*$/.test(name) || name.length > 64 || !isKnown(name))
    throw new DomainError('account.timeZoneUnknown', { field: 'timeZone' });
  return name;
}

function isKnown(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
