import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type LaneLimits, type LaneState, openLane } from './workers/lane.ts';
import { type ProcessLimits, type Service, startWorkerProcess } from './workers/worker-process.ts';

/**
 * A function that a `*.worker.ts` file exports: plain data in, plain data out; hashes and paths rather than files. The second
 * parameter is what it may ask the main program for: functions that take and answer plain data.
 */
type Task = (input: never, services: never) => unknown;
type ServicesOf<T extends Task> = Parameters<T>[1] extends undefined ? Record<never, never> : Parameters<T>[1];

/**
 * Whose work it is. `signing`: of processes under way, and of signers who may act. `strangers`: files of whoever has an
 * account, and verifications for whoever asks. `lists`: large revocation lists, which tasks of both wait for. None takes the
 * other's place.
 */
export type LaneName = 'signing' | 'strangers' | 'lists';

export interface Placing<T extends Task> {
  lane?: LaneName;
  /** Callers of a lane take turns: an account, an address, a process. */
  caller?: string;
  services?: ServicesOf<T>;
}

/** Processes for work on files that strangers made, and for what would hold up every request: parsing, verifying, drawing, decoding. */
export interface Workers {
  /**
   * Calls the exported function `name` of `file` in a process that has a ceiling of memory and a deadline. Import its type only,
   * and the main program loads nothing of it.
   * @throws WorkExceededError; DomainError server.busy when too many wait; what the task throws
   */
  run<T extends Task>(file: URL, name: string, input: Parameters<T>[0], placing?: Placing<T>): Promise<Awaited<ReturnType<T>>>;
  /** How busy each lane is now. */
  state(): Readonly<Record<LaneName, LaneState>>;
  close(): Promise<void>;
}

type LaneSettings = LaneLimits & Omit<ProcessLimits, 'cacheDir'>;
export type WorkerSettings = Readonly<Record<LaneName, LaneSettings>>;

const MAX_PROCESSES = 4;

/** docs/decisions/014 has the measurements. */
export function usualSettings(): WorkerSettings {
  const cores = availableParallelism();
  return {
    signing: {
      processes: Math.min(MAX_PROCESSES, Math.max(1, cores - 1)),
      spare: 2,
      waiting: 200,
      waitingPerCaller: 50,
      waitMs: 60_000,
      idleMs: 60_000,
      megabytes: 300,
      cpuSeconds: 30,
      wallMs: 120_000,
    },
    strangers: {
      processes: cores > 4 ? 2 : 1,
      spare: 1,
      waiting: 40,
      waitingPerCaller: 6,
      waitMs: 15_000,
      idleMs: 30_000,
      megabytes: 236,
      cpuSeconds: 10,
      wallMs: 30_000,
    },
    lists: {
      processes: 1,
      spare: 0,
      waiting: 40,
      waitingPerCaller: 40,
      waitMs: 15_000,
      idleMs: 10_000,
      megabytes: 268,
      cpuSeconds: 5,
      wallMs: 15_000,
    },
  };
}

/** Processes start when they are first needed and end when nothing came for a while. */
export function openWorkers({ dataDir, settings = usualSettings() }: { dataDir: string; settings?: WorkerSettings }): Workers {
  const cacheDir = join(dataDir, 'cache', 'compiled');
  const open = (limits: LaneSettings) => openLane(limits, () => startWorkerProcess({ ...limits, cacheDir }));
  const lanes = { signing: open(settings.signing), strangers: open(settings.strangers), lists: open(settings.lists) };
  return {
    run: <T extends Task>(file: URL, name: string, input: Parameters<T>[0], placing: Placing<T> = {}) =>
      lanes[placing.lane ?? 'signing'].run(placing.caller ?? '', {
        file: file.href,
        name,
        input,
        services: (placing.services ?? {}) as Readonly<Record<string, Service>>,
      }) as Promise<Awaited<ReturnType<T>>>,
    state: () => ({ signing: lanes.signing.state(), strangers: lanes.strangers.state(), lists: lanes.lists.state() }),
    close: () => {
      for (const lane of Object.values(lanes)) lane.close();
      return Promise.resolve();
    },
  };
}
