import { I18nProvider } from 'react-aria-components/I18nProvider';
import type { ReactNode } from 'react';
import { useTranslation } from '../lib/i18n.ts';

/** Day before month and 24 hours in each of our languages, which is why English is Britain's here. */
const locales: Readonly<Record<string, string>> = { 'pt-br': 'pt-BR', en: 'en-GB', es: 'es-ES' };

/** The language of the page for what React Aria says by itself. */
export function AriaLocale({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation();
  return <I18nProvider locale={locales[i18n.language] ?? 'pt-BR'}>{children}</I18nProvider>;
}
