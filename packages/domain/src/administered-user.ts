import { checkedFirstName, checkedLastName } from './checked-lines.ts';
import { parseEmail } from './email.ts';
import { DomainError } from './errors.ts';

/** What an account may do, in the order that people are shown. */
export const authorities = ['ROLE_USER', 'ROLE_ADMIN'] as const;
type Authority = (typeof authorities)[number];

/** Somebody's account as an administrator enters it. */
export interface EnteredUser {
  email: string;
  firstName: string;
  lastName?: string | null | undefined;
  authorities: readonly Authority[];
}

/** An account fit to be kept. @throws DomainError account.emailInvalid, nameRequired, nameTooLong, text.invisible */
export function checkedUser(entered: EnteredUser) {
  const email = parseEmail(entered.email);
  if (email === null) throw new DomainError('account.emailInvalid', { field: 'email' });
  const firstName = checkedFirstName(entered.firstName);
  const lastName = checkedLastName(entered.lastName ?? '');
  return { email, firstName, lastName, authorities: authorities.filter((one) => entered.authorities.includes(one)) };
}
