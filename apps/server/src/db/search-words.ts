import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from './tables.ts';

/** More words narrow a search no further. */
const MOST_WORDS = 10;

/**
 * SQL for "these words stand in the column `search`", without accents and case. Made plain first and taken by the letter then:
 * a full-width `％` becomes the sign that LIKE reads as "anything". The subquery has the words made plain once, not for every row.
 */
export function searched(words: string): RawBuilder<boolean> {
  return sql<boolean>`search like (select '%' || regexp_replace(lower(f_unaccent(${words.trim()})), '([\\\\%_])', '\\\\\\1', 'g') || '%')`;
}

/** A word that is looked for in a text in which every word begins after a blank (`plain_words`). */
export interface SearchedWord {
  text: string;
  /** It stands at the beginning of a word: it has no three letters in a row, and an index of three letters finds nothing shorter. */
  isStart: boolean;
}

/** The words of a text that somebody looks for. Null: nothing that could be looked for. */
export function wordsSearched(text: string): SearchedWord[] | null {
  const words = [...new Set(text.normalize('NFC').split(/\s+/u))].filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return null;
  return words.slice(0, MOST_WORDS).map((word) => ({ text: word, isStart: !/[\p{L}\p{M}\p{N}]{3}/u.test(word) }));
}

/** SQL for "it stands in the column `search`", in any place or at the beginning of a word. */
export function standsIn({ text, isStart }: SearchedWord): RawBuilder<boolean> {
  return sql<boolean>`search like (select ${isStart ? '% ' : '%'} || regexp_replace(plain_words(${text}), '([\\\\%_])', '\\\\\\1', 'g') || '%')`;
}

/** For the rest of the transaction: the planner, which knows nothing of what is looked for, reads no table and no list instead of the index of words. */
export async function byIndexOfWords({ db }: { db: Kysely<Database> }): Promise<void> {
  await sql`select set_config(name, 'off', true) from (values ('enable_seqscan'), ('enable_indexscan'), ('enable_indexonlyscan')) as of (name)`.execute(
    db,
  );
}
