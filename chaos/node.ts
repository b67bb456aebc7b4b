import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const main = join(import.meta.dirname, '../apps/server/src/main.ts');

export interface NodeSettings {
  name: string;
  port: number;
  directory: string;
  environment: Record<string, string>;
}

/** One program of the product, which is killed and started again. */
export class ServerNode {
  readonly url: string;
  readonly name: string;
  readonly #settings: NodeSettings;
  #child: ChildProcess | null = null;
  /** Ends of the program that nobody asked for: each is a find. */
  readonly crashes: string[] = [];
  #expected = false;

  constructor(settings: NodeSettings) {
    this.#settings = settings;
    this.name = settings.name;
    this.url = `http://127.0.0.1:${settings.port}`;
  }

  start(): void {
    const { name, port, directory, environment } = this.#settings;
    const log = openSync(join(directory, `${name}.log`), 'a', 0o600);
    this.#expected = false;
    const child = spawn(process.execPath, [main], {
      env: { ...process.env, PORT: String(port), LAVRA_LOG_LEVEL: 'warn', ...environment },
      stdio: ['ignore', log, log],
    });
    this.#child = child;
    child.once('exit', (code, signal) => {
      if (!this.#expected && this.#child === child) this.crashes.push(`${name} ended by itself: ${signal ?? `exit ${code}`}`);
    });
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (!child || !this.isRunning) return;
    this.#expected = true;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async isUp(): Promise<boolean> {
    return fetch(`${this.url}/management/health`, { signal: AbortSignal.timeout(3000) }).then(
      (answer) => answer.ok,
      () => false,
    );
  }

  /** Milliseconds until it said UP; null when it did not in `limit`. */
  async becomesUp(limit: number): Promise<number | null> {
    const begin = performance.now();
    while (performance.now() - begin < limit) {
      if (await this.isUp()) return performance.now() - begin;
      await sleep(50);
    }
    return null;
  }
}
