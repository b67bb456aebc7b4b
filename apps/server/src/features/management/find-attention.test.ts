import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { findAttention } from './find-attention.ts';
import { watchJobs } from './watch-jobs.ts';

describe('what is slow', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  const call = (route: string, ms: number, times: number) => {
    for (let time = 0; time < times; time += 1) app.ctx.metrics.answered({ method: 'GET', route, status: 200, ms });
  };
  const told = async (kind: string) => (await findAttention(app.ctx)).filter((one) => one.kind === kind);

  it('is told of calls that take over a second in the mean, the slowest first, and of no others', async () => {
    call('/api/slow', 1500, 5);
    call('/api/slower', 4000, 7);
    call('/api/at-the-limit', 1000, 5);
    call('/api/rare', 9000, 4);
    call('/api/once-slow', 4000, 1);
    call('/api/once-slow', 10, 9);
    assert.deepEqual(await told('slowCall'), [
      { kind: 'slowCall', name: 'GET /api/slower', count: 7, ms: 4000 },
      { kind: 'slowCall', name: 'GET /api/slow', count: 5, ms: 1500 },
    ]);
  });

  it('is told of jobs that take over half a minute in the mean', async () => {
    for (let time = 0; time < 5; time += 1) {
      app.ctx.metrics.ran('seal-slowly', 31_000, true);
      app.ctx.metrics.ran('seal-well', 29_000, true);
    }
    assert.deepEqual(await told('slowJob'), [{ kind: 'slowJob', name: 'seal-slowly', count: 5, ms: 31_000 }]);
  });

  it('is told by a node of every other one after a minute, in one line for the same thing, and of none that has fallen silent', async () => {
    const other = await startTestApp({ connection: app.connection, config: { dataDir: app.dataDir } });
    for (let time = 0; time < 6; time += 1) {
      other.ctx.metrics.ran('seal-slowly', 40_000, true);
      other.ctx.metrics.ran('draw-slowly', 33_000, true);
    }
    const stop = watchJobs(other.ctx, 5);
    const wanted = [
      { kind: 'slowJob', name: 'seal-slowly', count: 11, ms: 40_000 },
      { kind: 'slowJob', name: 'draw-slowly', count: 6, ms: 33_000 },
    ];
    while ((await told('slowJob')).length < 2) await sleep(5);
    assert.deepEqual(await told('slowJob'), wanted);
    await stop();
    await sql`update node_attention set told_at = now() - interval '4 minutes'`.execute(app.ctx.db);
    assert.deepEqual(await told('slowJob'), [{ kind: 'slowJob', name: 'seal-slowly', count: 5, ms: 31_000 }]);
    await other.close();
  });
});
