import { availableParallelism, loadavg } from 'node:os';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import type { getMetrics as call, Reply } from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { describeProgram } from '../../program.ts';

/** What this program has counted since its start, in the form that the specification's clients read. */
export async function getMetrics(ctx: Ctx, _actor: Person): Promise<Reply<typeof call>> {
  const { codes, services, count } = ctx.metrics.requests();
  return {
    jvm: memoryAreas(),
    'http.server.requests': { all: { count }, percode: codes },
    services,
    cache: {},
    databases: Object.fromEntries(Object.entries(ctx.metrics.pool()).map(([name, value]) => [name, { value }])),
    garbageCollector: await ctx.metrics.collections(),
    processMetrics: processMetrics(),
    jobs: ctx.metrics.jobs(),
    samples: ctx.metrics.samples(),
    node: describeProgram(ctx.config),
  };
}

function memoryAreas(): Reply<typeof call>['jvm'] {
  const limit = getHeapStatistics().heap_size_limit;
  return Object.fromEntries(
    getHeapSpaceStatistics().map(({ space_name: name, space_used_size: used, space_size: committed }) => [
      name,
      { used, committed, max: limit },
    ]),
  );
}

function processMetrics(): Record<string, number> {
  const { user, system } = process.cpuUsage();
  const { rss, external, arrayBuffers } = process.memoryUsage();
  const uptime = process.uptime();
  return {
    'process.uptime': Math.round(uptime * 1000),
    'process.start.time': Math.round(Date.now() - uptime * 1000),
    // Of one processor, since the start.
    'process.cpu.usage': (user + system) / 1_000_000 / uptime,
    'system.cpu.count': availableParallelism(),
    'system.load.average.1m': loadavg()[0] ?? 0,
    'process.memory.rss': rss,
    'process.memory.external': external,
    'process.memory.buffers': arrayBuffers,
  };
}
