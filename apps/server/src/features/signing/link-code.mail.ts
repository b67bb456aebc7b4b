import { limits } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { Locale } from '../../language/translator.ts';
import type { MailContent, MailSender } from '../../mail/layout.ts';

/** The code of a link that the sender handed over. The title stands in no subject: who sent it may have no history here. */
export function linkCodeMail(
  ctx: Ctx,
  locale: Locale,
  { sender, ...values }: { name: string; sender: MailSender; title: string; code: string },
): MailContent {
  const t = (key: string) =>
    ctx.translate(locale, `mail.linkCode.${key}`, { ...values, creator: sender.name, minutes: limits.linkCodeMinutes });
  return {
    subject: t('subject'),
    heading: ctx.translate(locale, 'mail.invite.heading', values),
    paragraphs: [t('text'), t('code')],
    notes: [t('note')],
    why: { as: 'signer', sender },
  };
}
