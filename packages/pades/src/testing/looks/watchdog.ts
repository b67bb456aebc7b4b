import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Of the thread that watches: plain text, so that it starts at once. */
const watch = `
const { writeSync } = require('node:fs');
const { workerData: { milliseconds, seeds } } = require('node:worker_threads');
setTimeout(() => {
  writeSync(2, 'Never came back, with the seeds ' + seeds.filter((seed) => seed > 0).join(', ') + ' in hand: a file of theirs hangs the verifier\\n');
  process.kill(process.pid, 'SIGKILL');
}, milliseconds);
`;

/** From when this resolves: ends this program though its own thread never comes back, and says which seeds it had in hand. */
export async function watchdog(milliseconds: number, seeds: Int32Array): Promise<void> {
  const worker = new Worker(watch, { eval: true, execArgv: [], workerData: { milliseconds, seeds } });
  await once(worker, 'online');
  worker.unref();
}
