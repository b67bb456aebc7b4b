import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const skip = process.platform === 'win32' ? 'the embedded database is Unix' : false;

it(
  'npm run dev serves pages with hot reload and the server at one address, and starts the server again when its files change',
  {
    timeout: 180_000,
    skip,
  },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lavra-dev-'));
    const dev = spawn(process.execPath, ['scripts/dev.ts'], {
      env: { ...process.env, PORT: '0', LAVRA_DATA_DIR: directory, LAVRA_LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const starts = async (times: number): Promise<string> => {
      for (;;) {
        const announced = [...said.matchAll(/Lavra: (http:\S+) /g)];
        if (announced.length >= times) return announced.at(-1)?.[1] ?? '';
        assert.equal(dev.exitCode, null, said);
        await sleep(100);
      }
    };
    try {
      const address = await starts(1);
      const text = async (path: string) => (await fetch(new URL(path, address))).text();
      assert.match(await text('/signature'), /@vite\/client/);
      assert.match(await text('/src/shell/page.tsx'), /import\.meta\.hot/);
      assert.equal((await fetch(new URL('/pdf/cmaps/78-H.bcmap', address))).status, 200);
      const info = async () => (await fetch(new URL('/management/info', address))).status;
      assert.equal(await info(), 200);
      const now = new Date();
      await utimes('locales/en/errors.json', now, now);
      assert.equal(await starts(2), address);
      assert.equal(await info(), 200);
    } finally {
      const ended = once(dev, 'exit');
      dev.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    }
    assert.equal(dev.exitCode, 0, said);
  },
);
