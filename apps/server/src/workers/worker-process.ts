import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { DomainError } from '@lavra/domain';
import { type FromWorker, fromWire, type ToWorker, toWire, WorkExceededError } from './wire.ts';

export type Service = (...args: never[]) => Promise<unknown>;

export interface Order {
  file: string;
  name: string;
  input: unknown;
  services: Readonly<Record<string, Service>>;
}

export interface ProcessLimits {
  /** Of the whole process, whatever it holds it in. */
  megabytes: number;
  /** Of processor time, for one task. */
  cpuSeconds: number;
  /** By the clock, for one task, without what it waits for its services. */
  wallMs: number;
  /** Where Node keeps its compiled modules: a start takes a third. */
  cacheDir: string;
}

export interface WorkerProcess {
  readonly isAlive: boolean;
  readonly pid: number;
  /** The function that it runs, and since when (`performance.now`); null: it rests. */
  readonly task: { name: string; since: number } | null;
  /** One at a time. `onWait`: true while the task waits for a service, then false. @throws WorkExceededError */
  run(order: Order, onWait: (waits: boolean) => void): Promise<unknown>;
  end(): void;
}

const program = fileURLToPath(new URL('./worker-program.ts', import.meta.url));
/** All that a worker needs of the environment: no secret of ours; a bucket's client looks for its credentials there. */
const passedOn = /^(PATH|HOME|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|NODE_EXTRA_CA_CERTS|NODE_COMPILE_CACHE|(HTTPS?|NO)_PROXY|AWS_\w+)$/i;
/**
 * glibc keeps what each thread has freed for that thread: a process that reads files with four of them grew by a megabyte for each
 * document until it was spent.
 */
const ONE_ARENA = { MALLOC_ARENA_MAX: '1' };
/**
 * What a task leaves behind is little: threads that share in collecting it took 10 ms a job, of which half was handing it to each other, and the
 * task was over no sooner. Young objects have 8 MB from the first moment: 4 at most were filled several times over by one task, while
 * all that it had read was still in use and was copied each time. The heap may grow by half before all of it is looked through: by a third, as V8 has it for so
 * small a one, that was every thirteen jobs, 5 ms of each.
 */
const COLLECTING = ['--min-semi-space-size=8', '--max-semi-space-size=8', '--single-threaded-gc', '--heap-growing-percent=50'];
/** Behind everything that somebody waits for directly. */
const NICENESS = 5;

function environmentOf({ cacheDir }: ProcessLimits): NodeJS.ProcessEnv {
  const given = Object.entries(process.env).filter(([name]) => passedOn.test(name));
  return { NODE_COMPILE_CACHE: cacheDir, ...ONE_ARENA, ...Object.fromEntries(given) };
}

/** Starts a process of our own program for workers. */
export function startWorkerProcess(limits: ProcessLimits): WorkerProcess {
  const child = fork(program, [String(limits.megabytes), String(limits.cpuSeconds)], {
    serialization: 'advanced',
    // Not the main program's own: it may run under a test runner or an inspector.
    execArgv: [`--max-old-space-size=${limits.megabytes}`, ...COLLECTING],
    env: environmentOf(limits),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // An idle worker keeps nobody from ending.
  child.unref();
  child.channel?.unref();
  let task: RunningTask | null = null;
  let isAlive = true;
  let isDismissed = false;
  const gone = (error: Error) => {
    isAlive = false;
    task?.fail(error);
  };
  child.once('exit', (code, signal) => {
    if (isDismissed) gone(new DomainError('server.busy'));
    else
      gone(signal === null ? new Error(`a worker ended by itself (${code})`) : new WorkExceededError('its watch or the system ended it'));
  });
  child.on('error', gone);
  child.on('message', (message: FromWorker) => task?.hear(message));
  const isReady = started(child);
  lower(child);
  const end = () => {
    isAlive = false;
    isDismissed = true;
    child.kill('SIGKILL');
  };
  return {
    get isAlive() {
      return isAlive;
    },
    pid: child.pid ?? 0,
    get task() {
      return task;
    },
    async run(order, onWait) {
      child.channel?.ref();
      await isReady;
      if (!isAlive) throw new Error('a worker could not start');
      try {
        return await new Promise<unknown>((resolve, reject) => {
          task = startTask(child, order, { resolve, reject, onWait, end, wallMs: limits.wallMs });
        });
      } finally {
        task = null;
        child.channel?.unref();
      }
    },
    end,
  };
}

/** It speaks, or there is nothing to wait for. */
function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('message', () => resolve());
    child.once('exit', () => resolve());
    // What could not be started at all does not exit.
    child.once('error', () => resolve());
  });
}

function lower({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // Gone already, or a system that does not let us: it works the same.
  }
}

interface RunningTask {
  readonly name: string;
  readonly since: number;
  hear(message: FromWorker): void;
  fail(error: Error): void;
}

interface TaskEnds {
  resolve(value: unknown): void;
  reject(error: Error): void;
  onWait(waits: boolean): void;
  end(): void;
  wallMs: number;
}

/** Sends the order and answers what the task asks for. The clock stands while it waits for us. */
function startTask(child: ChildProcess, order: Order, { resolve, reject, onWait, end, wallMs }: TaskEnds): RunningTask {
  let left = wallMs;
  let since = performance.now();
  let open = 0;
  let isOver = false;
  const late = () => {
    reject(new WorkExceededError(`not done in ${wallMs} ms`));
    end();
  };
  let timer = setTimeout(late, left);
  const pause = () => {
    clearTimeout(timer);
    left -= performance.now() - since;
    onWait(true);
  };
  const goOn = () => {
    if (isOver) return;
    since = performance.now();
    timer = setTimeout(late, Math.max(0, left));
    onWait(false);
  };
  const send = (message: ToWorker) => {
    if (child.connected) child.send(message, () => {});
  };
  const answer = async ({ id, name, args }: FromWorker & { kind: 'ask' }) => {
    if (open === 0) pause();
    open += 1;
    try {
      const service = order.services[name] as ((...args: unknown[]) => Promise<unknown>) | undefined;
      if (!service) throw new Error(`no service ${name}`);
      send({ kind: 'answer', id, value: await service(...args) });
    } catch (error) {
      send({ kind: 'refusal', id, error: toWire(error) });
    }
    open -= 1;
    if (open === 0) goOn();
  };
  const settle = (act: () => void, isSpent = false) => {
    isOver = true;
    clearTimeout(timer);
    act();
    if (isSpent) end();
  };
  const { file, name, input } = order;
  child.send({ kind: 'run', file, name, input } satisfies ToWorker, () => {});
  return {
    name,
    since: performance.now(),
    hear(message) {
      if (message.kind === 'ask') void answer(message);
      if (message.kind === 'done') settle(() => resolve(message.value), message.isSpent);
      if (message.kind === 'failed') settle(() => reject(fromWire(message.error)), message.isSpent);
    },
    fail: (error) => settle(() => reject(error)),
  };
}
