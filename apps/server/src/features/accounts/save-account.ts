import { checkedFirstName, cleanLine, DomainError, limits } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { updateProfile } from './accounts.store.ts';

/** Name and language. The e-mail is what invitations were sent to: it does not change here. */
export async function saveAccount(
  ctx: Ctx,
  actor: Person,
  input: { firstName: string; lastName: string; langKey: 'pt-br' | 'en' | 'es' },
): Promise<void> {
  const firstName = checkedFirstName(input.firstName);
  const lastName = cleanLine(input.lastName, 'lastName');
  if (lastName.length > limits.nameMax)
    throw new DomainError('account.nameTooLong', { field: 'lastName', params: { max: limits.nameMax } });
  await ctx.transaction(async (tx) => {
    await updateProfile(tx, actor.userId, { firstName, lastName, langKey: input.langKey });
    await recordAudit(tx, { kind: 'account.changed', outcome: 'success', accountId: actor.userId, ip: actor.from.ip });
  });
}
