import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sentenceOf } from '@lavra/domain';

export const locales = ['pt-br', 'en', 'es'] as const;
export type Locale = (typeof locales)[number];

/** As documents and pages name it (BCP 47). */
export function languageTag(locale: Locale): string {
  return locale === 'pt-br' ? 'pt-BR' : locale;
}

/**
 * Sentence of `key` with `{{name}}` placeholders filled, in the form that `count` asks for; the key itself when it is unknown (tests
 * refuse that).
 */
export type Translator = (locale: Locale, key: string, values?: Readonly<Record<string, string | number>>) => string;

const read = new Map<string, Readonly<Record<string, string>>>();

/** All sentences of a locale, one flat table: the files of `locales/<locale>/` merged, read once in this thread. */
export function readMessages(localesDir: string, locale: Locale): Readonly<Record<string, string>> {
  const directory = join(localesDir, locale);
  const known = read.get(directory) ?? readTable(directory);
  read.set(directory, known);
  return known;
}

function readTable(directory: string): Readonly<Record<string, string>> {
  const files = readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .toSorted();
  return Object.assign({}, ...files.map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Record<string, string>));
}

export function createTranslator(localesDir: string): Translator {
  const tables = new Map(locales.map((locale) => [locale, readMessages(localesDir, locale)]));
  const forms = new Map(locales.map((locale) => [locale, new Intl.PluralRules(languageTag(locale))]));
  return (locale, key, values = {}) => {
    const [table, rules] = [tables.get(locale), forms.get(locale)];
    return (table && rules && sentenceOf(table, rules, key, values)) ?? key;
  };
}

const translators = new Map<string, Translator>();

/** The translator of a directory, read once in this thread: for workers, which get no context. */
export function translatorOf(localesDir: string): Translator {
  const translator = translators.get(localesDir) ?? createTranslator(localesDir);
  translators.set(localesDir, translator);
  return translator;
}
