import type { LogLevel } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { followLoggers } from '../../installation/follow-loggers.ts';
import { writeLoggerLevel } from '../../installation/logger-levels.store.ts';
import { loggerNames, type PinoLevel, readLevels } from '../../loggers.ts';

const inPino: Readonly<Record<LogLevel, PinoLevel>> = {
  OFF: 'silent',
  FATAL: 'fatal',
  ERROR: 'error',
  WARN: 'warn',
  INFO: 'info',
  DEBUG: 'debug',
  TRACE: 'trace',
};

/** Has a part of the log speak more or less, here at once and at the other nodes within seconds. @throws DomainError request.notFound */
export async function changeLogger(
  ctx: Ctx,
  actor: Person,
  { name, configuredLevel }: { name: string; configuredLevel: LogLevel | null },
): Promise<void> {
  const known = loggerNames.find((one) => one === name);
  if (!known) throw new DomainError('request.notFound');
  const level = configuredLevel && inPino[configuredLevel];
  const before = readLevels(ctx.log)[known].configured;
  await ctx.transaction(async (tx) => {
    await writeLoggerLevel(tx, known, level);
    await recordAudit(tx, {
      kind: 'installation.logger',
      outcome: 'success',
      accountId: actor.userId,
      subjectId: `loggers/${known}`,
      details: { level: { before, after: level } },
      ip: actor.from.ip,
    });
  });
  await followLoggers(ctx);
}
