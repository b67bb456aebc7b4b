import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const program = new URL('./begin.ts', import.meta.url).pathname;

describe(
  'a start that begins with its database',
  { timeout: 120_000, skip: process.platform === 'win32' ? 'no embedded server' : false },
  () => {
    let dataDir: string;
    before(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'lavra-begin-'));
    });
    after(() => rm(dataDir, { recursive: true, force: true }));

    /** When a server was started last. */
    const begunAt = () => statSync(join(dataDir, 'pg18/postmaster.opts')).mtimeMs;
    const lock = () => join(dataDir, 'pg18/postmaster.pid');
    function begin(environment: Record<string, string> = {}) {
      const child = spawn(process.execPath, [program], {
        env: { ...process.env, PORT: '0', LAVRA_LOG_LEVEL: 'silent', DATABASE_URL: '', LAVRA_DATA_DIR: dataDir, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const ended = once(child, 'close').then(([code]) => code as number | null);
      const until = async (what: () => boolean) => {
        for (let waited = 0; !what(); waited += 5) {
          assert.ok(waited < 30_000 && child.exitCode === null, said);
          await sleep(5);
        }
      };
      return { child, ended, said: () => said, until };
    }

    it('makes a new installation, and serves it again, and leaves no server behind', async () => {
      for (let again = 0; again < 2; again += 1) {
        const { child, ended, said, until } = begin();
        await until(() => /Lavra: http:\S+/.test(said()));
        const [, url = ''] = /Lavra: (http:\S+)/.exec(said()) ?? [];
        assert.equal((await fetch(`${url}/management/health/readiness`)).status, 200);
        child.kill('SIGTERM');
        assert.equal(await ended, 0);
        assert.equal(existsSync(lock()), false);
      }
    });

    it('that is told to end while all else is loaded ends the server too', async () => {
      const { child, ended, until } = begin();
      await until(() => existsSync(lock()));
      child.kill('SIGTERM');
      assert.equal(await ended, 0);
      assert.equal(existsSync(lock()), false);
    });

    it('and whose configuration cannot work says why as ever, and ends the server too', async () => {
      const before = begunAt();
      const { ended, said } = begin({ LAVRA_PROFILE: 'prod' });
      assert.equal(await ended, 1);
      assert.match(said(), /LAVRA_PUBLIC_URL: required in the prod profile/);
      assert.ok(begunAt() > before);
      assert.equal(existsSync(lock()), false);
    });

    it('begins nothing by a variable that is none', async () => {
      const before = begunAt();
      const { ended, said } = begin({ PORT: 'harbour' });
      assert.equal(await ended, 1);
      assert.match(said(), /PORT: a number from 0 to 65535/);
      assert.equal(begunAt(), before);
    });
  },
);
