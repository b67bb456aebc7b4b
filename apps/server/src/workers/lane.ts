import { DomainError } from '@lavra/domain';
import type { Order, WorkerProcess } from './worker-process.ts';

export interface LaneLimits {
  /** Tasks that work at once. */
  processes: number;
  /** Tasks more that may be there while others wait for an answer from outside. */
  spare: number;
  /** Tasks that may wait for their turn, altogether and of one caller. */
  waiting: number;
  waitingPerCaller: number;
  /** A turn that has not come by then does not come. */
  waitMs: number;
  /** A process that had nothing to do for so long ends, and its memory is the system's again. */
  idleMs: number;
}

interface Waiting {
  order: Order;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout;
}

export interface Lane {
  /** @throws DomainError server.busy when too many wait; WorkExceededError; what the task throws */
  run(caller: string, order: Order): Promise<unknown>;
  close(): void;
}

/** Worker processes for one class of tasks. Callers take turns: who asks for much waits for himself. */
export function openLane(limits: LaneLimits, start: () => WorkerProcess): Lane {
  const queues = new Map<string, Waiting[]>();
  const idle = new Map<WorkerProcess, NodeJS.Timeout>();
  const all = new Set<WorkerProcess>();
  let waiting = 0;
  let working = 0;
  let present = 0;
  let closed = false;

  const next = (): Waiting | undefined => {
    for (const [caller, queue] of queues) {
      const one = queue.shift();
      queues.delete(caller);
      if (queue.length > 0) queues.set(caller, queue);
      if (one) {
        waiting -= 1;
        clearTimeout(one.timer);
        return one;
      }
    }
    return undefined;
  };
  const takeProcess = (): WorkerProcess => {
    for (const [process, timer] of idle) {
      clearTimeout(timer);
      idle.delete(process);
      if (process.isAlive) return process;
      all.delete(process);
    }
    const started = start();
    all.add(started);
    return started;
  };
  const giveBack = (process: WorkerProcess) => {
    if (!process.isAlive || closed) {
      all.delete(process);
      process.end();
      return;
    }
    const end = () => {
      idle.delete(process);
      all.delete(process);
      process.end();
    };
    idle.set(process, setTimeout(end, limits.idleMs).unref());
  };
  const work = async ({ order, resolve, reject }: Waiting) => {
    let isWaiting = false;
    working += 1;
    present += 1;
    let process: WorkerProcess | undefined;
    try {
      process = takeProcess();
      const value = await process.run(order, (waits) => {
        isWaiting = waits;
        working += waits ? -1 : 1;
        if (waits) fill();
      });
      resolve(value);
    } catch (error) {
      reject(error);
    }
    if (!isWaiting) working -= 1;
    present -= 1;
    if (process) giveBack(process);
    fill();
  };
  const fill = () => {
    while (working < limits.processes && present < limits.processes + limits.spare) {
      const one = next();
      if (!one) return;
      void work(one);
    }
  };
  return {
    run: (caller, order) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(caller) ?? [];
        if (closed || waiting >= limits.waiting || queue.length >= limits.waitingPerCaller) {
          reject(new DomainError('server.busy'));
          return;
        }
        const one: Waiting = { order, resolve, reject, timer: setTimeout(() => giveUp(caller, one), limits.waitMs) };
        queues.set(caller, [...queue, one]);
        waiting += 1;
        fill();
      }),
    close() {
      closed = true;
      for (let one = next(); one; one = next()) one.reject(new DomainError('server.busy'));
      for (const process of all) process.end();
    },
  };

  function giveUp(caller: string, one: Waiting): void {
    const left = (queues.get(caller) ?? []).filter((other) => other !== one);
    if (left.length > 0) queues.set(caller, left);
    else queues.delete(caller);
    waiting -= 1;
    one.reject(new DomainError('server.busy'));
  }
}
