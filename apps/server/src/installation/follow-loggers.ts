import type { Ctx } from '../context.ts';
import { type LoggerName, loggerNames, type PinoLevel, pinoLevels, setLevels } from '../loggers.ts';
import type { Followed } from './follow.ts';
import { levelsMark, listLoggerLevels } from './logger-levels.store.ts';

/** Has this program's log speak as the database says: what an administrator changed at any node. */
export async function followLoggers(ctx: Pick<Ctx, 'db' | 'log'>): Promise<void> {
  const rows = await listLoggerLevels(ctx);
  const known = rows.filter(
    (row): row is { name: LoggerName; level: PinoLevel } =>
      (loggerNames as readonly string[]).includes(row.name) && (pinoLevels as readonly string[]).includes(row.level),
  );
  setLevels(ctx.log, Object.fromEntries(known.map(({ name, level }) => [name, level])));
}

export const followedLoggers: Followed = { mark: levelsMark, look: followLoggers };
