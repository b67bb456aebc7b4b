import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '..');
const LOOK_MS = 10;
const PATIENCE_MS = 120_000;

/**
 * Milliseconds from `npm start`, as whoever installed it types it, until it answers: npm, the digest of what pages and program are made
 * of, the embedded database, the make-believe world of development. One start before, which makes all of them, is not among these.
 */
export async function startByCommand(starts: number): Promise<number[]> {
  const data = await mkdtemp(join(tmpdir(), 'lavra-start-'));
  const each: number[] = [];
  try {
    for (let n = 0; n <= starts; n += 1) each.push(await startOnce(data));
    return each.slice(1);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

async function startOnce(data: string): Promise<number> {
  const port = await freePort();
  const environment = { ...process.env, LAVRA_DATA_DIR: data, DATABASE_URL: '', PORT: String(port), LAVRA_LOG_LEVEL: 'error' };
  const begun = performance.now();
  // A group of its own: npm, a shell, what launches the program, and that.
  const npm = spawn('npm', ['start'], { cwd: root, env: environment, stdio: 'ignore', detached: true });
  const ended = once(npm, 'exit');
  try {
    while (!(await answers(port))) {
      if (npm.exitCode !== null || performance.now() - begun > PATIENCE_MS) throw new Error('npm start did not come to an answer');
      await sleep(LOOK_MS);
    }
    return performance.now() - begun;
  } finally {
    if (npm.exitCode === null) process.kill(-(npm.pid ?? 0), 'SIGTERM');
    await ended;
    // The next one is to start a server, not to adopt one.
    while (await stat(join(data, 'pg18/postmaster.pid')).catch(() => null)) await sleep(LOOK_MS);
  }
}

const answers = (port: number) =>
  fetch(`http://127.0.0.1:${port}/management/health/liveness`).then(
    (answer) => answer.ok,
    () => false,
  );

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
