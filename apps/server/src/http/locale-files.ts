import { type Locale, locales, readMessages } from '../language/translator.ts';
import { type PublicAnswer, publicAnswer } from '../public-answer.ts';

/** What terminals, mails and papers say, and no page: a tenth of what a telephone would wait for. */
const ELSEWHERE = /^(terminal|mail|report|page)\./;

/** The sentences of a language as pages have them. */
export interface LocaleFile {
  /** Below `/i18n/`, changes with them: `pt-br.HASH.json`. */
  name: string;
  answer: PublicAnswer;
}

const made = new Map<string, ReadonlyMap<Locale, LocaleFile>>();

/** Of every language; made once. */
export function localeFiles(localesDir: string): ReadonlyMap<Locale, LocaleFile> {
  const known = made.get(localesDir) ?? new Map(locales.map((locale) => [locale, localeFile(localesDir, locale)]));
  made.set(localesDir, known);
  return known;
}

function localeFile(localesDir: string, locale: Locale): LocaleFile {
  const sentences = Object.entries(readMessages(localesDir, locale));
  const shown = Object.fromEntries(sentences.filter(([key]) => !ELSEWHERE.test(key)));
  const answer = publicAnswer('application/json; charset=utf-8', JSON.stringify(shown));
  return { name: `${locale}.${answer.etag.replaceAll('"', '')}.json`, answer };
}
