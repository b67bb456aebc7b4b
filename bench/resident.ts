import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory in MB: of the program, of the processes below it that are no database. Noughts where /proc is not. */
export interface Resident {
  program: number;
  workers: number;
}

export function residentMegabytes(root: number): Resident {
  const parents = new Map<number, number>();
  const own = new Map<number, number>();
  try {
    for (const entry of readdirSync('/proc')) {
      if (!/^\d+$/.test(entry)) continue;
      const status = statusOf(entry);
      const [, parent = '0'] = /^PPid:\s+(\d+)/m.exec(status) ?? [];
      const [, resident = '0'] = /^VmRSS:\s+(\d+)/m.exec(status) ?? [];
      if (/^Name:\s+postgres/m.test(status)) continue;
      parents.set(Number(entry), Number(parent));
      own.set(Number(entry), Number(resident) / 1000);
    }
  } catch {
    return { program: 0, workers: 0 };
  }
  const isBelow = (pid: number | undefined): boolean => pid !== undefined && pid > 1 && (pid === root || isBelow(parents.get(pid)));
  const workers = [...own].reduce((sum, [pid, resident]) => (pid !== root && isBelow(pid) ? sum + resident : sum), 0);
  return { program: own.get(root) ?? 0, workers };
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // Gone meanwhile.
    return '';
  }
}

/** Memory in MB, each page's part of it where several processes share it (Pss): it may be added up. */
export interface Held {
  program: number;
  workers: number;
  /** Its server and all of the server's processes. */
  database: number;
}

/** What the program, its workers and the database server hold. Noughts where /proc is not. */
export function heldMegabytes(program: number, database: number): Held {
  const parents = new Map(readProcesses().map((pid) => [pid, parentOf(pid)]));
  const below = (root: number): number[] => [...parents].filter(([, parent]) => parent === root).flatMap(([pid]) => [pid, ...below(pid)]);
  const sum = (pids: readonly number[]) => pids.reduce((all, pid) => all + proportionOf(pid), 0);
  return { program: proportionOf(program), workers: sum(below(program)), database: sum([database, ...below(database)]) };
}

function readProcesses(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(statusOf(String(pid)))?.[1] ?? 0);
}

function proportionOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1000;
  } catch {
    // Gone meanwhile.
    return 0;
  }
}
