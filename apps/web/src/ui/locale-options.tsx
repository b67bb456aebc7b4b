import { localeNames, locales } from '../lib/i18n.ts';

/** The languages of the product for a `select`, each as its own people call it. */
export function LocaleOptions() {
  return locales.map((locale) => (
    <option key={locale} value={locale}>
      {localeNames[locale]}
    </option>
  ));
}
