import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from './tables.ts';

/** One of several things that a single statement writes, or asks on its way. */
export interface Write {
  /** Its name in the statement. */
  as: string;
  /** A query of Kysely's without a `with` of its own, or SQL; it may read the names before it. */
  query: unknown;
  /** So many rows it must answer: with any other number the statement fails, and nothing of it is written. */
  rows?: number;
  /** What is thrown then. */
  otherwise?: () => Error;
  /** It only reads, once, and in its turn. */
  isRead?: true;
  /** Called when it was written for good, with how many rows it answered: not within a transaction, which may still be undone. */
  onWritten?: (rows: number) => void;
}

/** What was read before a statement that decides on it is not so any more: nothing was written, and whoever wrote it looks once more. */
export class MovedOn extends Error {}

/**
 * Writes all of it or nothing, in one statement: outside of a transaction it is its own; one that is open goes on, also after a refusal. All
 * parts see the database as it was before; they are checked in their order, and a row is written by one of them at most. `answer`: what
 * else it selects.
 * @throws what the first part whose rows are not as many as they must be has for that
 */
export async function writeAtOnce<Answer>(
  db: Kysely<Database>,
  writes: readonly Write[],
  answer: RawBuilder<unknown> = sql`1`,
): Promise<Answer> {
  const checked = writes.filter(({ rows, isRead, onWritten }) => rows !== undefined || isRead || onWritten);
  const told = checked.flatMap(({ as, rows }) => [...answerOf(as, rows), ', ']);
  const asked = assembled<Answer & Record<string, unknown>>([...partsOf(writes), ' select ', ...told, answer]);
  const asking = () => asked.execute(db);
  const { rows } = await (db.isTransaction ? undoneAlone(db, asking) : asking()).catch((error: unknown) => {
    throw refusalOf(error, checked) ?? error;
  });
  const [answered] = rows;
  if (!db.isTransaction) for (const { as, rows: must, onWritten } of writes) onWritten?.(must ?? Number(answered?.[countOf(as)]));
  return answered as Answer;
}

/**
 * In a transaction that goes on, also when the statement is refused: whoever repeats a call by its key has all of it in one, and what is done once more under
 * the lock after a refusal would meet a transaction that is over.
 */
async function undoneAlone<T>(db: Kysely<Database>, act: () => Promise<T>): Promise<T> {
  await sql`savepoint at_once`.execute(db);
  try {
    const done = await act();
    await sql`release savepoint at_once`.execute(db);
    return done;
  } catch (error) {
    // What ended the connection is told as that.
    await sql`rollback to savepoint at_once`.execute(db).catch(() => {});
    throw error;
  }
}

/** The same parts before a statement that goes on. */
export function withWrites(writes: readonly Write[]): RawBuilder<unknown> {
  return assembled(partsOf(writes));
}

/** Words of our own, and between them what Kysely compiles. */
type Parts = readonly (string | Part)[];
type Part = { query: unknown } | RawBuilder<unknown>;

const partsOf = (writes: readonly Write[]): Parts =>
  writes.flatMap(({ as, query, isRead }, index) => [
    `${index === 0 ? 'with ' : ', '}${named(as)} as ${isRead ? 'materialized ' : ''}(`,
    { query },
    ')',
  ]);

/** One piece of SQL: of a piece for each word, its compiler took as long as of all that the words are between. */
function assembled<Answer>(parts: Parts): RawBuilder<Answer> {
  const words = [''];
  const between: unknown[] = [];
  for (const part of parts) {
    if (typeof part === 'string') words.push(`${words.pop()}${part}`);
    else {
      between.push('query' in part ? part.query : part);
      words.push('');
    }
  }
  return sql<Answer>(Object.assign(words, { raw: words }), ...between);
}

/**
 * What is no number ends the statement, and PostgreSQL tells it with the fault, in its own language and its own quotation marks («» in Spanish):
 * where it ends it says itself.
 */
const refused = (as: string) => `refused:${as};`;

const countOf = (as: string) => `rows of ${as}`;

function answerOf(as: string, rows: number | undefined): Parts {
  const count = `(select count(*) from ${named(as)})`;
  if (rows === undefined) return [`${count} as ${named(countOf(as))}`];
  return [`cast(case when ${count} = `, { query: rows }, ` then '1' else ${literal(refused(as))} end as int)`];
}

const named = (name: string) => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

function refusalOf(error: unknown, checked: readonly Write[]): Error | undefined {
  const { code, message } = error as { code?: string; message?: string };
  if (code !== '22P02') return undefined;
  return checked.find(({ as }) => message?.includes(refused(as)))?.otherwise?.();
}
