/** Asks an address every 10 ms, in a process of its own, and tells its parent the longest time in which no answer came. */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Told {
  longestMs: number;
  answers: number;
}

const url = process.argv[2] ?? '';
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let longestMs = 0;
let answers = 0;
let asked = 0;

function ask(): Promise<void> {
  return new Promise((resolve) => {
    get(url, { agent }, (answer) => answer.resume().once('end', resolve)).once('error', () => resolve());
  });
}

process.on('message', () => {
  // A question that is still open has waited, too.
  const open = asked === 0 ? 0 : performance.now() - asked;
  process.send?.({ longestMs: Math.max(longestMs, open), answers } satisfies Told);
  longestMs = 0;
  answers = 0;
});
process.on('disconnect', () => process.exit(0));
await ask();
process.send?.('ready');
for (;;) {
  asked = performance.now();
  await ask();
  longestMs = Math.max(longestMs, performance.now() - asked);
  asked = 0;
  answers += 1;
  await sleep(10);
}
