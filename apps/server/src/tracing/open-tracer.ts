import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { loggerFor } from '../loggers.ts';
import { describeProgram } from '../program.ts';
import { noTracer, type Tracer } from './tracer.ts';

/** The tracer that the configuration asks for; what it needs is loaded only then. */
export async function openTracer(config: Config, log: Logger): Promise<Tracer> {
  if (config.traces === null) return noTracer;
  const { openTelemetry } = await import('./open-telemetry.ts');
  const { name, version } = describeProgram(config);
  return openTelemetry(config.traces, { 'service.instance.id': name, 'service.version': version }, loggerFor(log, 'health'));
}
