/** Milliseconds of this process's own work: a hang shows in it, another program's load does not. */
export async function workOf(act: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Milliseconds of this thread's own work. */
export async function threadWorkOf(act: () => unknown): Promise<number> {
  const start = process.threadCpuUsage();
  await act();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** The same amount of work on every machine, of the kind that reading a file is: what other work is a multiple of. */
export function unitOfWork(): number {
  const seen = new Map<string, number>();
  for (let n = 0; n < 1_000_000; n += 1) seen.set(`${n % 50_000} 0 obj`, n);
  return seen.size;
}
