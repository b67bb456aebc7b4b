import type { Ctx } from '../../context.ts';
import type { MailContent } from '../../mail/layout.ts';
import type { Locale } from '../../language/translator.ts';

/** An invitation into a company. It looks like the product, not like the company: whoever reads it has never heard of either. */
export function invitationMail(
  ctx: Ctx,
  locale: Locale,
  { link, ...values }: { inviter: string; inviterEmail: string; company: string; link: string },
): MailContent {
  const t = (key: string) => ctx.translate(locale, key, values);
  return {
    subject: t('mail.company.subject'),
    heading: t('mail.company.heading'),
    paragraphs: [t('mail.company.text'), t('mail.company.seen')],
    button: { label: t('mail.company.button'), url: link },
    notes: [t('mail.company.note')],
    // As of a stranger: whoever reads it knows the company, or does not.
    why: { as: 'invited', sender: { name: values.inviter, email: values.inviterEmail, isNew: true } },
  };
}
