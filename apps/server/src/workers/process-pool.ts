import type { WorkerProcess } from './worker-process.ts';

/** Process pool: worker processes that are kept for the next task, and end when there has been none for `idleMs`. */
export class ProcessPool {
  readonly #start: () => WorkerProcess;
  readonly #idleMs: number;
  readonly #idle = new Map<WorkerProcess, NodeJS.Timeout>();
  readonly #all = new Set<WorkerProcess>();
  #closed = false;

  constructor(start: () => WorkerProcess, idleMs: number) {
    this.#start = start;
    this.#idleMs = idleMs;
  }

  /** One that rests, or a new one. */
  take(): WorkerProcess {
    for (const [process, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(process);
      if (process.isAlive) return process;
      this.#all.delete(process);
    }
    const started = this.#start();
    this.#all.add(started);
    return started;
  }

  /** Those that are alive, at work or resting. */
  list(): WorkerProcess[] {
    return [...this.#all].filter(({ isAlive }) => isAlive);
  }

  giveBack(process: WorkerProcess): void {
    if (!process.isAlive || this.#closed) return this.#end(process);
    this.#idle.set(process, setTimeout(() => this.#end(process), this.#idleMs).unref());
  }

  /** Ends them all, those at work too. */
  close(): void {
    this.#closed = true;
    for (const process of this.#all) process.end();
  }

  #end(process: WorkerProcess): void {
    this.#idle.delete(process);
    this.#all.delete(process);
    process.end();
  }
}
