import type { Account } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { findUserById } from './accounts.store.ts';
import { findPendingEmail } from './email-changes.store.ts';
import { findConfirmedCpfOf } from './social/identities.store.ts';

/** The actor's own account. @throws DomainError request.unauthorized: it is gone */
export async function getAccount(ctx: Ctx, actor: Person): Promise<Account> {
  const user = await findUserById(ctx, actor.userId);
  if (!user) throw new DomainError('request.unauthorized');
  const confirmed = await findConfirmedCpfOf(ctx, user.id);
  return {
    id: user.id,
    login: user.login,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    langKey: user.langKey,
    timeZone: user.timeZone,
    pendingEmail: await findPendingEmail(ctx, user.id),
    activated: user.state === 'active',
    authorities: user.authorities,
    // Where a provider keeps them, nobody has a password here to change.
    loginType: ctx.config.sso?.provider ?? user.loginType,
    company: actor.company && { ...actor.company, authority: actor.company.role === 'admin' ? 'ROLE_ADMIN' : 'ROLE_USER' },
    confirmedCpf: confirmed && { cpf: confirmed.cpf, by: confirmed.by, at: confirmed.at.toISOString() },
    createdDate: user.createdAt.toISOString(),
  };
}
