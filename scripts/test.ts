import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';

/** Debian packages the tests need, by a file that shows that they are there. */
const packages: Record<string, string> = {
  chromium: '/usr/bin/chromium',
  'poppler-utils': '/usr/bin/pdfsig',
  qpdf: '/usr/bin/qpdf',
  openssl: '/usr/bin/openssl',
  unzip: '/usr/bin/unzip',
};

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

function installTools(): void {
  const missing = Object.keys(packages).filter((name) => !existsSync(packages[name] ?? ''));
  if (missing.length === 0) return;
  const isRoot = process.getuid?.() === 0;
  const sudo = isRoot ? [] : ['sudo', '-n'];
  const run = (...args: string[]) => {
    const [command = '', ...rest] = [...sudo, ...args];
    return spawnSync(command, rest, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
  };
  process.stderr.write(`Instalando ${missing.join(', ')}…\n`);
  if (run('apt-get', 'update', '-q') && run('apt-get', 'install', '-y', '-q', '--no-install-recommends', ...missing)) return;
  process.stderr.write(`Faltam programas para os testes. Instale-os e tente de novo:\n  sudo apt-get install ${missing.join(' ')}\n`);
  process.exit(1);
}

/** All unit and API tests in one process over Node's own runner. */
function unitTests(): Promise<Tally> {
  const files = globSync(['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'scripts/**/*.test.ts'], {
    exclude: (path) => path.includes('node_modules'),
  }).toSorted();
  if (files.length === 0) return Promise.resolve({ passed: 0, failed: 0, skipped: 0 });
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--test', '--test-isolation=none', '--test-force-exit', '--test-reporter=spec', ...files], {
      stdio: ['ignore', 'pipe', 'inherit'],
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

const only = new Set(process.argv.slice(2));
installTools();
const tallies = [
  only.has('--e2e') ? { passed: 0, failed: 0, skipped: 0 } : await unitTests(),
  only.has('--unit') ? { passed: 0, failed: 0, skipped: 0 } : browserTests(),
];
const sum = (part: keyof Tally) => tallies.reduce((total, tally) => total + tally[part], 0);
const skipped = sum('skipped');
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exit(sum('failed') > 0 || sum('passed') === 0 ? 1 : 0);
