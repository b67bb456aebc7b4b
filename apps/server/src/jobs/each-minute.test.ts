import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pino from 'pino';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { eachMinuteJob } from './each-minute.ts';
import { defineJob, type Job, type JobQueue, openJobQueue } from './queue.ts';

const log = pino({ level: 'silent' });

describe('what is done each minute', () => {
  let app: TestApp;
  const queues: JobQueue[] = [];
  before(async () => {
    app = await startTestApp();
  });
  afterEach(async () => {
    await Promise.all(queues.splice(0).map((queue) => queue.stop()));
  });
  after(() => app.close());

  async function working(job: Job<never>): Promise<JobQueue> {
    const queue = await openJobQueue(app.connection, [job], log);
    queues.push(queue);
    await queue.work(app.ctx);
    return queue;
  }

  it('is one job however many programs work, and leaves no schedule to those of another version', async () => {
    let ran = 0;
    const job = eachMinuteJob([defineJob<Record<string, never>>({ name: 'swept', run: async () => void (ran += 1) })]);
    // As the first programs that had it declared it: by a schedule, which those of the version before read too.
    await working({ ...job, isEachMinute: false, cron: '* * * * *' });
    await Promise.all(queues.splice(0).map((queue) => queue.stop()));
    // With what the schedule has sent and nobody handed on yet.
    await sql`delete from pgboss.job`.execute(app.ctx.db);
    ran = 0;
    // Not across the border of a minute, which has a job of its own.
    const into = Date.now() % 60_000;
    if (into > 50_000) await sleep(60_000 - into);
    await Promise.all([working(job), working(job), working(job)]);
    for (let looks = 0; ran === 0 && looks < 500; looks += 1) await sleep(20);
    await sleep(500);
    assert.equal(ran, 1);
    const { rows } = await sql`select from pgboss.schedule where name = 'each-minute'`.execute(app.ctx.db);
    assert.equal(rows.length, 0);
  });
});
