import { randomUUID } from 'node:crypto';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { LOOKED_EVERY_MS } from './loop-meter.ts';
import { type EventLoopWaits, type Samples, startSampler } from './samples.ts';

/** One answered request. */
export interface AnsweredRequest {
  method: string;
  /** The pattern of the address, never the address: those carry capabilities. */
  route: string;
  status: number;
  ms: number;
}

/** Totals of one kind since the program's start, in milliseconds. */
export interface Timing {
  count: number;
  max: number;
  mean: number;
}

interface Sum {
  count: number;
  sum: number;
  max: number;
}

/**
 * What this program counts of itself, since its start and in its own memory: another node counts its own. Names and labels are the
 * program's words (patterns of addresses, kinds of jobs): nobody's id, name or address can get in.
 */
export interface Metrics {
  /** A name for this program, of this start: by it the others know whose count is whose. */
  readonly program: string;
  /** All of it as Prometheus reads it, with what Node knows of the program. */
  text(): Promise<string>;
  readonly contentType: string;
  answered(request: AnsweredRequest): void;
  ran(job: string, ms: number, isDone: boolean): void;
  /** A value that is asked for when somebody reads. */
  gauge(name: string, help: string, read: () => GaugeValues | Promise<GaugeValues>, label: string): void;
  requests(): { codes: Record<string, Timing>; services: Record<string, Record<string, Timing>>; count: number };
  jobs(): Record<string, { done: Timing; failed: number }>;
  /** What the last hour was like. */
  samples(): Samples;
  /** The event loop's waits since the last sample, milliseconds. */
  loop(): EventLoopWaits;
  /** Connections to the database. */
  pool(): PoolState;
  /** Garbage collections by kind, milliseconds. */
  collections(): Promise<Record<string, { count: number; mean: number }>>;
  close(): void;
}

/** Values by what the label says. */
type GaugeValues = readonly (readonly [kind: string, value: number])[];

export interface PoolState {
  open: number;
  idle: number;
  waiting: number;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900];

const nothing = (): Sum => ({ count: 0, sum: 0, max: 0 });
const timingOf = ({ count, sum, max }: Sum): Timing => ({ count, max, mean: count === 0 ? 0 : sum / count });

function add(sums: Map<string, Sum>, key: string, ms: number): void {
  const sum = sums.get(key) ?? nothing();
  sums.set(key, { count: sum.count + 1, sum: sum.sum + ms, max: Math.max(sum.max, ms) });
}

let program: Registry | null = null;

/** What Node knows of the program: memory, garbage collection, event loop. Observed once, whoever asks for it. */
function programRegistry(): Registry {
  if (program) return program;
  program = new Registry();
  collectDefaultMetrics({ register: program, prefix: 'lavra_', eventLoopMonitoringPrecision: LOOKED_EVERY_MS });
  return program;
}

/** Begins to count. `pool`: of the database. */
export function createMetrics(pool: () => PoolState): Metrics {
  const registry = new Registry();
  const requests = countRequests(registry);
  const sampler = startSampler(() => requests.totals());
  return {
    program: randomUUID(),
    text: () => Registry.merge([programRegistry(), registry]).metrics(),
    contentType: registry.contentType,
    answered: requests.answered,
    ...countJobs(registry),
    gauge: (name, help, read, label) => addGauge(registry, { name, help, label }, read),
    requests: requests.read,
    samples: sampler.read,
    loop: sampler.loop,
    pool,
    collections,
    close: sampler.close,
  };
}

function countRequests(registry: Registry) {
  const seconds = new Histogram({
    name: 'lavra_http_request_seconds',
    help: 'Answered requests by method, pattern of the address and status',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  const codes = new Map<string, Sum>();
  const services = new Map<string, Map<string, Sum>>();
  let requests = 0;
  let faults = 0;
  return {
    totals: () => ({ requests, faults }),
    answered({ method, route, status, ms }: AnsweredRequest) {
      seconds.observe({ method, route, status }, ms / 1000);
      requests += 1;
      if (status >= 500) faults += 1;
      add(codes, String(status), ms);
      const methods = services.get(route) ?? new Map<string, Sum>();
      services.set(route, methods);
      add(methods, method, ms);
    },
    read: () => ({
      codes: timings(codes),
      services: Object.fromEntries([...services].map(([route, methods]) => [route, timings(methods)])),
      count: requests,
    }),
  };
}

function countJobs(registry: Registry): Pick<Metrics, 'ran' | 'jobs'> {
  const seconds = new Histogram({
    name: 'lavra_job_seconds',
    help: 'Jobs that this program ran',
    labelNames: ['job'],
    buckets: JOB_SECONDS,
    registers: [registry],
  });
  const faults = new Counter({ name: 'lavra_job_failures', help: 'Tries that failed', labelNames: ['job'], registers: [registry] });
  const done = new Map<string, Sum>();
  const failed = new Map<string, number>();
  return {
    ran(job, ms, isDone) {
      seconds.observe({ job }, ms / 1000);
      if (isDone) return add(done, job, ms);
      faults.inc({ job });
      failed.set(job, (failed.get(job) ?? 0) + 1);
    },
    jobs() {
      const names = [...new Set([...done.keys(), ...failed.keys()])].toSorted();
      return Object.fromEntries(
        names.map((name) => [name, { done: timingOf(done.get(name) ?? nothing()), failed: failed.get(name) ?? 0 }]),
      );
    },
  };
}

function addGauge(
  registry: Registry,
  { name, help, label }: { name: string; help: string; label: string },
  read: () => GaugeValues | Promise<GaugeValues>,
): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const values = await read();
      gauge.reset();
      for (const [kind, value] of values) gauge.set({ [label]: kind }, value);
    },
  });
}

function timings(sums: ReadonlyMap<string, Sum>): Record<string, Timing> {
  return Object.fromEntries([...sums].toSorted(([a], [b]) => a.localeCompare(b)).map(([key, sum]) => [key, timingOf(sum)]));
}

/** Of the whole program, as the observer of it has them. */
async function collections(): Promise<Record<string, { count: number; mean: number }>> {
  const observed = await programRegistry().getSingleMetric('lavra_nodejs_gc_duration_seconds')?.get();
  const found = new Map<string, { count: number; sum: number }>();
  for (const { labels, value, metricName } of (observed?.values ?? []) as {
    labels: { kind?: string };
    value: number;
    metricName?: string;
  }[]) {
    const kind = labels.kind ?? '';
    const sums = found.get(kind) ?? { count: 0, sum: 0 };
    if (metricName?.endsWith('_count')) found.set(kind, { ...sums, count: value });
    if (metricName?.endsWith('_sum')) found.set(kind, { ...sums, sum: value });
  }
  return Object.fromEntries([...found].map(([kind, { count, sum }]) => [kind, { count, mean: count === 0 ? 0 : (sum / count) * 1000 }]));
}
