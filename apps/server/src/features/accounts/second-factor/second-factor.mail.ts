import type { Ctx } from '../../../context.ts';
import type { MailContent } from '../../../mail/layout.ts';
import type { User } from '../accounts.store.ts';

/** What an account's holder is told about its second factor; whoever did it may be somebody else. */
export type FactorNews =
  | 'totpAdded'
  | 'totpRemoved'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'codesRenewed'
  | 'backupCodeUsed'
  | 'codesGuessed'
  | 'factorsReset';

export function factorMail(
  ctx: Ctx,
  to: Pick<User, 'firstName' | 'langKey'>,
  news: FactorNews,
  values: { passkey?: string } = {},
): MailContent {
  const t = (key: string) => ctx.translate(to.langKey, `mail.factor.${key}`, { name: to.firstName, passkey: values.passkey ?? '' });
  return {
    subject: t(`${news}.subject`),
    heading: t('heading'),
    paragraphs: [t(`${news}.text`)],
    button: { label: t('button'), url: `${ctx.publicUrl}/account/second-factor` },
    notes: [t('note')],
  };
}
