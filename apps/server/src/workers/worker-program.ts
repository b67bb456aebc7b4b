import { flushCompileCache } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type FromWorker, fromWire, type ToWorker, toWire } from './wire.ts';
import type { Watched } from './watch.worker.ts';

/**
 * The program of a worker process: runs one exported function of a `*.worker.ts` file at a time. What it needs of the program
 * that started it (a list, a timestamp) it asks for; keys and the database stay there.
 */
type Task = (input: unknown, services: unknown) => unknown;

const [megabytes, cpuSeconds] = process.argv.slice(2).map(Number) as [number, number];
const busy = new Int32Array(new SharedArrayBuffer(4));
const watched: Watched = { busy, ceilingBytes: megabytes * 1e6, cpuMicroseconds: cpuSeconds * 1e6 };
const watch = new Worker(new URL('./watch.worker.ts', import.meta.url), { workerData: watched, execArgv: [] });
// Without its watch a process is not to work.
watch.once('exit', () => process.exit(1));

const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
let asked = 0;
let begun = 0;
/** Of its memory, what a process may still hold after a task; one that has done every kind of them and rests holds two thirds. */
const SPENT_FROM = 0.75;
/** Files whose compiled modules are kept for the processes to come. */
const kept = new Set<string>();

function say(message: FromWorker): void {
  process.send?.(message);
}

/** Every property is a function whose call the program answers. */
const services = new Proxy(
  {},
  {
    get: (_target, name) =>
      typeof name === 'string' && name !== 'then'
        ? (...args: unknown[]) =>
            new Promise((resolve, reject) => {
              asked += 1;
              waiting.set(asked, { resolve, reject });
              say({ kind: 'ask', id: asked, name, args });
            })
        : undefined,
  },
);

const isSpent = () => process.memoryUsage.rss() > SPENT_FROM * watched.ceilingBytes;

async function run({ file, name, input }: ToWorker & { kind: 'run' }): Promise<void> {
  // Its own number for each, so that one right behind the other is not counted as the same.
  begun = (begun % 1e9) + 1;
  Atomics.store(busy, 0, begun);
  Atomics.notify(busy, 0);
  try {
    const loaded = (await import(file)) as Record<string, Task | undefined>;
    const task = loaded[name];
    if (!task) throw new Error(`${file} has no ${name}`);
    const value = await task(input, services);
    say({ kind: 'done', value, isSpent: isSpent() });
  } catch (error) {
    say({ kind: 'failed', error: toWire(error), isSpent: isSpent() });
  } finally {
    Atomics.store(busy, 0, 0);
    Atomics.notify(busy, 0);
    keepCompiled(file);
  }
}

/** A process is killed when nobody needs it any more, so it writes down what it has compiled while it can. */
function keepCompiled(file: string): void {
  if (kept.has(file)) return;
  kept.add(file);
  flushCompileCache();
}

process.on('message', (message: ToWorker) => {
  if (message.kind === 'run') {
    void run(message);
    return;
  }
  const one = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.kind === 'answer') one?.resolve(message.value);
  else one?.reject(fromWire(message.error));
});
// The program ends its workers itself, when nothing needs them any more.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('disconnect', () => process.exit(0));
watch.once('online', () => say({ kind: 'ready' }));
