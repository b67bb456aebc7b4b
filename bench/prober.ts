/**
 * Asks the program every 10 ms, in a process of its own, and tells its parent the longest time in which no answer came; beside
 * it, in the same way, a server that does nothing at all: what that takes is the machine's.
 */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBare } from './bare-server.ts';

export interface Told {
  longestMs: number;
  /** Of what needs neither database nor disk: the event loop's own. */
  liveMs: number;
  /** Of the server that does nothing. */
  bareMs: number;
  answers: number;
}

/** Asks one address without end. */
class Probe {
  longestMs = 0;
  answers = 0;
  private asked = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  ask(): Promise<void> {
    return new Promise((resolve) => {
      get(this.url, { agent: this.agent }, (answer) => answer.resume().once('end', resolve)).once('error', () => resolve());
    });
  }

  async goOn(): Promise<never> {
    for (;;) {
      this.asked = performance.now();
      await this.ask();
      this.longestMs = Math.max(this.longestMs, performance.now() - this.asked);
      this.asked = 0;
      this.answers += 1;
      await sleep(10);
    }
  }

  /** A question that is still open has waited, too. */
  take(): { longestMs: number; answers: number } {
    const open = this.asked === 0 ? 0 : performance.now() - this.asked;
    const taken = { longestMs: Math.max(this.longestMs, open), answers: this.answers };
    this.longestMs = 0;
    this.answers = 0;
    return taken;
  }
}

process.on('disconnect', () => process.exit(0));
const program = new Probe(process.argv[2] ?? '');
const live = new Probe(`${process.argv[2]}/liveness`);
const bare = new Probe(await startBare());
await Promise.all([program.ask(), live.ask(), bare.ask()]);
process.on('message', () =>
  process.send?.({ ...program.take(), liveMs: live.take().longestMs, bareMs: bare.take().longestMs } satisfies Told),
);
process.send?.('ready');
await Promise.all([program.goOn(), live.goOn(), bare.goOn()]);
