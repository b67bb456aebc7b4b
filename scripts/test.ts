import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { startSystemPostgres } from '../apps/server/src/testing/system-postgres.ts';
import { installMissing } from './debian-packages.ts';

/** Debian packages that parts of the tests need, by a file that shows that they are there (`*` stands for any version). */
const packages: Record<string, { shownBy: string; neededBy: string[] }> = {
  openssl: { shownBy: '/usr/bin/openssl', neededBy: ['--unit', '--outside', '--e2e'] },
  'poppler-utils': { shownBy: '/usr/bin/pdfsig', neededBy: ['--unit', '--e2e'] },
  qpdf: { shownBy: '/usr/bin/qpdf', neededBy: ['--unit', '--e2e'] },
  softhsm2: { shownBy: '/usr/lib/softhsm/libsofthsm2.so', neededBy: ['--unit', '--e2e'] },
  opensc: { shownBy: '/usr/bin/pkcs11-tool', neededBy: ['--unit', '--e2e'] },
  unzip: { shownBy: '/usr/bin/unzip', neededBy: ['--unit', '--e2e'] },
  postgresql: { shownBy: '/usr/lib/postgresql/*/bin/pg_ctl', neededBy: ['--outside'] },
  chromium: { shownBy: process.env['CHROMIUM'] ?? '/usr/bin/chromium', neededBy: ['--e2e'] },
};

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** Without them the tests would tell of the machine, not of the product. */
function installTools(chosen: readonly string[]): void {
  const needed = Object.entries(packages).filter(([, { neededBy }]) => neededBy.some((part) => chosen.includes(part)));
  const missing = installMissing(Object.fromEntries(needed.map(([name, { shownBy }]) => [name, shownBy])));
  if (missing.length === 0) return;
  process.stderr.write(`Faltam programas para os testes. Instale-os e tente de novo:\n  sudo apt-get install ${missing.join(' ')}\n`);
  process.exit(1);
}

const testFiles = globSync(['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'scripts/**/*.test.ts'], {
  exclude: (path) => path.includes('node_modules'),
}).toSorted();

/** All unit and API tests over Node's own runner, the server's beside all others; their database is the embedded one. */
async function unitTests(): Promise<Tally> {
  const isServer = (path: string) => path.startsWith('apps/server/');
  const [server, others] = await Promise.all([
    nodeTests(testFiles.filter(isServer), {}),
    nodeTests(
      testFiles.filter((path) => !isServer(path)),
      {},
    ),
  ]);
  return { passed: server.passed + others.passed, failed: server.failed + others.failed, skipped: server.skipped + others.skipped };
}

/** The tests that touch the database once more, against the PostgreSQL that Debian brings. */
async function outsideDatabaseTests(): Promise<Tally> {
  const usesDatabase = (path: string) => /testing\/(app|database|certificates)\.ts'/.test(readFileSync(path, 'utf8'));
  const postgres = await startSystemPostgres().catch((error: Error) => void process.stderr.write(`${error.message}\n`));
  if (!postgres) return { passed: 0, failed: 1, skipped: 0 };
  const stop = () => postgres.stop();
  process.once('exit', stop);
  process.stdout.write(`\nPostgreSQL ${postgres.version}\n`);
  try {
    return await nodeTests(testFiles.filter(usesDatabase), { LAVRA_TEST_DATABASE_URL: postgres.url });
  } finally {
    stop();
    process.off('exit', stop);
  }
}

function nodeTests(files: string[], environment: Record<string, string>): Promise<Tally> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--test', '--test-isolation=none', '--test-force-exit', '--test-reporter=spec', ...files], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    let tail = '';
    child.stdout.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk);
      tail = (tail + chunk.toString()).slice(-20_000);
    });
    child.on('exit', (code) => {
      const count = (name: string) => Number(new RegExp(`ℹ ${name} (\\d+)`).exec(tail)?.[1] ?? 0);
      const tally = { passed: count('pass'), failed: count('fail') + count('cancelled'), skipped: count('skipped') };
      // A runner that died before its summary has failed, whatever it counted.
      resolve(code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally);
    });
  });
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

function browserTests(): Tally {
  const report = 'test-results/e2e.json';
  rmSync(report, { force: true });
  const { status } = spawnSync(process.execPath, ['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e/playwright.config.ts'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const { stats } = JSON.parse(readFileSync(report, 'utf8')) as PlaywrightReport;
  const failed = stats.unexpected + stats.flaky;
  return { passed: stats.expected, failed: status !== 0 && failed === 0 ? 1 : failed, skipped: stats.skipped };
}

const parts: Record<string, () => Tally | Promise<Tally>> = {
  '--unit': unitTests,
  '--outside': outsideDatabaseTests,
  '--e2e': browserTests,
};
// A signal must still stop what was started for the tests.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in parts));
if (unknown.length > 0) {
  process.stderr.write(`Uso: npm test -- [${Object.keys(parts).join('] [')}]\n`);
  process.exit(1);
}
const chosen = asked.length === 0 ? Object.keys(parts) : asked;
installTools(chosen);
const tallies: Tally[] = [];
for (const [name, run] of Object.entries(parts)) if (chosen.includes(name)) tallies.push(await run());
const sum = (part: keyof Tally) => tallies.reduce((total, tally) => total + tally[part], 0);
const skipped = sum('skipped');
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exit(sum('failed') > 0 || sum('passed') === 0 ? 1 : 0);
