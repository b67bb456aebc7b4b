import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { LimitName } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Ctx } from '../context.ts';
import { openDatabase } from '../db/client.ts';
import { migrate } from '../db/migrate.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded-postgres.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { frozenClock } from '../testing/clock.ts';
import { countAttempt, limitRateByAddress, lock, lockedFor } from './limits.store.ts';

describe('a limit by address', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  const passes = async (name: LimitName, addresses: readonly string[], limit: number) => {
    let passed = 0;
    for (const address of addresses)
      await limitRateByAddress(app.ctx, name, address, { most: limit, seconds: 900 }).then(
        () => (passed += 1),
        (error: unknown) => assert.ok(error instanceof DomainError && error.code === 'request.tooMany', String(error)),
      );
    return passed;
  };

  it('is not passed by other addresses of the same /64', async () => {
    const neighbours = Array.from({ length: 12 }, (_, index) => `2001:db8:1:2::${index.toString(16)}`);
    assert.equal(await passes('requisition', neighbours, 5), 5);
    assert.equal(await passes('requisition', ['2001:db8:1:3::1'], 5), 1);
  });

  it('is not passed for ever by other networks of the same /48', async () => {
    const networks = Array.from({ length: 50 }, (_, index) => `2001:db8:5:${index.toString(16)}::1`);
    assert.equal(await passes('verify', networks, 5), 40);
    assert.equal(await passes('verify', ['2001:db8:6::1'], 5), 1);
  });

  it('counts IPv4 whole, and the same written as IPv6', async () => {
    assert.equal(await passes('psc-address', ['203.0.113.1', '::ffff:203.0.113.1', '::ffff:cb00:7101', '203.0.113.2'], 2), 3);
  });
});

describe('a limit that guards accounts', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lavra-limits-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  it('is remembered after the database was killed', async () => {
    const door = { name: 'login-account', subject: 'ana@exemplo.com.br' };
    const server = await startEmbeddedPostgres(dataDir);
    await within(server, async (ctx) => {
      assert.equal(await countAttempt(ctx, 'register', '203.0.113.1', 900), 1);
      await lock(ctx, door.name, door.subject);
    });
    process.kill(Number((await readFile(join(dataDir, 'pg18/postmaster.pid'), 'utf8')).split('\n')[0]), 'SIGKILL');
    const next = await startEmbeddedPostgres(dataDir);
    await within(next, async (ctx) => {
      assert.equal(await countAttempt(ctx, 'register', '203.0.113.1', 900), 2);
      assert.equal(await lockedFor(ctx, [door], 900), 900);
    });
    await next.stop();
  });
});

/** What the counters need of a context, over a server of the test's own. */
async function within(server: EmbeddedPostgres, act: (ctx: Ctx) => Promise<void>): Promise<void> {
  const database = openDatabase({ host: server.host, user: server.user, database: 'postgres' }, { away: () => {}, answered: () => {} });
  await migrate(database.db);
  await act({ db: database.db, clock: frozenClock() } as unknown as Ctx);
  await database.close();
}
