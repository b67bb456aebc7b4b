import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

export const locales = ['pt-br', 'en', 'es'] as const;
export type Locale = (typeof locales)[number];
/** Each as its own people call it. */
export const localeNames: Readonly<Record<Locale, string>> = { 'pt-br': 'Português', en: 'English', es: 'Español' };
const KEY = 'lavra-locale';

function preferred(): Locale {
  const stored = localStorage.getItem(KEY);
  return locales.find((locale) => locale === stored) ?? 'pt-br';
}

async function load(locale: Locale): Promise<void> {
  if (i18next.hasResourceBundle(locale, 'translation')) return;
  const answer = await fetch(`/i18n/${locale}.json`);
  i18next.addResourceBundle(locale, 'translation', await answer.json());
}

/** Flat keys: error codes hold dots. The page waits for its sentences. */
export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: preferred(),
    lowerCaseLng: true,
    keySeparator: false,
    nsSeparator: false,
    fallbackLng: false,
    interpolation: { escapeValue: false },
    resources: {},
  });
  await showLocale(preferred());
}

/** Whether whoever uses this browser has ever chosen a language in it. */
export function hasChosenLocale(): boolean {
  return localStorage.getItem(KEY) !== null;
}

/** A language that was chosen, and is kept. */
export async function changeLocale(locale: Locale): Promise<void> {
  localStorage.setItem(KEY, locale);
  nameToServer(locale);
  await showLocale(locale);
}

/** A language for this page alone. */
export async function showLocale(locale: Locale): Promise<void> {
  await load(locale);
  await i18next.changeLanguage(locale);
  document.documentElement.lang = locale === 'pt-br' ? 'pt-BR' : locale;
}

/**
 * The server names the sentences in the page's head, so that they come beside the scripts and not after them. Portuguese it names by
 * itself: who has chosen nothing else gets no cookie.
 */
function nameToServer(locale: Locale): void {
  const keeps = locale === 'pt-br' ? 0 : 31_536_000;
  document.cookie = `${KEY}=${locale}; path=/; max-age=${keeps}; samesite=strict`;
}
