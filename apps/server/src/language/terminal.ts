import { join } from 'node:path';
import { languageTag, type Locale, locales, translatorOf } from './translator.ts';

const localesDir = join(import.meta.dirname, '../../../../locales');

/** What a terminal says: the sentence of `terminal.<key>` with its placeholders filled. */
export type Words = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** The language of terminals, `LAVRA_LANGUAGE`. A value that is no language is Portuguese here; the configuration refuses it in words. */
export function terminalLanguage(environment: Readonly<Record<string, string | undefined>>): Locale {
  return locales.find((locale) => locale === environment['LAVRA_LANGUAGE']) ?? 'pt-br';
}

export function terminalWords(language: Locale): Words {
  const translate = translatorOf(localesDir);
  return (key, values) => translate(language, `terminal.${key}`, values);
}

/** Bytes in millions, as a language writes numbers. */
export function megabytes(bytes: number, language: Locale): string {
  return `${(bytes / 1e6).toLocaleString(languageTag(language), { maximumFractionDigits: 1 })} MB`;
}
