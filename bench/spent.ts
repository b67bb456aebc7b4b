import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

/** Processor time since their start, in milliseconds: of the program, of its worker processes, of the database's. Null where /proc is not. */
export interface Spent {
  program: number;
  workers: number;
  database: number;
}

interface Process {
  pid: number;
  parent: number;
  own: number;
  /** Of children that have ended. */
  ended: number;
}

const perSecond = process.platform === 'linux' ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 100;

/** `besides`: processes of the database that work for whoever measures. */
export async function spentBy(program: number, database: number, besides: readonly number[] = []): Promise<Spent | null> {
  if (process.platform !== 'linux') return null;
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = (await Promise.all(names.map(readProcess))).filter((one) => one !== null);
  const of = (pid: number) => all.find((one) => one.pid === pid) ?? { own: 0, ended: 0 };
  const below = (pid: number): number =>
    all.filter(({ parent }) => parent === pid).reduce((sum, one) => sum + one.own + one.ended + below(one.pid), of(pid).ended);
  const measuring = besides.reduce((sum, pid) => sum + of(pid).own, 0);
  return { program: of(program).own, workers: below(program), database: of(database).own + below(database) - measuring };
}

async function readProcess(pid: string): Promise<Process | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // proc_pid_stat(5): ppid, utime, stime, cutime, cstime.
  const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((at) => Number(fields[at])) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const ms = (ticks: number) => (ticks * 1000) / perSecond;
  return { pid: Number(pid), parent, own: ms(user + system), ended: ms(endedUser + endedSystem) };
}
