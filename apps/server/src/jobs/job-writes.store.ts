import { type RawBuilder, sql } from 'kysely';
import type { Write } from '../db/at-once.ts';

/** What the queue's library would ask of the database, in its own words. */
interface Asked {
  text: string;
  values: readonly unknown[];
}

/** A database that only listens: it answers that the job was taken. */
export function listening() {
  let heard: Asked | null = null;
  return {
    db: {
      executeSql(text: string, values: readonly unknown[] = []) {
        if (heard) throw new Error('the queue asks for a job in more than one statement');
        heard = { text, values };
        return Promise.resolve({ rows: [{ id: '' }] });
      },
    },
    heard(): Asked {
      if (!heard) throw new Error('the queue asked nothing');
      return heard;
    },
  };
}

/** It inserts, and tells whoever listens that something is due; in another order of words it would be another library. */
const WITH_TELLING =
  /^\s*with ins as \(([\s\S]*)\),\s*notified as \(([\s\S]*)\)\s*select id from ins where \(select count\(\*\) from notified\) (?:>=|<) 0\s*$/i;

/** How a job is taken by whoever inserts it, who runs it then: nobody else is told. */
export interface Taking {
  /**
   * Whose turn it takes, of which so many run at once: where they do, or where anything of its kind waits, it waits with the rest. `isTold`: whoever listens is told
   * then; else its sender looks for it by itself (`waits`).
   */
  turn: { of: string; most: number; isTold: boolean; waits(): void } | null;
  begin(): void;
}

/**
 * What inserts a job, as parts of a statement: a `with` that writes may not stand inside of another one. `refusal`: for one that is not
 * accepted; null where the one that waits already is as good.
 */
export function jobWrites(name: string, { text, values }: Asked, refusal: (() => Error) | null, taking: Taking | null = null): Write[] {
  const [, insert, notified] = WITH_TELLING.exec(text) ?? [];
  const [before, after] = (insert ?? text).split('$1');
  // Another value of theirs would be taken for one of the statement around it.
  const hasOne = values.length === 1 && text.match(/\$\d+/g)?.join() === '$1';
  if (before === undefined || after === undefined || !hasOne || /^\s*with\b/i.test(before)) {
    throw new Error(`the queue sends its jobs in words that are not known here: ${text}`);
  }
  const written = `job ${name}`;
  const accepted = refusal ? { rows: 1, otherwise: refusal } : {};
  const inserting = (begin: string, end: string): Write => ({
    as: written,
    query: sql`${sql.raw(begin)}${values[0]}${sql.raw(end)}`,
    ...accepted,
  });
  const telling = (from: string): Write[] =>
    notified === undefined ? [] : [{ as: `told ${name}`, query: sql.raw(notified.replace(/\bfrom ins\b/i, `from ${from}`)), isRead: true }];
  if (!taking) return [inserting(before, after), ...telling(`"${written}"`)];
  const { turn, begin } = taking;
  const free = `free ${name}`;
  const taken: Write = {
    as: `taken ${name}`,
    query: sql.raw(`select 1 from "${written}" where state = 'active'`),
    isRead: true,
    onWritten: (rows) => (rows > 0 ? begin() : turn?.waits()),
  };
  const waiting = `(select * from "${written}" where state < 'active') as waiting`;
  return [
    ...(turn ? [{ as: free, query: isFree(name, turn), isRead: true } as const] : []),
    inserting(asTaken(before, turn ? `exists (select from "${free}")` : 'true'), withState(after)),
    taken,
    ...(turn?.isTold ? telling(waiting) : []),
  ];
}

/**
 * A row where a job of this turn may begin: none of its kind waits before it, and fewer than `most` of the turn run, anywhere. Who is just
 * being counted for another of the turn is not waited for: this one waits then.
 */
function isFree(name: string, { of, most }: { of: string; most: number }): RawBuilder<unknown> {
  const own = sql`from pgboss.job where name = ${sql.lit(name)}`;
  return sql`
    select 1 where pg_try_advisory_xact_lock(hashtext(${sql.lit(`job ${name}`)}), hashtext(${of}))
      and not exists (select ${own} and state < 'active' and not blocked)
      and (select count(*) ${own} and state = 'active' and group_id = ${of}) < ${sql.lit(most)}`;
}

/** It writes that a job is done, and counts; the same holds of another order of words. */
const WITH_COUNT =
  /^\s*with results as \(([\s\S]*)\)\s*select count\(\*\), coalesce\(array_agg\(id\), '\{\}'::uuid\[\]\) as ids from results\s*$/i;

/** What writes down that a job is done, as a part of the statement of its act. Where another run has the job by then it is no row, and the act stands. */
export function endingWrites({ text, values }: Asked, onWritten: () => void): Write[] {
  const [, update] = WITH_COUNT.exec(text) ?? [];
  // Words, and between them the numbers of the values.
  const parts = (update ?? '').split(/\$(\d+)/);
  const numbers = parts.filter((_, index) => index % 2 === 1).map(Number);
  const isKnown = numbers.toSorted((a, b) => a - b).join() === values.map((_, index) => index + 1).join();
  if (update === undefined || !isKnown || !/^\s*update\b/i.test(update)) {
    throw new Error(`the queue ends its jobs in words that are not known here: ${text}`);
  }
  return [
    {
      as: 'job done',
      onWritten,
      query: sql.join(
        parts.map((part, index) => (index % 2 === 1 ? sql`${values[Number(part) - 1]}` : sql.raw(part))),
        sql``,
      ),
    },
  ];
}

const INSERTING = /^(\s*insert into pgboss\.\w+ \()([^()]*\)\s*select\s)(\s*coalesce\(id, gen_random_uuid\(\)\) as id,)/i;

/** What inserts a job that is taken in the same moment, where that holds: as one that was handed out, it is given to another if its program is silent. */
function asTaken(insert: string, where: string): string {
  const [begin, into, select, id] = INSERTING.exec(insert) ?? [];
  if (begin === undefined) throw new Error(`the queue sends its jobs in words that are not known here: ${insert}`);
  const [state, since] = [
    `case when ${where} then 'active' else 'created' end::pgboss.job_state`,
    `case when ${where} then pgboss.job_now() end`,
  ];
  return `${into} state, started_on, heartbeat_on,${select}${state}, ${since}, ${since},${id}${insert.slice(begin.length)}`;
}

/** What it answers, and whether it was taken. */
function withState(insert: string): string {
  if (!/\breturning id(?:, start_after)?\s*$/i.test(insert))
    throw new Error(`the queue sends its jobs in words that are not known here: ${insert}`);
  return `${insert.trimEnd()}, state`;
}
