import { flushCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

/** Shared with the thread that works: the number of its task while it does, else 0. */
export interface Watched {
  busy: Int32Array;
  ceilingBytes: number;
  cpuMicroseconds: number;
}

const { busy, ceilingBytes, cpuMicroseconds } = workerData as Watched;
const EVERY_MS = 15;
const parent = process.ppid;
let began = 0;
let before = 0;

/**
 * Watchdog: a thread that ends its process when that holds more memory or has worked longer than it may, or when the program it worked
 * for is gone. A limit of V8's would not do: it counts neither buffers nor what is inflated outside its heap. Processor time,
 * not the clock's: a busy machine makes nobody's file too large.
 */
function look(): void {
  const task = Atomics.load(busy, 0);
  const { user, system } = process.cpuUsage();
  if (task !== before) began = user + system;
  before = task;
  const isOver = task !== 0 && (process.memoryUsage.rss() > ceilingBytes || user + system - began > cpuMicroseconds);
  if (isOver || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}

// A thread keeps its own modules, and this one never ends by itself. Not kept, its types were stripped in every process: by a module of 16 MB.
flushCompileCache();
// The thread has nothing else to do. Between two tasks it sleeps until the next is announced: a program that is gone closes the channel,
// and a thread that does not work notices that by itself.
for (;;) {
  Atomics.wait(busy, 0, 0);
  Atomics.wait(busy, 0, Atomics.load(busy, 0), EVERY_MS);
  look();
}
