import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const launch = join(dirname(fileURLToPath(import.meta.url)), 'launch.mjs');

describe('a program started by npm', { timeout: 60_000, skip: process.platform === 'win32' ? 'signals are Unix' : false }, () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lavra-npm-'));
    const log = JSON.stringify(join(directory, 'log'));
    await writeFile(join(directory, 'package.json'), JSON.stringify({ private: true, scripts: { start: 'node start.mjs' } }));
    await writeFile(
      join(directory, 'start.mjs'),
      `const { handOver } = await import(${JSON.stringify(launch)});\nhandOver([${JSON.stringify(join(directory, 'program.mjs'))}]);`,
    );
    await writeFile(
      join(directory, 'program.mjs'),
      `import { appendFileSync } from 'node:fs';
       const say = (text) => appendFileSync(${log}, text + '\\n');
       process.on('SIGTERM', () => setTimeout(() => { say('ended'); process.exit(0); }, 300));
       setInterval(() => {}, 1000);
       say('up ' + process.pid);`,
    );
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const said = async () => (existsSync(join(directory, 'log')) ? readFile(join(directory, 'log'), 'utf8') : '');
  const until = async (word: string) => {
    for (let waited = 0; !(await said()).includes(word); waited += 50) {
      assert.ok(waited < 20_000, `it never said ${word}: ${await said()}`);
      await sleep(50);
    }
  };

  // Through npm and the shell between; and as a service manager starts it.
  for (const [name, command] of [
    ['npm', ['npm', 'start']],
    ['its own command', ['node', 'start.mjs']],
  ] as const)
    it(`ends in order when ${name} is told to end`, async () => {
      await rm(join(directory, 'log'), { force: true });
      const started = spawn(command[0], command.slice(1), { cwd: directory, stdio: 'ignore' });
      await until('up');
      started.kill('SIGTERM');
      await until('ended');
    });
});

describe('the first start on an older Node', { skip: process.platform === 'win32' ? 'npm is a script there' : false }, () => {
  it('prints no warning of npm, whatever Node its packages want to run on', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lavra-install-'));
    try {
      await mkdir(join(directory, 'wants-more'));
      const dependency = { name: 'wants-more', version: '1.0.0', engines: { node: '>=99' } };
      await writeFile(join(directory, 'wants-more/package.json'), JSON.stringify(dependency));
      await writeFile(join(directory, 'package.json'), JSON.stringify({ private: true, workspaces: ['wants-more'] }));
      const { INSTALL } = (await import(launch)) as { INSTALL: string[] };
      const said = (args: readonly string[]) => spawnSync('npm', [...args, '--offline'], { cwd: directory, encoding: 'utf8' }).stderr;
      assert.match(said(['install', '--no-save', '--no-audit']), /EBADENGINE/);
      assert.equal(said(INSTALL), '');
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
