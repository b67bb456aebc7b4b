import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';

/** A function that a `*.worker.ts` file exports: plain data in, plain data out; hashes and paths rather than files. */
type Task = (input: never) => unknown;

/** Threads for work that would hold up every request: drawing pages, decoding pictures. */
export interface Workers {
  /** Calls the exported function `name` of `file` in a thread. Import its type only, and the main thread loads nothing of it. */
  run<T extends Task>(file: URL, name: string, input: Parameters<T>[0]): Promise<Awaited<ReturnType<T>>>;
  close(): Promise<void>;
}

const MAX_THREADS = 4;
const IDLE_MS = 60_000;
/** A picture or a page needs far less; more is a file made to harm. */
const MAX_MEGABYTES = 512;

/** Threads start when they are first needed and end when nothing came for a minute. */
export function openWorkers(): Workers {
  let pool: Piscina | undefined;
  const open = () =>
    new Piscina({
      minThreads: 0,
      maxThreads: Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)),
      idleTimeout: IDLE_MS,
      // Not the main program's own: it may run under a test runner or an inspector.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
    });
  return {
    run: (file, name, input) => (pool ??= open()).run(input, { filename: file.href, name }),
    close: async () => pool?.destroy(),
  };
}
