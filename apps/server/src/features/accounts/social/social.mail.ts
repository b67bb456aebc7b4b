import type { Ctx } from '../../../context.ts';
import type { Locale } from '../../../language/translator.ts';
import type { MailContent } from '../../../mail/layout.ts';

/** To whoever holds the address: their account has one more way in, or one less. */
export function identityMail(
  ctx: Pick<Ctx, 'translate' | 'publicUrl'>,
  locale: Locale,
  what: 'linked' | 'unlinked',
  values: { name: string; provider: string },
): MailContent {
  const t = (key: string) => ctx.translate(locale, key, values);
  return {
    subject: t(`mail.${what}.subject`),
    heading: t(`mail.${what}.heading`),
    paragraphs: [t(`mail.${what}.text`)],
    button: { label: t(`mail.${what}.button`), url: `${ctx.publicUrl}/account/settings` },
    notes: [t(`mail.${what}.note`)],
  };
}
