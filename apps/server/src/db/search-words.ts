import { type RawBuilder, sql } from 'kysely';

/**
 * SQL for "these words stand in the column `search`", without accents and case. Made plain first and taken by the letter then:
 * a full-width `％` becomes the sign that LIKE reads as "anything". The subquery has the words made plain once, not for every row.
 */
export function searched(words: string): RawBuilder<boolean> {
  return sql<boolean>`search like (select '%' || regexp_replace(lower(f_unaccent(${words.trim()})), '([\\\\%_])', '\\\\\\1', 'g') || '%')`;
}
