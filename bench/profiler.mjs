/**
 * Loaded before a program (`node --import`): SIGUSR2 begins a profile of its processor time, a second one ends it and writes it to the
 * folder that BENCH_PROFILES names. Worker processes that it starts do the same with it.
 */
import childProcess from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.BENCH_PROFILES ?? process.execArgv.find((arg) => arg.startsWith('--title='))?.slice('--title='.length) ?? '.';
const EVERY_MICROSECONDS = 200;

if (isMainThread) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: EVERY_MICROSECONDS });
  const children = new Set();
  let isOn = false;
  const toggle = () => {
    for (const child of children) child.kill('SIGUSR2');
    if (isOn)
      session.post('Profiler.stop', (_error, { profile }) => {
        writeFileSync(join(folder, `${basename(process.argv[1] ?? '', '.ts')}.${process.pid}.json`), JSON.stringify(profile));
      });
    else session.post('Profiler.start');
    isOn = !isOn;
  };
  process.on('SIGUSR2', toggle);
  if (process.execArgv.includes('--trace-uncaught')) toggle();
  const { fork } = childProcess;
  childProcess.fork = (program, args, options) => {
    const child = fork(program, args, {
      ...options,
      // A worker gets no variable of the environment: where to write stands in its title. One that starts meanwhile is measured from its start.
      execArgv: [...(options?.execArgv ?? []), '--import', import.meta.url, `--title=${folder}`, ...(isOn ? ['--trace-uncaught'] : [])],
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };
  syncBuiltinESMExports();
}
