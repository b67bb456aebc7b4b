import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pino from 'pino';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { createHealth, type HealthComponent } from './health.ts';
import { healthComponents, judgeDisk } from './health-components.ts';

const log = pino({ level: 'silent' });
const MB = 1024 * 1024;

describe('health', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ config: { tsaUrl: 'http://127.0.0.1:1/' } });
  });
  after(() => app.close());

  const readiness = async () => {
    const answer = await app.inject('/management/health/readiness');
    return {
      code: answer.statusCode,
      ...answer.json<{ status: string; components: Record<string, { status: string; reason?: string }> }>(),
    };
  };

  it('tells each component, and a mail server or timestamp authority that is away without leaving the rotation', async () => {
    for (let waited = 0; (await readiness()).components['timestamps']?.status === 'UNKNOWN' && waited < 10_000; waited += 50)
      await sleep(50);
    const { code, status, components } = await readiness();
    assert.deepEqual([code, status], [200, 'UP']);
    assert.deepEqual(Object.keys(components), ['database', 'disk', 'clock', 'storage', 'mail', 'timestamps', 'jobs', 'finished']);
    assert.deepEqual(components['timestamps'], { status: 'DOWN', reason: 'unreachable' });
    for (const name of ['database', 'storage', 'mail', 'jobs']) assert.equal(components[name]?.status, 'UP', name);
    assert.deepEqual((await app.inject('/management/health')).json(), { status: 'UP' });
  });

  it('sees jobs that nobody takes', async () => {
    await sql`insert into pgboss.job (name, start_after) select 'send-mail', now() - interval '6 minutes'`.execute(app.ctx.db);
    const jobs = healthComponents(app.ctx, { ping: app.installation.client.ping, proxyMisfit: () => null, listsCopy: null }).find(
      ({ name }) => name === 'jobs',
    );
    assert.deepEqual(await jobs?.check(), { status: 'DEGRADED', reason: 'overdue' });
  });

  it('is DOWN with the database, while the process lives', async () => {
    const other = await startTestApp();
    assert.equal((await other.inject('/management/health')).statusCode, 200);
    await other.installation.client.close();
    await sleep(1100);
    assert.deepEqual((await other.inject('/management/health')).json(), { status: 'DOWN' });
    const down = await other.inject('/management/health/readiness');
    assert.deepEqual([down.statusCode, down.json().components.database], [503, { status: 'DOWN', reason: 'unavailable' }]);
    assert.equal((await other.inject('/management/health/liveness')).statusCode, 200);
    await other.close();
  });

  it('calls a disk full before PostgreSQL and uploads find out, on small disks too', () => {
    const of = (free: number, size: number) => judgeDisk(free * MB, size * MB).status;
    assert.deepEqual([of(90, 100_000), of(900, 100_000), of(2000, 100_000)], ['DOWN', 'DEGRADED', 'UP']);
    assert.deepEqual([of(4, 100), of(8, 100), of(60, 100)], ['DOWN', 'DEGRADED', 'UP']);
  });

  it('probes once however many ask, and never waits for what hangs or is not needed', async () => {
    let asked = 0;
    const hanging = (name: string, needed: boolean): HealthComponent => ({
      name,
      needed,
      keepMs: 0,
      check: () => ((asked += 1), new Promise(() => {})),
    });
    const counted: HealthComponent = {
      name: 'counted',
      needed: true,
      keepMs: 60_000,
      check: async () => ((asked += 1), { status: 'UP' as const }),
    };
    const spare = createHealth([counted, hanging('spare', false)], log);
    const reports = await Promise.all(Array.from({ length: 2000 }, spare));
    assert.equal(asked, 2);
    assert.deepEqual(reports.at(-1), { status: 'UP', components: { counted: { status: 'UP' }, spare: { status: 'UNKNOWN' } } });
    asked = 0;
    const health = createHealth([hanging('needed', true)], log);
    const [report] = await Promise.all([health(), health(), health()]);
    assert.deepEqual(report, { status: 'DOWN', components: { needed: { status: 'DOWN', reason: 'timeout' } } });
    assert.equal((await health()).status, 'DOWN');
    assert.equal(asked, 1, 'a probe that hangs is not joined by a second one');
  });
});
