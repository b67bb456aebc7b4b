/** Milliseconds of this process's own work: a hang shows in it, another program's load does not. */
export async function workOf(act: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
