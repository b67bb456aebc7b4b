import { DomainError } from './errors.ts';
import { limits } from './limits.ts';
import { droppedFromName, isPersonName, undrawableInName } from './names.ts';
import { cleanLine } from './one-line.ts';

/** The one-line texts that people write, as they are kept: what a form holds them to is what the server refuses. */

/** A process's title. @throws DomainError text.invisible, process.titleRequired, titleTooLong */
export function checkedTitle(text: string): string {
  const title = cleanLine(text, 'title');
  if (title === '') throw new DomainError('process.titleRequired', { field: 'title' });
  if (title.length > limits.titleMax) throw new DomainError('process.titleTooLong', { field: 'title', params: { max: limits.titleMax } });
  return title;
}

/** An account's first name. @throws DomainError text.invisible, account.nameRequired, nameTooLong */
export function checkedFirstName(text: string): string {
  const name = cleanLine(text, 'firstName');
  if (name === '') throw new DomainError('account.nameRequired', { field: 'firstName' });
  if (name.length > limits.nameMax) throw new DomainError('account.nameTooLong', { field: 'firstName', params: { max: limits.nameMax } });
  return name;
}

/** The rest of an account's name, which may be empty. @throws DomainError text.invisible, account.nameTooLong */
export function checkedLastName(text: string): string {
  const name = cleanLine(text, 'lastName');
  if (name.length > limits.nameMax) throw new DomainError('account.nameTooLong', { field: 'lastName', params: { max: limits.nameMax } });
  return name;
}

/** A name as it is typed in one field, as accounts keep it: what somebody is called by, and the rest. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const [firstName = '', ...rest] = name.trim().split(/\s+/);
  return { firstName, lastName: rest.join(' ') };
}

/** The name that others are told. */
export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`.trim();
}

/** An interested party's name. @throws DomainError text.invisible, stakeholder.nameRequired, record.nameTooLong */
export function checkedPartyName(text: string): string {
  const name = cleanLine(text, 'name');
  if (name === '') throw new DomainError('stakeholder.nameRequired', { field: 'name' });
  if (name.length > limits.nameMax) throw new DomainError('record.nameTooLong', { field: 'name', params: { max: limits.nameMax } });
  return name;
}

/** A signer's name as the creator writes it. @throws DomainError text.invisible, signer.nameUndrawable, nameCharacters, nameRequired, nameInvalid */
export function checkedSignerName(text: string): string {
  const name = printableName(text, 'signer');
  if (name === '') throw new DomainError('signer.nameRequired', { field: 'name' });
  if (!isPersonName(name)) throw new DomainError('signer.nameInvalid', { field: 'name' });
  return name;
}

/** The name that somebody signs with. @throws DomainError text.invisible, evidence.nameUndrawable, nameCharacters, nameRequired */
export function checkedSigningName(text: string): string {
  const name = printableName(text, 'evidence');
  if (!isPersonName(name)) throw new DomainError('evidence.nameRequired', { field: 'name' });
  return name;
}

/** What stands in a document can be drawn there, and is a name's. */
function printableName(text: string, whose: 'signer' | 'evidence'): string {
  const name = cleanLine(text, 'name');
  const undrawable = undrawableInName(name);
  if (undrawable !== '') throw new DomainError(`${whose}.nameUndrawable`, { field: 'name', params: { characters: undrawable } });
  const dropped = droppedFromName(name);
  if (dropped !== '') throw new DomainError(`${whose}.nameCharacters`, { field: 'name', params: { characters: dropped } });
  return name;
}

/** Why a rule refuses, for a form that tells it beside its field; null when it does not. */
export function refusalOf(rule: () => unknown): DomainError | null {
  try {
    rule();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
