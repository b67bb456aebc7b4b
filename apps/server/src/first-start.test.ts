import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import * as api from '@lavra/api';
import { freePort } from './testing/free-port.ts';
import { overHttp } from './testing/program.ts';

const main = new URL('./main.ts', import.meta.url).pathname;

/** The program in production, until it has said where the first account is made; how it ends is the caller's. */
async function startProduction(dataDir: string, port: number) {
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      LAVRA_PROFILE: 'prod',
      LAVRA_DATA_DIR: dataDir,
      LAVRA_PUBLIC_URL: 'https://lavra.exemplo.com.br',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'Lavra <lavra@exemplo.com.br>',
      PORT: String(port),
      LAVRA_LOG_LEVEL: 'trace',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    said += chunk.toString();
    if (/Lavra: https:\S+/.test(said) && said.endsWith('\n\n')) return { child, said };
  }
  throw new Error(`it did not start: ${said}`);
}

it('production prints the first administrator’s key, apart from the log, anew at each start until it is used', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'lavra-first-'));
  const keys: string[] = [];
  try {
    for (const expected of ['printed', 'printed', 'used']) {
      const port = await freePort();
      const { child, said } = await startProduction(dataDir, port);
      const ended = once(child, 'exit');
      child.stdout.resume();
      const key = /\/account\/register#key=([\w-]+)/.exec(said)?.[1];
      try {
        assert.equal(key === undefined, expected === 'used', said);
        if (key === undefined) continue;
        assert.ok(!keys.includes(key));
        keys.push(key);
        const log = said.split('\n').filter((line) => line.startsWith('{'));
        assert.ok(log.every((line) => !line.includes(key)));
        if (keys.length < 2) continue;
        const { call } = overHttp(`http://127.0.0.1:${port}`);
        const body = { firstName: 'Ana', login: 'ana@exemplo.com.br', email: 'ana@exemplo.com.br', password: 'Tinteiro7' };
        assert.equal((await call(api.register, { body })).code, 'account.firstKeyRequired');
        assert.equal((await call(api.register, { body: { ...body, firstKey: keys[0] } })).body.activated, true);
      } finally {
        child.kill('SIGTERM');
        await ended;
      }
    }
    assert.equal(keys.length, 2);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
