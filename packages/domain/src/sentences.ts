/** All sentences of a language by their keys; keys hold dots and mean nothing by them. */
export type Sentences = Readonly<Record<string, string>>;

/** What stands in a sentence's `{{name}}`; `count` chooses its form as well. */
export type SentenceValues = Readonly<Record<string, unknown>>;

/**
 * The sentence of `key` with its placeholders filled; undefined where the language has none. One of several forms (`key_one`, `key_many`,
 * `key_other`) is that of `count`, by the language's own rules (CLDR). Mails, papers and pages all speak through this.
 */
export function sentenceOf(sentences: Sentences, forms: Intl.PluralRules, key: string, values: SentenceValues = {}): string | undefined {
  const form = typeof values['count'] === 'number' ? `_${forms.select(values['count'])}` : '';
  const sentence = sentences[`${key}${form}`] ?? sentences[key];
  return sentence?.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
}
