import type { Ctx } from '../context.ts';
import { DatabaseAwayError } from '../db/database-away.ts';
import { type Mark, readerOfMarks } from './marks.store.ts';

const EVERY_MS = 10_000;

export interface Following {
  stop(): void;
}

/** What one node changes for all: levels of the log, lists of authorities. */
export interface Followed {
  readonly mark: Mark;
  look(ctx: Ctx): Promise<void>;
}

/**
 * What one node changes each of the others reads within seconds: the marks of all of it are one statement, which is all of a
 * round where nothing changed. What fails is tried again with the next round, and what was known goes on meanwhile.
 */
export function follow(ctx: Ctx, all: readonly Followed[], everyMs = EVERY_MS): Following {
  const readMarks = readerOfMarks(
    ctx,
    all.map(({ mark }) => mark),
  );
  const seen = new Map<Followed, string | null>();
  const read = async () => {
    const marks = await readMarks();
    for (const [at, one] of all.entries()) {
      const mark = marks[at] ?? null;
      if (seen.get(one) === mark) continue;
      await one.look(ctx).then(() => seen.set(one, mark), tell);
    }
  };
  const tell = (error: unknown) => {
    // An outage of the database is told by the pool, once.
    if (!(error instanceof DatabaseAwayError)) ctx.log.error({ err: error }, 'what other nodes changed could not be read');
  };
  let isRunning = false;
  const look = async () => {
    if (isRunning) return;
    isRunning = true;
    await read().catch(tell);
    isRunning = false;
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  return { stop: () => clearInterval(timer) };
}
