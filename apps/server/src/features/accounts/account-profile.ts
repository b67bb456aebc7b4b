import type { Account } from '@lavra/api';
import { cleanLine, DomainError, limits } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { Person } from '../../access/actor.ts';
import { findUserById, updateProfile } from './accounts.store.ts';

export async function getAccount(ctx: Ctx, actor: Person): Promise<Account> {
  const user = await findUserById(ctx, actor.userId);
  if (!user) throw new DomainError('request.unauthorized');
  return {
    id: user.id,
    login: user.login,
    email: user.email,
    firstName: user.first_name,
    lastName: user.last_name,
    langKey: user.lang_key,
    activated: user.activated,
    authorities: user.authorities,
    loginType: user.login_type,
    createdDate: user.created_at.toISOString(),
  };
}

/** A first name as it is kept. @throws DomainError text.invisible, account.nameRequired, nameTooLong */
export function checkedName(given: string): string {
  const name = cleanLine(given, 'firstName');
  if (name === '') throw new DomainError('account.nameRequired', { field: 'firstName' });
  if (name.length > limits.nameMax) throw new DomainError('account.nameTooLong', { field: 'firstName', params: { max: limits.nameMax } });
  return name;
}

/** Name and language. The e-mail is what invitations were sent to: it does not change here. */
export async function saveAccount(
  ctx: Ctx,
  actor: Person,
  input: { firstName: string; lastName: string; langKey: 'pt-br' | 'en' | 'es' },
): Promise<void> {
  const firstName = checkedName(input.firstName);
  const lastName = cleanLine(input.lastName, 'lastName');
  if (lastName.length > limits.nameMax)
    throw new DomainError('account.nameTooLong', { field: 'lastName', params: { max: limits.nameMax } });
  await updateProfile(ctx, actor.userId, { firstName, lastName, langKey: input.langKey });
}
