import { relative, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import type { getThreadDump as call, Reply } from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { describeProgram } from '../../program.ts';

type Dump = Reply<typeof call>;
type Frame = Dump['threads'][number]['stackTrace'][number];

const root = resolve(import.meta.dirname, '../../../../..');

/**
 * What the program does at this moment. Of Node's report only the stack and the kinds of open handles are taken, by name: the
 * rest of it has the environment, the command line, addresses and other people's connections. A picture of the heap is its
 * spaces and their sizes; its content is never handed out, since keys, passwords and documents stand there.
 */
export async function getThreadDump(ctx: Ctx, _actor: Person): Promise<Dump> {
  const report = readReport();
  const lanes = Object.entries(ctx.workers.state());
  const now = performance.now();
  const workers = lanes.flatMap(([lane, { processes }]) =>
    processes.map(({ pid, task }) => ({
      threadName: `worker ${lane}`,
      threadId: pid,
      threadState: task ? ('RUNNABLE' as const) : ('WAITING' as const),
      task: task?.name ?? null,
      seconds: task ? Math.round((now - task.since) / 100) / 10 : null,
      stackTrace: [],
    })),
  );
  return {
    threads: [
      { threadName: 'main', threadId: process.pid, threadState: 'RUNNABLE', task: null, seconds: null, stackTrace: report.stack },
      ...workers,
    ],
    lanes: lanes.map(([name, { processes, working, most, waiting }]) => ({ name, processes: processes.length, working, most, waiting })),
    eventLoop: { utilization: round(performance.eventLoopUtilization().utilization), ...ctx.metrics.loop() },
    handles: report.handles,
    heap: readHeap(),
    node: describeProgram(ctx.config),
  };
}

interface Report {
  javascriptStack?: { stack?: readonly string[] };
  libuv?: readonly { type?: string; is_active?: boolean }[];
}

function readReport(): { stack: Frame[]; handles: Record<string, number> } {
  // Else it looks up the name of everybody who is connected, and waits for the answers.
  (process.report as { excludeNetwork?: boolean }).excludeNetwork = true;
  const { javascriptStack, libuv = [] } = process.report.getReport() as Report;
  const handles: Record<string, number> = {};
  for (const { type = 'other' } of libuv) handles[type] = (handles[type] ?? 0) + 1;
  delete handles['loop'];
  return { stack: (javascriptStack?.stack ?? []).map(frameOf), handles };
}

/** `at name (file:///…/x.ts:12:3)`; files as they are called in the product's own folder. */
function frameOf(line: string): Frame {
  const [, methodName = line.trim(), place = ''] = /^\s*(?:at )?(.*?)\s*\(?((?:file|node):[^()]*:\d+:\d+)?\)?$/.exec(line) ?? [];
  const [, file = '', number = '0'] = /^(.*):(\d+):\d+$/.exec(place) ?? [];
  const fileName = file.startsWith('file:') ? relative(root, fileURLToPath(file)) : file;
  return { methodName, fileName: fileName === '' ? null : fileName, lineNumber: Number(number) };
}

function readHeap(): Dump['heap'] {
  const { used_heap_size: used, total_heap_size: committed, heap_size_limit: limit } = getHeapStatistics();
  const { external, arrayBuffers, rss } = process.memoryUsage();
  const spaces = getHeapSpaceStatistics().map((space) => ({
    name: space.space_name,
    used: space.space_used_size,
    committed: space.space_size,
    available: space.space_available_size,
  }));
  return { used, committed, limit, external, arrayBuffers, rss, spaces };
}

const round = (value: number) => Math.round(value * 1000) / 1000;
