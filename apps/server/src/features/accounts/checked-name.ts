import { cleanLine, DomainError, limits } from '@lavra/domain';

/** A first name as it is kept. @throws DomainError text.invisible, account.nameRequired, nameTooLong */
export function checkedName(given: string): string {
  const name = cleanLine(given, 'firstName');
  if (name === '') throw new DomainError('account.nameRequired', { field: 'firstName' });
  if (name.length > limits.nameMax) throw new DomainError('account.nameTooLong', { field: 'firstName', params: { max: limits.nameMax } });
  return name;
}
