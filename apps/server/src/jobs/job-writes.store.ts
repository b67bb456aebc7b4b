import { sql } from 'kysely';
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

/**
 * What inserts a job, as parts of a statement: a `with` that writes may not stand inside of another one. `refusal`: for one that is not
 * taken; null where the one that waits already is as good. `begin`: it is taken by whoever inserts it, who runs it then: nobody else is told.
 */
export function jobWrites(
  name: string,
  { text, values }: Asked,
  refusal: (() => Error) | null,
  begin: (() => void) | null = null,
): Write[] {
  const [, insert, notified] = WITH_TELLING.exec(text) ?? [];
  const [before, after] = (insert ?? text).split('$1');
  // Another value of theirs would be taken for one of the statement around it.
  const hasOne = values.length === 1 && text.match(/\$\d+/g)?.join() === '$1';
  if (before === undefined || after === undefined || !hasOne || /^\s*with\b/i.test(before)) {
    throw new Error(`the queue sends its jobs in words that are not known here: ${text}`);
  }
  const written = `job ${name}`;
  const taken = refusal ? { rows: 1, otherwise: refusal } : {};
  const inserting: Write = { as: written, query: sql`${sql.raw(begin ? asTaken(before) : before)}${values[0]}${sql.raw(after)}`, ...taken };
  if (begin) return [{ ...inserting, onWritten: begin }];
  if (notified === undefined) return [inserting];
  return [inserting, { as: `told ${name}`, query: sql.raw(notified.replace(/\bfrom ins\b/i, `from "${written}"`)), isRead: true }];
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

/** What inserts a job that is taken in the same moment: as one that was handed out, it is given to another if its program is silent. */
function asTaken(insert: string): string {
  const [begin, into, select, id] = INSERTING.exec(insert) ?? [];
  if (begin === undefined) throw new Error(`the queue sends its jobs in words that are not known here: ${insert}`);
  const values = `'active'::pgboss.job_state, pgboss.job_now(), pgboss.job_now(),`;
  return `${into} state, started_on, heartbeat_on,${select}${values}${id}${insert.slice(begin.length)}`;
}
