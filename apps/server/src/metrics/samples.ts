import { startLoopMeter } from './loop-meter.ts';

/** What the last hour was like, a value of each for every moment. */
export interface Samples {
  /** Seconds since 1970. */
  at: number[];
  /** Bytes. */
  rss: number[];
  heapUsed: number[];
  /** Of one processor, 1 is all of it. */
  cpu: number[];
  /** The longest wait of the event loop since the moment before, milliseconds. */
  eventLoop: number[];
  /** Since the moment before. */
  requests: number[];
  faults: number[];
}

export interface Sampler {
  read(): Samples;
  loop(): EventLoopWaits;
  close(): void;
}

/** Milliseconds, since the moment before. */
export interface EventLoopWaits {
  meanMs: number;
  p99Ms: number;
  maxMs: number;
}

const EVERY_MS = 10_000;
const KEPT = 360;

/** Looks at once, then every ten seconds, and keeps an hour. `counted`: totals since the start. */
export function startSampler(counted: () => { requests: number; faults: number }): Sampler {
  const meter = startLoopMeter();
  const samples: Samples = { at: [], rss: [], heapUsed: [], cpu: [], eventLoop: [], requests: [], faults: [] };
  let before = { at: performance.now(), cpu: process.cpuUsage(), ...counted() };
  const push = (name: keyof Samples, value: number) => {
    samples[name].push(value);
    if (samples[name].length > KEPT) samples[name].shift();
  };
  const take = () => {
    const now = { at: performance.now(), cpu: process.cpuUsage(), ...counted() };
    const spent = now.cpu.user + now.cpu.system - before.cpu.user - before.cpu.system;
    const { rss, heapUsed } = process.memoryUsage();
    push('at', Math.round(Date.now() / 1000));
    push('rss', rss);
    push('heapUsed', heapUsed);
    push('cpu', round(spent / 1000 / Math.max(1, now.at - before.at)));
    push('eventLoop', meter.max());
    push('requests', now.requests - before.requests);
    push('faults', now.faults - before.faults);
    meter.reset();
    before = now;
  };
  take();
  const timer = setInterval(take, EVERY_MS).unref();
  return {
    read: () => samples,
    loop: () => ({ meanMs: meter.mean(), p99Ms: meter.percentile(99), maxMs: meter.max() }),
    close() {
      clearInterval(timer);
      meter.close();
    },
  };
}

const round = (value: number) => Math.round(value * 1000) / 1000;
