import type { Ctx } from '../../../context.ts';
import type { Locale } from '../../../language/translator.ts';
import type { MailContent } from '../../../mail/layout.ts';

/** To whoever holds the address: their account has one more way in. */
export function linkedMail(
  ctx: Pick<Ctx, 'translate' | 'publicUrl'>,
  locale: Locale,
  values: { name: string; provider: string },
): MailContent {
  const t = (key: string) => ctx.translate(locale, key, values);
  return {
    subject: t('mail.linked.subject'),
    heading: t('mail.linked.heading'),
    paragraphs: [t('mail.linked.text')],
    button: { label: t('mail.linked.button'), url: `${ctx.publicUrl}/account/settings` },
    notes: [t('mail.linked.note')],
  };
}
