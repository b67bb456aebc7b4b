import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';

/** A part of a statement, another text whenever there is something to read. */
export type Mark = RawBuilder<string | null>;

/** Reads all of them by one statement, which is put together once. */
export function readerOfMarks({ db }: Pick<Ctx, 'db'>, marks: readonly Mark[]): () => Promise<readonly (string | null)[]> {
  const asked = sql<{ marks: (string | null)[] }>`select array[${sql.join(marks)}]::text[] as marks`.compile(db);
  return async () => (await db.executeQuery(asked)).rows[0]?.marks ?? [];
}
