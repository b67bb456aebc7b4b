import { type RawBuilder, sql } from 'kysely';

/** More words narrow a search no further. */
const MOST_WORDS = 10;

/**
 * SQL for "these words stand in the column `search`", without accents and case. Made plain first and taken by the letter then:
 * a full-width `％` becomes the sign that LIKE reads as "anything". The subquery has the words made plain once, not for every row.
 */
export function searched(words: string): RawBuilder<boolean> {
  return sql<boolean>`search like (select '%' || regexp_replace(lower(f_unaccent(${words.trim()})), '([\\\\%_])', '\\\\\\1', 'g') || '%')`;
}

/**
 * The same for a text in which every word begins after a blank (`plain_words`): each of the words stands somewhere in it. One without
 * three letters in a row stands at the beginning of a word: an index of three letters finds nothing shorter. Null: nothing that could
 * be looked for.
 */
export function wordsSearched(text: string): RawBuilder<boolean>[] | null {
  const words = [...new Set(text.normalize('NFC').split(/\s+/u))].filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return null;
  return words.slice(0, MOST_WORDS).map((word) => {
    const start = /[\p{L}\p{M}\p{N}]{3}/u.test(word) ? '%' : '% ';
    return sql<boolean>`search like (select ${start} || regexp_replace(plain_words(${word}), '([\\\\%_])', '\\\\\\1', 'g') || '%')`;
  });
}
