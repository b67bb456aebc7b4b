import { terminalLanguage, terminalWords } from '../apps/server/src/language/terminal.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { readConfig } from '../apps/server/src/config.ts';
import { startEmbeddedPostgres } from '../apps/server/src/db/embedded-postgres.ts';

const say = terminalWords(terminalLanguage(process.env));

/**
 * `npm run dev`: pages with hot reload and the server behind them at one address; the server starts again when a file changes
 * that it may be made of. The database is held here, so that a restart does not wait for it.
 */
const root = resolve(import.meta.dirname, '..');
const SERVER_PARTS = ['apps/server/src', 'packages', 'locales'];
const NOT_RUN = /\.test\.ts$|node_modules|\/(vectors|dist)\//;
/** An editor that saves several files, or a checkout, is one change. */
const SETTLE_MS = 200;
/** The server ends within five seconds. */
const END_MS = 6000;

async function freePort(wanted: number): Promise<number> {
  for (let port = wanted; ; port += 1) {
    const probe = createServer();
    try {
      probe.listen(port, '127.0.0.1');
      await once(probe, 'listening');
      return (probe.address() as AddressInfo).port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || wanted === 0) throw error;
    } finally {
      probe.close();
    }
  }
}

function startPages(port: number, serverUrl: string): ChildProcess {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, join(root, 'apps/web'), '--port', String(port), '--strictPort', '--host', '127.0.0.1', '--logLevel', 'warn'];
  return spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, LAVRA_DEV_SERVER: serverUrl } });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await ended;
  clearTimeout(late);
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const database = config.databaseUrl ? null : await startEmbeddedPostgres(config.dataDir);
  const port = await freePort(config.port);
  const serverPort = await freePort(0);
  const start = () =>
    spawn(process.execPath, [join(root, 'apps/server/src/main.ts')], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, HOST: '127.0.0.1', PORT: String(serverPort), LAVRA_PUBLIC_URL: `http://localhost:${port}` },
    });
  const pages = startPages(port, `http://127.0.0.1:${serverPort}`);
  let server = start();
  let isEnding = false;
  let settling: NodeJS.Timeout | undefined;
  let restarting = Promise.resolve();

  function changed(path: string | null): void {
    if (isEnding || path === null || NOT_RUN.test(path) || !/\.(ts|json|sql|ttf)$/.test(path)) return;
    clearTimeout(settling);
    settling = setTimeout(() => {
      restarting = restarting.then(async () => {
        if (isEnding) return;
        process.stderr.write(`${say('dev.changed', { path })}\n`);
        await end(server);
        if (!isEnding) server = start();
      });
    }, SETTLE_MS);
  }
  const watchers = SERVER_PARTS.map((part) =>
    watch(join(root, part), { recursive: true }, (_event, path) => changed(path && join(part, path))),
  );

  async function finish(code: number): Promise<void> {
    if (isEnding) return;
    isEnding = true;
    for (const watcher of watchers) watcher.close();
    await restarting;
    await Promise.all([end(server), end(pages)]);
    await database?.stop();
    process.exit(code);
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void finish(0));
  pages.once('exit', (code) => void finish(code ?? 1));
}

await main();
