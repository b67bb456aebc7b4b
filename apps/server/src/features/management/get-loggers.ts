import type { getLoggers as call, LogLevel, Reply } from '@lavra/api';
import { logLevels } from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { type PinoLevel, readLevels } from '../../loggers.ts';

const onWire: Readonly<Record<PinoLevel, LogLevel>> = {
  silent: 'OFF',
  fatal: 'FATAL',
  error: 'ERROR',
  warn: 'WARN',
  info: 'INFO',
  debug: 'DEBUG',
  trace: 'TRACE',
};

/** What the parts of this program's log speak at. */
export async function getLoggers(ctx: Ctx, _actor: Person): Promise<Reply<typeof call>> {
  const loggers = Object.entries(readLevels(ctx.log)).map(([name, { configured, effective }]) => [
    name,
    { configuredLevel: configured && onWire[configured], effectiveLevel: onWire[effective] },
  ]);
  return { levels: [...logLevels], loggers: Object.fromEntries(loggers) as Reply<typeof call>['loggers'] };
}
