import type { Ctx } from '../../context.ts';
import { formatInstant } from '../../language/format-instant.ts';
import type { Locale } from '../../language/translator.ts';
import type { MailContent, MailReason } from '../../mail/layout.ts';

/** A process whose files are about to go. */
export interface GoingProcess {
  id: string;
  title: string;
  at: Date;
}

const NAMED = 30;

/** Tells somebody which of their processes lose their files, and until when they are there to be kept. */
export function retentionMail(
  ctx: Pick<Ctx, 'translate'>,
  locale: Locale,
  { name, going, link, why }: { name: string; going: readonly GoingProcess[]; link: string; why: MailReason },
): MailContent {
  const t = (key: string, values: Record<string, string | number> = {}) => ctx.translate(locale, `mail.retention.${key}`, values);
  const count = going.length;
  return {
    // Titles are their sender's words: they stay out of the subject.
    subject: t('subject'),
    heading: t('heading', { name }),
    paragraphs: [
      t(count === 1 ? 'text' : 'textMany'),
      ...going.slice(0, NAMED).map(({ title, at }) => t('line', { title, at: formatInstant(at) })),
      ...(count > NAMED ? [t('more', { count: count - NAMED })] : []),
      t('stays'),
    ],
    button: { label: t(count === 1 ? 'button' : 'list'), url: link },
    notes: [t('note')],
    why,
  };
}
