// Runs on the system's Node (20 or newer) without any dependency: installs once, finds the pinned Node and
// hands over to it. Everything after that runs on the version the project was tried with.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contentDigest } from './content-digest.mjs';
import { keptProgram } from './kept-program.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamps = join(root, 'node_modules/.lavra');
const COMPILED = join(stamps, 'compiled');
const REQUIRED_MAJOR = 24;

/** What this says before anything is installed, in the language that LAVRA_LANGUAGE names, Portuguese else. */
function word(key, values = {}) {
  const file = (language) => join(root, 'locales', language, 'terminal.json');
  const [language = 'pt-br'] = ['en', 'es'].filter((one) => one === process.env.LAVRA_LANGUAGE);
  const sentence = JSON.parse(readFileSync(file(language), 'utf8'))[`terminal.launch.${key}`];
  return sentence.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}

function readStamp(name) {
  const path = join(stamps, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function writeStamp(name, value) {
  mkdirSync(stamps, { recursive: true });
  writeFileSync(join(stamps, name), value);
}

/**
 * Not `npm ci`: it refuses a lock file without every platform's optional binary, and some registry copies lack those of
 * platforms that we do not run on. `install --no-save` takes the same locked versions and leaves the lock file alone. Errors
 * only: what npm would warn of is that the Node that installs is older than packages want, and the one that runs them is not.
 */
export const INSTALL = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];

/** Installs when there is nothing or the lock file has changed. */
export function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (readStamp('lock') === lock) return;
  say(word('installing'));
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const done = spawnSync(npm, [...INSTALL], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) fail(word('notInstalled'));
  dropHeaders();
  writeStamp('lock', lock);
}

/** The pinned Node brings 67 MB of C headers that only building native addons needs; nothing here builds any. */
function dropHeaders() {
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name.startsWith('node-') && existsSync(join(root, 'node_modules', name, 'bin'))) {
      rmSync(join(root, 'node_modules', name, 'include'), { recursive: true, force: true });
    }
  }
}

/** The Node of the npm package for this machine; where there is none, the running one when it is new enough. */
export function pinnedNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const binary = join(root, 'node_modules', `node-${platform}-${process.arch}`, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  if (Number(process.versions.node.split('.')[0]) >= REQUIRED_MAJOR) return process.execPath;
  return fail(word('noNode', { version: REQUIRED_MAJOR, system: `${process.platform}-${process.arch}` }));
}

/** Builds the web application when a file it is made of is another than at the last build. */
export function buildWeb({ force = false } = {}) {
  const wanted = contentDigest(root, ['apps/web', 'packages/api/src', 'packages/domain/src', 'package-lock.json'], {
    kept: join(stamps, 'web-files'),
  });
  if (!force && readStamp('web') === wanted && existsSync(join(root, 'apps/web/dist/index.html'))) return;
  say(word('building'));
  // Of a build that is broken off, nothing says that it is whole: not the stamp of the one before either.
  rmSync(join(stamps, 'web'), { force: true });
  const built = spawnSync(
    pinnedNode(),
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', join(root, 'apps/web'), '--logLevel', 'error'],
    { cwd: root, stdio: ['ignore', 2, 2] },
  );
  if (built.status !== 0) fail(word('notBuilt'));
  writeStamp('web', wanted);
}

const MADE_OF = ['api', 'domain', 'make-believe', 'pades', 'psc'].flatMap((name) => [
  `packages/${name}/src`,
  `packages/${name}/package.json`,
]);

/**
 * The product in one file (scripts/bundle-program.ts), made anew when what it is made of is another than at the last start; the program as it is written
 * where none can be made.
 */
export function buildProgram() {
  const isMeant = (name) => !name.endsWith('.test.ts') && name !== 'testing';
  const sources = ['apps/server/src', 'apps/server/package.json', ...MADE_OF, 'scripts/bundle-program.ts', 'package-lock.json'];
  const wanted = contentDigest(root, sources, { kept: join(stamps, 'program-files'), isMeant }).slice(0, 16);
  const make = (into, at) => {
    // Of programs that nobody starts any more it would be kept for ever.
    rmSync(COMPILED, { recursive: true, force: true });
    const command = [join(root, 'scripts/bundle-program.ts'), into, at];
    return spawnSync(pinnedNode(), command, { cwd: root, stdio: ['ignore', 'ignore', 2] }).status === 0;
  };
  return keptProgram(join(stamps, 'program'), wanted, make) ?? join(root, 'apps/server/src/begin.ts');
}

/** Runs a program of ours on the pinned Node and takes over its exit code; signals go through. */
export function handOver(args, environment = {}) {
  const node = pinnedNode();
  const separator = process.platform === 'win32' ? ';' : ':';
  const path = [dirname(node), join(root, 'node_modules/.bin'), process.env.PATH].join(separator);
  const child = spawn(node, args, { cwd: root, stdio: 'inherit', env: { ...compiledOnce(), ...process.env, ...environment, PATH: path } });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) endWithParent(child);
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

/** Node keeps what it has compiled beside what was installed: a start takes half the processor time. Where nobody may write, it does not. */
function compiledOnce() {
  try {
    accessSync(join(root, 'node_modules'), constants.W_OK);
    return { NODE_COMPILE_CACHE: COMPILED };
  } catch {
    return {};
  }
}

/**
 * npm passes a signal to the shell it started us with, and that shell dies of it without a word to us. `exec` in the script
 * would do on Unix alone; that our parent is another one is seen everywhere such shells are.
 */
function endWithParent(child) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 1000);
}

const tasks = {
  dev: () => handOver(['scripts/dev.ts']),
  build: () => buildWeb({ force: true }),
  test: () => {
    buildWeb();
    handOver(['scripts/test.ts', ...process.argv.slice(3)]);
  },
  check: () => handOver(['scripts/check.ts', ...process.argv.slice(3)]),
  format: () => handOver([join(root, 'node_modules/oxfmt/bin/oxfmt'), '.']),
  'fuzz:looks': () => handOver(['scripts/fuzz-looks.ts', ...process.argv.slice(3)]),
  interop: () => {
    buildWeb();
    handOver(['interop/run.ts', ...process.argv.slice(3)]);
  },
  signer: () => handOver(['apps/local-signer/src/main.ts', ...process.argv.slice(3)]),
  bench: () => handOver(['bench/run.ts', ...process.argv.slice(3)]),
  chaos: () => {
    buildWeb();
    handOver(['chaos/run.ts', ...process.argv.slice(3)]);
  },
  pictures: () => {
    buildWeb();
    handOver(['e2e/pictures.ts', ...process.argv.slice(3)]);
  },
  transcript: () => {
    buildWeb();
    const story = ['test', '-c', 'e2e/playwright.config.ts', 'all-kinds', 'without-mouse.spec'];
    handOver([join(root, 'node_modules/@playwright/test/cli.js'), ...story], { WRITES_TRANSCRIPT: 'yes' });
  },
  psc: () => handOver(['apps/server/src/commands/psc.ts', ...process.argv.slice(3)]),
  'rotate-secret': () => handOver(['apps/server/src/commands/rotate-secret.ts', ...process.argv.slice(3)]),
  'reset-factors': () => handOver(['apps/server/src/commands/reset-factors.ts', ...process.argv.slice(3)]),
  'accept-clock': () => handOver(['apps/server/src/commands/accept-clock.ts', ...process.argv.slice(3)]),
  'audit-storage': () => handOver(['apps/server/src/commands/audit-storage.ts', ...process.argv.slice(3)]),
  backup: () => handOver(['apps/server/src/commands/backup.ts', ...process.argv.slice(3)]),
  restore: () => handOver(['apps/server/src/commands/restore.ts', ...process.argv.slice(3)]),
  move: () => handOver(['apps/server/src/commands/move.ts', ...process.argv.slice(3)]),
  migrations: () => handOver(['apps/server/src/commands/migrations.ts', ...process.argv.slice(3)]),
  release: () => {
    buildWeb();
    handOver(['scripts/release.ts', ...process.argv.slice(3)]);
  },
  calls: () => handOver(['scripts/calls.ts']),
  pack: () => handOver(['scripts/pack-pades.ts', ...process.argv.slice(3)]),
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const task = tasks[process.argv[2]];
  if (!task) fail(word('usage', { tasks: Object.keys(tasks).join('|') }));
  install();
  task();
}
