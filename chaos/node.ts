import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const here = join(import.meta.dirname, '..');

export interface NodeSettings {
  name: string;
  port: number;
  directory: string;
  environment: Record<string, string>;
}

const LOG_READ = 1 << 20;

/** One program of the product, which is killed and started again. */
export class ServerNode {
  readonly url: string;
  readonly name: string;
  readonly #settings: NodeSettings;
  #child: ChildProcess | null = null;
  /** Ends of the program that nobody asked for: each is a find. */
  readonly crashes: string[] = [];
  #expected = false;
  /** The tree that its program is of. */
  #tree = here;
  /** Where in its log this start begins. */
  #since = 0;

  constructor(settings: NodeSettings) {
    this.#settings = settings;
    this.name = settings.name;
    this.url = `http://127.0.0.1:${settings.port}`;
  }

  /** From its next start on. */
  installs(tree: string): void {
    this.#tree = tree;
  }

  start(): void {
    const { name, port, environment } = this.#settings;
    const log = openSync(this.#log, 'a', 0o600);
    this.#since = fstatSync(log).size;
    this.#expected = false;
    const child = spawn(process.execPath, [join(this.#tree, 'apps/server/src/main.ts')], {
      env: { ...process.env, PORT: String(port), LAVRA_LOG_LEVEL: 'warn', ...environment },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#child = child;
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', (code, signal) => {
      process.off('exit', end);
      if (!this.#expected && this.#child === child) this.crashes.push(`${name} ended by itself: ${signal ?? `exit ${code}`}`);
    });
  }

  get #log(): string {
    return join(this.#settings.directory, `${this.name}.log`);
  }

  /** Of the address for the first account that it printed, in production. */
  get firstKey(): string | undefined {
    return /account\/register#key=([\w-]+)/.exec(readFileSync(this.#log, 'utf8').slice(0, LOG_READ))?.[1];
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

  /** A worker listens to nobody: it has said that it has started. */
  async isUp(): Promise<boolean> {
    if (this.#settings.environment['LAVRA_SERVICES'] === 'worker')
      return (
        this.isRunning &&
        readFileSync(this.#log)
          .subarray(this.#since, this.#since + LOG_READ)
          .includes('\nLavra: ')
      );
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
