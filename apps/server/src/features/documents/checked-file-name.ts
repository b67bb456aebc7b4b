import { cleanFileName, DomainError } from '@lavra/domain';

/** A file's name fit to be kept. @throws DomainError document.nameInvalid, text.invisible */
export function checkedFileName(given: string): string {
  const name = cleanFileName(given);
  if (name === null) throw new DomainError('document.nameInvalid', { params: { name: given.slice(0, 80) }, field: 'name' });
  return name;
}
