import type { Ctx } from '../../context.ts';
import type { MailContent } from '../../mail/layout.ts';
import type { Locale } from '../../language/translator.ts';
import type { OpenFault } from './stored-files.store.ts';

const NAMED = 20;

/** Tells an administrator which stored files are not what they were; enough of a hash to find the file. */
export function storageFaultMail(
  ctx: Pick<Ctx, 'translate'>,
  locale: Locale,
  { name, faults }: { name: string; faults: readonly OpenFault[] },
): MailContent {
  const t = (key: string, values: Record<string, string | number> = {}) => ctx.translate(locale, `mail.storageFault.${key}`, values);
  return {
    subject: t('subject'),
    heading: t('heading', { count: faults.length }),
    paragraphs: [
      t('hello', { name }),
      t('what'),
      ...faults.slice(0, NAMED).map(({ hash, fault }) => `${hash.slice(0, 12)}… ${t(fault)}`),
      t('then'),
    ],
    why: 'administrator',
  };
}
