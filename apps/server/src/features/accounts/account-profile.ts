import type { Account } from '@lavra/api';
import { cleanLine, DomainError, limits } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { findUserById, updateProfile } from './accounts.store.ts';

export async function getAccount(ctx: Ctx, actor: Actor): Promise<Account> {
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

/** Name and language. The e-mail is what invitations were sent to: it does not change here. */
export async function saveAccount(
  ctx: Ctx,
  actor: Actor,
  input: { firstName: string; lastName: string; langKey: 'pt-br' | 'en' | 'es' },
): Promise<void> {
  const firstName = cleanLine(input.firstName, 'firstName');
  const lastName = cleanLine(input.lastName, 'lastName');
  if (firstName === '') throw new DomainError('account.nameRequired', { field: 'firstName' });
  if (firstName.length > limits.nameMax || lastName.length > limits.nameMax) {
    throw new DomainError('account.nameTooLong', {
      field: firstName.length > limits.nameMax ? 'firstName' : 'lastName',
      params: { max: limits.nameMax },
    });
  }
  await updateProfile(ctx, actor.userId, { firstName, lastName, langKey: input.langKey });
}
