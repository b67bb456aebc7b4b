import { type Attention, jobsCountedTo } from '@lavra/api';
import type { Ctx } from '../../context.ts';
import { listStuckProcesses } from '../processes/life/stuck-processes.ts';
import { listKinds } from './jobs.store.ts';
import { listTold } from './node-attention.store.ts';

/** From when on it is told. A mean of few says nothing yet. */
const WAIT_MS = 60_000;
const CALL_MS = 1000;
const JOB_MS = 30_000;
const LATE_MS = 100;
const LEAST = 5;
/** What a program is short of comes before what takes long: the one is often why the other does. */
const order: readonly Attention['kind'][] = ['databaseCrowded', 'workersCrowded', 'programLate', 'slowCall', 'slowJob'];

/**
 * What is slow or stuck, the most pressing first: what waits, what does not go on, what the programs are short of, and what takes long;
 * of this program as it is now, of the others as they told within the last minutes.
 */
export async function findAttention(ctx: Ctx): Promise<Attention[]> {
  const [ages, stuck, told] = await Promise.all([
    listKinds(ctx, jobsCountedTo),
    listStuckProcesses(ctx),
    listTold(ctx, ctx.metrics.program),
  ]);
  const waiting = ages.filter(({ oldestSeconds }) => oldestSeconds * 1000 > WAIT_MS);
  const phases = new Map<string, number>();
  for (const { phase } of stuck) phases.set(phase, (phases.get(phase) ?? 0) + 1);
  return [
    ...waiting.map((age) => ({ kind: 'jobsWait' as const, name: age.name, count: age.waiting, ms: Math.round(age.oldestSeconds * 1000) })),
    ...[...phases].map(([name, count]) => ({ kind: 'processesStuck' as const, name, count, ms: 0 })),
    ...ages.filter(({ failed }) => failed > 0).map(({ name, failed }) => ({ kind: 'jobsGivenUp' as const, name, count: failed, ms: 0 })),
    ...together([...ownAttention(ctx), ...told]),
  ];
}

/** Of this program alone: what it is short of, and what takes long. */
export function ownAttention(ctx: Ctx): Attention[] {
  return [...shortOf(ctx), ...slow(ctx)];
}

/** One line for the same thing at several programs: how often in all, and the longest of their means. */
function together(all: readonly Attention[]): Attention[] {
  const lines = new Map<string, Attention>();
  for (const one of all) {
    const key = `${one.kind} ${one.name}`;
    const same = lines.get(key);
    lines.set(key, same ? { ...one, count: same.count + one.count, ms: Math.max(same.ms, one.ms) } : one);
  }
  return [...lines.values()].toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || b.ms - a.ms);
}

function shortOf({ metrics, workers }: Ctx): Attention[] {
  const { waiting } = metrics.pool();
  const { p99Ms } = metrics.loop();
  const lanes = Object.entries(workers.state()).filter(([, state]) => state.waiting > 0);
  return [
    ...(waiting > 0 ? [{ kind: 'databaseCrowded' as const, name: '', count: waiting, ms: 0 }] : []),
    ...lanes.map(([name, state]) => ({ kind: 'workersCrowded' as const, name, count: state.waiting, ms: 0 })),
    ...(p99Ms > LATE_MS ? [{ kind: 'programLate' as const, name: '', count: 0, ms: Math.round(p99Ms) }] : []),
  ];
}

function slow({ metrics }: Ctx): Attention[] {
  const calls = Object.entries(metrics.requests().services).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, timing]) => ({ name: `${method} ${route}`, ...timing })),
  );
  const jobs = Object.entries(metrics.jobs()).map(([name, { done }]) => ({ name, ...done }));
  const told = (kind: 'slowCall' | 'slowJob', from: number, all: typeof jobs): Attention[] =>
    all
      .filter(({ count, mean }) => count >= LEAST && mean > from)
      .map(({ name, count, mean }) => ({ kind, name, count, ms: Math.round(mean) }));
  return [...told('slowCall', CALL_MS, calls), ...told('slowJob', JOB_MS, jobs)];
}
