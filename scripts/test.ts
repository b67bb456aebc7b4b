import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { startSystemPostgres, type SystemPostgres } from '../apps/server/src/testing/system-postgres.ts';
import { batchSummary } from './batch-summary.ts';
import { installMissing } from './debian-packages.ts';

/** Debian packages that parts of the tests need, by a file that shows that they are there (`*` stands for any version). */
const packages: Record<string, { shownBy: string; neededBy: string[] }> = {
  openssl: { shownBy: '/usr/bin/openssl', neededBy: ['--unit', '--outside', '--e2e'] },
  'poppler-utils': { shownBy: '/usr/bin/pdfsig', neededBy: ['--unit', '--e2e'] },
  qpdf: { shownBy: '/usr/bin/qpdf', neededBy: ['--unit', '--e2e'] },
  softhsm2: { shownBy: '/usr/lib/softhsm/libsofthsm2.so', neededBy: ['--unit', '--e2e'] },
  opensc: { shownBy: '/usr/bin/pkcs11-tool', neededBy: ['--unit', '--e2e'] },
  prometheus: { shownBy: '/usr/bin/promtool', neededBy: ['--unit'] },
  unzip: { shownBy: '/usr/bin/unzip', neededBy: ['--unit', '--e2e'] },
  postgresql: { shownBy: '/usr/lib/postgresql/*/bin/pg_ctl', neededBy: ['--outside'] },
  pgbouncer: { shownBy: '/usr/sbin/pgbouncer', neededBy: ['--outside'] },
  'swift-proxy': { shownBy: '/usr/bin/swift-proxy-server', neededBy: ['--unit'] },
  'swift-account': { shownBy: '/usr/bin/swift-account-server', neededBy: ['--unit'] },
  'swift-container': { shownBy: '/usr/bin/swift-container-server', neededBy: ['--unit'] },
  'swift-object': { shownBy: '/usr/bin/swift-object-server', neededBy: ['--unit'] },
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

/** Files that one program runs, one after the other. */
interface Batch {
  name: string;
  files: string[];
  environment?: Record<string, string>;
}

/** So many programs at a time: a batch is taken up by whoever is free, so that two cores end together; one more when the stories have been told. */
const lanes = 2;
const asDealt = (name: string, files: readonly string[], hands: number, environment = {}): Batch[] =>
  Array.from({ length: hands }, (_, hand) => ({
    name: `${name}, ${hand + 1} of ${hands}`,
    files: files.filter((_, index) => index % hands === hand),
    environment,
    // Without a file Node's runner would take all that it finds.
  })).filter((batch) => batch.files.length > 0);

/** All unit and API tests over Node's own runner; their database is the embedded one. */
function unitBatches(): Batch[] {
  const isServer = (path: string) => path.startsWith('apps/server/');
  return [
    { name: 'everything but the server', files: testFiles.filter((path) => !isServer(path)) },
    ...asDealt('server', testFiles.filter(isServer), 6),
  ];
}

/** Long, and their judge is not the database (a year on the injected clock, providers, hostile bytes), or they bring one themselves. */
const toldOnce = /\/(simulated-year|moving|released|lists-copy|cloud-providers|hostile-upload|[\w-]*two-programs)\.test\.ts$/;

/** The tests that touch the database once more, against the PostgreSQL that Debian brings. */
function outsideBatches({ version, url }: SystemPostgres): Batch[] {
  const usesDatabase = (path: string) =>
    !toldOnce.test(path) && /testing\/(app|database|certificates)\.ts'/.test(readFileSync(path, 'utf8'));
  return asDealt(`PostgreSQL ${version}`, testFiles.filter(usesDatabase), 3, { LAVRA_TEST_DATABASE_URL: url });
}

/** `told`: when the stories have been, and what they took of the machine is free. */
async function nodeTests(chosen: readonly string[], told: Promise<unknown>): Promise<Tally[]> {
  const batches = chosen.includes('--unit') ? unitBatches() : [];
  const tallies: Tally[] = [];
  let stop = (): void => {};
  if (chosen.includes('--outside')) {
    const postgres = await startSystemPostgres().catch((error: Error) => void process.stderr.write(`${error.message}\n`));
    stop = () => postgres?.stop();
    process.once('exit', stop);
    if (postgres) batches.push(...outsideBatches(postgres));
    else tallies.push({ passed: 0, failed: 1, skipped: 0 });
  }
  const lane = async (): Promise<void> => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) tallies.push(await runBatch(batch));
  };
  await Promise.all([...Array.from({ length: lanes }, lane), told.then(lane)]);
  stop();
  return tallies;
}

/** What failed, in the words of whoever ran it: told once more at the end, where nobody needs to look for it. */
const failures: string[] = [];
const failuresFile = 'test-results/failures.txt';

/** What runs, with what it has said: shown whole, or as far as it came when we are stopped. */
const running = new Map<string, string>();
function show(name: string): void {
  process.stdout.write(`\n══ ${name}\n${running.get(name) ?? ''}`);
  running.delete(name);
}
process.once('exit', () => [...running.keys()].forEach(show));

function runBatch({ name, files, environment }: Batch): Promise<Tally> {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--test', '--test-isolation=none', '--test-force-exit', '--test-reporter=spec', ...files], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    running.set(name, '');
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => running.set(name, (running.get(name) ?? '') + text));
    child.on('exit', (code) => {
      const end = (): void => {
        clearTimeout(timer);
        child.off('close', end);
        const said = running.get(name) ?? '';
        const { whatFailed, ...tally } = batchSummary(said);
        show(name);
        process.stdout.write(`══ ${name}: ${Math.round((performance.now() - start) / 1000)} s\n`);
        if (code !== 0) failures.push(`${name}:\n${whatFailed ?? `ended with ${code} and without a summary\n${said.slice(-2000)}`}`);
        // A runner that died before its summary has failed, whatever it counted.
        resolve(code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally);
      };
      // What it left behind may hold its output open.
      const timer = setTimeout(end, 5000);
      child.once('close', end);
    });
  });
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs?: { file: string; line: number; title: string; ok: boolean; tests: { results: { errors: { message?: string }[] }[] }[] }[];
}

interface PlaywrightReport extends PlaywrightSuite {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

function storiesThatFailed({ suites = [], specs = [] }: PlaywrightSuite): string[] {
  const own = specs
    .filter(({ ok, tests }) => !ok || tests.some(({ results }) => results.some(({ errors }) => errors.length > 0)))
    .map(({ file, line, title, tests }) => {
      const said = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors.map(({ message }) => message ?? '')));
      return `story ${file}:${line} ${title}\n${said.map((one) => one.slice(0, 2000)).join('\n')}`;
    });
  return [...own, ...suites.flatMap(storiesThatFailed)];
}

/** Stories wait for mails, timers and pages as much as they compute: they run beside the others, each line shown as it comes. */
async function browserTests(): Promise<Tally> {
  const report = 'test-results/e2e.json';
  rmSync(report, { force: true });
  const child = spawn(process.execPath, ['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e/playwright.config.ts'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const stop = () => void child.kill('SIGTERM');
  process.once('exit', stop);
  const status = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  process.off('exit', stop);
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const told = JSON.parse(readFileSync(report, 'utf8')) as PlaywrightReport;
  failures.push(...storiesThatFailed(told));
  const { stats } = told;
  const failed = stats.unexpected + stats.flaky;
  return { passed: stats.expected, failed: status !== 0 && failed === 0 ? 1 : failed, skipped: stats.skipped };
}

const parts = ['--unit', '--outside', '--e2e'];
// A signal must still stop what was started for the tests.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !parts.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Uso: npm test -- [${parts.join('] [')}]\n`);
  process.exit(1);
}
const chosen = asked.length === 0 ? parts : asked;
installTools(chosen);
const stories = chosen.includes('--e2e') ? browserTests() : Promise.resolve([]);
const tallies = (await Promise.all([nodeTests(chosen, stories), stories])).flat();
const sum = (part: keyof Tally) => tallies.reduce((total, tally) => total + tally[part], 0);
const skipped = sum('skipped');
mkdirSync('test-results', { recursive: true });
writeFileSync(failuresFile, failures.map((text) => `FAILED ${text}\n\n`).join(''));
process.stdout.write(`\n${readFileSync(failuresFile, 'utf8')}`);
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exit(sum('failed') > 0 || sum('passed') === 0 ? 1 : 0);
