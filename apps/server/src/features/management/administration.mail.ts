import type { Ctx } from '../../context.ts';
import { formatInstant } from '../../language/format-instant.ts';
import type { Locale } from '../../language/translator.ts';
import type { MailContent } from '../../mail/layout.ts';
import type { WatchedEnd } from './watched-ends.ts';

type Translating = Pick<Ctx, 'translate' | 'publicUrl'>;

/** Tells an administrator what ends soon, or has ended. */
export function expiryMail(
  ctx: Translating,
  locale: Locale,
  { name, ends }: { name: string; ends: readonly (WatchedEnd & { daysLeft: number })[] },
): MailContent {
  const t = (key: string, values: Record<string, string | number> = {}) => ctx.translate(locale, key, values);
  return {
    subject: t('mail.expiry.subject'),
    heading: t('mail.expiry.heading'),
    paragraphs: [
      t('mail.expiry.hello', { name }),
      ...ends.map(({ use, name: called, endsAt, daysLeft }) =>
        t(`mail.expiry.${sentenceOfEnd(daysLeft)}`, {
          name: called,
          use: t(`certificates.use.${use}`),
          at: formatInstant(endsAt),
          count: daysLeft,
        }),
      ),
    ],
    button: { label: t('mail.expiry.button'), url: `${ctx.publicUrl}/admin/certificates` },
    why: 'administrator',
  };
}

function sentenceOfEnd(daysLeft: number): 'ended' | 'endsToday' | 'ends' {
  if (daysLeft < 0) return 'ended';
  return daysLeft === 0 ? 'endsToday' : 'ends';
}

/** What an administrator sends to themself, to see that mails arrive. */
export function testMail(ctx: Translating & Pick<Ctx, 'clock'>, locale: Locale, name: string): MailContent {
  const t = (key: string, values: Record<string, string> = {}) => ctx.translate(locale, `mail.test.${key}`, values);
  return {
    subject: t('subject'),
    heading: t('heading'),
    paragraphs: [t('hello', { name }), t('text', { at: formatInstant(ctx.clock.now()), address: new URL(ctx.publicUrl).host })],
    why: 'administrator',
  };
}
