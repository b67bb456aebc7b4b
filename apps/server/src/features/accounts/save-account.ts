import { checkedFirstName, checkedLastName, checkedTimeZone, DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { findUserById, updateProfile } from './accounts.store.ts';
import { askEmailChange, checkedEmailChange } from './ask-email-change.ts';

export interface Settings {
  firstName: string;
  lastName: string;
  langKey: 'pt-br' | 'en' | 'es';
  timeZone?: string | undefined;
  email?: string | undefined;
  /** Of a change of e-mail. */
  currentPassword?: string | undefined;
}

/**
 * Name, language, time zone; in single sign-on mode the name stays the provider's. Another e-mail is only asked for: it is the account's when its link is opened.
 * @throws DomainError text.invisible, account.nameRequired, nameTooLong, timeZoneUnknown, and those of `checkedEmailChange`
 */
export async function saveAccount(ctx: Ctx, actor: Person, input: Settings): Promise<void> {
  const { firstName, lastName } = ctx.config.sso ? await providersNames(ctx, actor) : checkedNames(input);
  const timeZone = input.timeZone === undefined ? undefined : checkedTimeZone(input.timeZone);
  const { email, currentPassword, langKey } = input;
  const change = email === undefined ? null : await checkedEmailChange(ctx, actor, { email, currentPassword });
  await ctx.transaction(async (tx) => {
    await updateProfile(tx, actor.userId, { firstName, lastName, langKey, timeZone });
    await recordAudit(tx, { kind: 'account.changed', outcome: 'success', accountId: actor.userId, ip: actor.from.ip });
    if (change) await askEmailChange(tx, actor, change);
  });
}

function checkedNames(input: Settings): { firstName: string; lastName: string } {
  const firstName = checkedFirstName(input.firstName);
  return { firstName, lastName: checkedLastName(input.lastName) };
}

async function providersNames(ctx: Ctx, { userId }: Person): Promise<{ firstName: string; lastName: string }> {
  const user = await findUserById(ctx, userId);
  if (!user) throw new DomainError('request.unauthorized');
  return user;
}
