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

/** Of a list so many rows tell how rare a part of a word is. */
const SAMPLED = 300;

/**
 * SQL for parts of words that an index of three letters is asked for, the rarest first, by the word they are of: three letters or
 * digits, as rare as part_of_it of the rows are (SQL for their column `search`). Who asks it for all of a word has it cut many long lists
 * with each other.
 */
export async function rarestParts(
  { db }: { db: Kysely<Database> },
  rows: RawBuilder<unknown>,
  words: readonly string[],
  plain: (word: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<ReadonlyMap<string, readonly RawBuilder<boolean>[]>> {
  const { rows: found } = await sql<{ word: string; part: string }>`
    with sample as materialized (select search from (${rows}) as part_of_it limit ${sql.lit(SAMPLED)}),
    parts as (
      select word, part, min(at) as at from unnest(${words}::text[]) as word
        cross join lateral (select ${plain(sql`word`)} as letters) as plain
        cross join lateral generate_series(1, length(letters) - 2) as at
        cross join lateral (select substr(letters, at, 3) as part) as cut
      where part ~ '^[[:alnum:]]{3}$' group by word, part
    )
    select word, part from parts order by (select count(*) from sample where search like '%' || part || '%'), at`.execute(db);
  const parts = new Map<string, RawBuilder<boolean>[]>(words.map((word) => [word, []]));
  for (const { word, part } of found) parts.get(word)?.push(sql<boolean>`search like ${`%${part}%`}`);
  return parts;
}

/** For the rest of the transaction: the planner, which knows nothing of what is looked for, reads no table and no list instead of the index of words. */
export async function byIndexOfWords({ db }: { db: Kysely<Database> }): Promise<void> {
  await sql`select set_config(name, 'off', true) from (values ('enable_seqscan'), ('enable_indexscan'), ('enable_indexonlyscan')) as of (name)`.execute(
    db,
  );
}
