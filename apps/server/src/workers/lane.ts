import { DomainError } from '@lavra/domain';
import { CallerTurns } from './caller-turns.ts';
import { ProcessPool } from './process-pool.ts';
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
  state(): LaneState;
  close(): void;
}

/** How busy a lane is; a task that waits for an answer from outside is not working. */
export interface LaneState {
  working: number;
  most: number;
  waiting: number;
  processes: readonly Pick<WorkerProcess, 'pid' | 'task'>[];
}

/** Bulkhead: worker processes for one class of tasks. Callers take turns: who asks for much waits for himself. */
export function openLane(limits: LaneLimits, start: () => WorkerProcess): Lane {
  const pool = new ProcessPool(start, limits.idleMs);
  const turns = new CallerTurns<Waiting>();
  let [working, present] = [0, 0];
  let closed = false;

  const next = () => {
    const one = turns.next();
    clearTimeout(one?.timer);
    return one;
  };
  const work = async ({ order, resolve, reject }: Waiting) => {
    let isWaiting = false;
    working += 1;
    present += 1;
    let process: WorkerProcess | undefined;
    try {
      process = pool.take();
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
    if (process) pool.giveBack(process);
    fill();
  };
  const fill = () => {
    while (working < limits.processes && present < limits.processes + limits.spare) {
      const one = next();
      if (!one) return;
      void work(one);
    }
  };
  const enqueue = (caller: string, order: Order, { resolve, reject }: Pick<Waiting, 'resolve' | 'reject'>) => {
    if (closed || turns.size >= limits.waiting || turns.waitingOf(caller) >= limits.waitingPerCaller)
      return reject(new DomainError('server.busy'));
    const giveUp = () => {
      turns.remove(caller, one);
      reject(new DomainError('server.busy'));
    };
    const one: Waiting = { order, resolve, reject, timer: setTimeout(giveUp, limits.waitMs) };
    turns.add(caller, one);
    fill();
  };
  return {
    run: (caller, order) => new Promise((resolve, reject) => enqueue(caller, order, { resolve, reject })),
    state: () => ({ working, most: limits.processes, waiting: turns.size, processes: pool.list() }),
    close() {
      closed = true;
      for (let one = next(); one; one = next()) one.reject(new DomainError('server.busy'));
      pool.close();
    },
  };
}
