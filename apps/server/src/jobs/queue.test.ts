import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { committedDuring } from '../testing/statements.ts';
import { writeAtOnce } from '../db/at-once.ts';
import { defineJob, type Job, type JobQueue, openJobQueue } from './queue.ts';

const log = pino({ level: 'silent' });
const queueModule = new URL('./queue.ts', import.meta.url).href;

async function until(condition: () => boolean, seconds = 10): Promise<void> {
  for (let waited = 0; !condition(); waited += 20) {
    if (waited > seconds * 1000) throw new Error('it did not happen');
    await sleep(20);
  }
}

/** Has what some statements answer held back by `holderOf`. */
function heldAnswers(holderOf: (text: string) => ((answer: () => void) => unknown) | null): () => void {
  const client = pg.Client.prototype;
  const { query } = client;
  client.query = function held(this: pg.Client, ...given: unknown[]): unknown {
    const [one] = given as [string | { text?: string }];
    const answered = given.at(-1);
    const hold = holderOf(typeof one === 'string' ? one : (one.text ?? ''));
    if (typeof answered !== 'function' || !hold) return Reflect.apply(query, this, given);
    return Reflect.apply(query, this, [...given.slice(0, -1), (...answer: unknown[]) => hold(() => void answered(...answer))]);
  } as typeof query;
  return () => void (client.query = query);
}

describe('a job', () => {
  let app: TestApp;
  const queues: JobQueue[] = [];
  before(async () => {
    app = await startTestApp();
  });
  // Each holds some connections of a server that all tests share.
  afterEach(async () => {
    await Promise.all(queues.splice(0).map((queue) => queue.stop()));
  });
  after(() => app.close());

  async function openQueue(jobs: readonly Job<never>[], background = false) {
    const queue = await openJobQueue(app.connection, jobs, log, { background });
    queues.push(queue);
    return queue;
  }

  it('exists only when the transaction that sent it commits', async () => {
    const ran: string[] = [];
    const job = defineJob<{ id: string }>({ name: 'in-transaction', run: async (_ctx, { id }) => void ran.push(id) });
    const queue = await openQueue([job]);
    const send = (id: string, fail: boolean) =>
      app.ctx.db.transaction().execute(async (trx) => {
        await queue.senderFor(trx).send(job, { id });
        if (fail) throw new Error('rolled back');
      });
    await assert.rejects(send('lost', true), /rolled back/);
    await send('kept', false);
    await queue.drain(app.ctx);
    assert.deepEqual(ran, ['kept']);
  });

  it('is declared to the queue once: a start that finds it so writes nothing, and one that means it otherwise says so', async () => {
    const run = async () => {};
    const declared = defineJob({ name: 'declared', run, onGivenUp: run, retryLimit: 3, exclusive: true, cron: '0 3 * * *' });
    const openedWith = async (job: Job<never>) => {
      await openQueue([job], true);
      const { rows } = await sql<{ queue: string; schedule: string }>`
        select concat(q.updated_on, q.retry_limit, q.policy, q.dead_letter) as queue, concat(s.updated_on, s.cron) as schedule
        from pgboss.queue q join pgboss.schedule s on s.name = q.name where q.name = 'declared'`.execute(app.ctx.db);
      assert.ok(rows[0]);
      return rows[0];
    };
    const first = await openedWith(declared);
    assert.match(first.queue, /3exclusivedeclared\.dead$/);
    assert.deepEqual(await openedWith(declared), first);
    const second = await openedWith(defineJob({ ...declared, retryLimit: 4 }));
    assert.match(second.queue, /4exclusivedeclared\.dead$/);
    assert.equal(second.schedule, first.schedule);
    const third = await openedWith(defineJob({ ...declared, retryLimit: 4, cron: '0 4 * * *' }));
    assert.match(third.schedule, /0 4 \* \* \*$/);
    assert.equal(third.queue, second.queue);
  });

  it('by the clock that came due while no program ran is sent once when one runs again', async () => {
    const job = defineJob<object>({ name: 'nightly', cron: '7 3 * * *', run: async () => {} });
    await (await openQueue([job], true)).stop();
    const looked = sql`select cron_on from pgboss.version where cron_on > now() - interval '1 minute'`;
    for (let looks = 0; looks < 500 && (await looked.execute(app.ctx.db)).rows.length === 0; looks += 1) await sleep(20);
    await sql`update pgboss.version set cron_on = now() - interval '50 hours'`.execute(app.ctx.db);
    await sql`update pgboss.schedule set created_on = now() - interval '9 days' where name = 'nightly'`.execute(app.ctx.db);
    await openQueue([job], true);
    const sent = sql`select 1 from pgboss.job where name = '__pgboss__send-it' and data->>'name' = 'nightly'`;
    for (let looks = 0; looks < 500 && (await sent.execute(app.ctx.db)).rows.length === 0; looks += 1) await sleep(20);
    assert.equal((await sent.execute(app.ctx.db)).rows.length, 1);
  });

  it('that a dead program left is taken up by the next one as soon as it has started', async () => {
    const ran: string[] = [];
    const job = defineJob<{ id: string }>({ name: 'left-behind', run: async (_ctx, { id }) => void ran.push(id) });
    const queue = await openQueue([job], true);
    await sql`
      insert into pgboss.job (name, data, state, started_on, heartbeat_on, heartbeat_seconds, retry_limit, retry_delay)
      values ('left-behind', '{"id": "left"}', 'active', now() - interval '1 minute', now() - interval '1 minute', 10, 8, 2)`.execute(
      app.ctx.db,
    );
    await queue.work(app.ctx);
    // By itself it would look again after some fourteen seconds.
    await until(() => ran.length > 0, 12);
    assert.deepEqual(ran, ['left']);
  });

  it('has what is asked for each of them planned once a connection, in a queue that runs', async () => {
    let ran = 0;
    const job = defineJob<{ n: number }>({ name: 'planned', inTurns: true, run: async () => void (ran += 1) });
    const queue = await openQueue([job], true);
    const asked: { text: string; name: string | undefined }[] = [];
    const client = pg.Client.prototype;
    const { query } = client;
    client.query = function listened(this: pg.Client, ...given: unknown[]): unknown {
      const [one] = given as [string | { text?: string; name?: string } | undefined];
      asked.push(typeof one === 'string' ? { text: one, name: undefined } : { text: one?.text ?? '', name: one?.name });
      return Reflect.apply(query, this, given);
    } as typeof query;
    try {
      await queue.work(app.ctx);
      for (let n = 1; n <= 3; n += 1) {
        await queue.senderFor(app.ctx.db).send(job, { n }, { turn: 'ana' });
        await until(() => ran === n);
      }
      await queue.stop();
    } finally {
      client.query = query;
    }
    const ofJobs = asked.filter(({ text }) => /^\s*with\s+(?:next|active_group_count_map|results)\b|\bselect line as name\b/i.test(text));
    assert.ok(ofJobs.length >= 5, `${ofJobs.length} to look, to take and to end three`);
    assert.deepEqual(
      ofJobs.filter(({ name }) => name === undefined).map(({ text }) => text),
      [],
    );
  });

  it('starts at once when a worker listens, and many run side by side', async () => {
    const ran: number[] = [];
    const job = defineJob<{ n: number }>({
      name: 'awaited',
      async run(_ctx, { n }) {
        await sleep(50);
        ran.push(n);
      },
    });
    const queue = await openQueue([job], true);
    await queue.work(app.ctx);
    const start = performance.now();
    await Promise.all(Array.from({ length: 20 }, (_, n) => queue.senderFor(app.ctx.db).send(job, { n })));
    await until(() => ran.length === 20);
    assert.deepEqual(
      ran.toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, n) => n),
    );
    assert.ok(performance.now() - start < 3000, `${performance.now() - start} ms`);
  });

  it('for later is begun when it is due, also by another program that rests', async () => {
    const began: number[] = [];
    const job = defineJob<object>({ name: 'later', run: async () => void began.push(performance.now()) });
    await (await openQueue([job], true)).work(app.ctx);
    const sender = (await openQueue([job], true)).senderFor(app.ctx.db);
    // Its first looks are over.
    await sleep(2500);
    const sent = performance.now();
    await sender.send(job, {}, { afterMs: 3000 });
    await until(() => began.length === 1);
    const [after = 0] = began.map((at) => at - sent);
    assert.ok(after >= 2990 && after < 5500, `${after} ms`);
  });

  it('is begun soon where the session that would have told of it was ended in the same moment', async () => {
    const began: number[] = [];
    const job = defineJob<object>({ name: 'untold', run: async () => void began.push(performance.now()) });
    await (await openQueue([job], true)).work(app.ctx);
    const sender = (await openQueue([job], true)).senderFor(app.ctx.db);
    await sleep(2500);
    const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %'`.execute(app.ctx.db);
    assert.ok(rows.length > 0);
    const sent = performance.now();
    await sender.send(job, {});
    await until(() => began.length === 1, 12);
    const [after = 0] = began.map((at) => at - sent);
    // By itself a program that rests looks later than that.
    assert.ok(after < 5500, `${after} ms`);
  });

  it('is taken by one statement and done by one, and those that end together are all written down', async () => {
    const all = Promise.withResolvers<void>();
    let running = 0;
    const job = defineJob<{ n: number }>({
      name: 'counted',
      inTurns: true,
      async run() {
        running += 1;
        if (running === 7) all.resolve();
        await all.promise;
      },
    });
    const queue = await openQueue([job], true);
    await queue.work(app.ctx);
    const done = async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from pgboss.job where name = 'counted' and state = 'completed'`.execute(app.ctx.db);
      return rows[0]?.n ?? 0;
    };
    const asked: string[] = [];
    await committedDuring(
      async () => {
        await app.ctx.db.transaction().execute(async (trx) => {
          for (let n = 0; n < 7; n += 1) await queue.senderFor(trx).send(job, { n });
        });
        for (let looks = 0; looks < 1500 && (await done()) < 7; looks += 1) await sleep(20);
        assert.equal(await done(), 7);
      },
      (text) => asked.push(text),
    );
    const taking = asked.filter((text) => /set\s+state = 'active'/i.test(text));
    const ending = asked.filter((text) => /completed_on = pgboss/i.test(text));
    // What the transaction tells, and a look for what nobody told that may come just then.
    assert.ok(taking.length <= 3, `${taking.length} times taken`);
    assert.ok(ending.length >= 1 && ending.length <= 7, `${ending.length} times written down`);
  });

  describe('that is ended by the statement of its act', () => {
    const touched = { as: 'touched', query: sql`update clock_mark set seen = seen returning 1`, rows: 1 };
    const stateOf = async (name: string) => {
      const { rows } = await sql<{ state: string; tries: number }>`
        select state::text, retry_count as tries from pgboss.job where name = ${name}`.execute(app.ctx.db);
      return rows;
    };

    it('is done with it, whatever comes of its program then, and is not written down once more', async () => {
      const within = Promise.withResolvers<unknown>();
      const job = defineJob<object>({
        name: 'ended-within',
        async run(ctx, _data, end) {
          await writeAtOnce(ctx.db, [touched, ...((await end?.()) ?? [])]);
          within.resolve(await stateOf('ended-within'));
          throw new Error('what is done has not failed');
        },
      });
      const queue = await openQueue([job], true);
      const asked: string[] = [];
      await committedDuring(
        async () => {
          await queue.work(app.ctx);
          await queue.senderFor(app.ctx.db).send(job, {});
          assert.deepEqual(await within.promise, [{ state: 'completed', tries: 0 }]);
          await queue.stop();
        },
        (text) => asked.push(text),
      );
      assert.equal(asked.filter((text) => /completed_on = pgboss/i.test(text)).length, 1);
      assert.deepEqual(await stateOf('ended-within'), [{ state: 'completed', tries: 0 }]);
    });

    it('runs again when that was refused, and is ended as any other when its act was none', async () => {
      let runs = 0;
      const job = defineJob<object>({
        name: 'ended-later',
        async run(ctx, _data, end) {
          runs += 1;
          if (runs > 1) return;
          const none = { as: 'none', query: sql`update clock_mark set seen = seen where false returning 1`, rows: 1 };
          await writeAtOnce(ctx.db, [none, ...((await end?.()) ?? [])]);
        },
      });
      const queue = await openQueue([job], true);
      await queue.work(app.ctx);
      await queue.senderFor(app.ctx.db).send(job, {});
      await until(() => runs === 2);
      await queue.stop();
      assert.deepEqual(await stateOf('ended-later'), [{ state: 'completed', tries: 1 }]);
    });

    it('leaves it to the run that has it by then, and its act stands', async () => {
      const acted = Promise.withResolvers<unknown>();
      const job = defineJob<object>({
        name: 'ended-elsewhere',
        async run(ctx, _data, end) {
          // Its heartbeat was not seen, and another program has taken it.
          await sql`update pgboss.job set retry_count = retry_count + 1 where name = 'ended-elsewhere'`.execute(ctx.db);
          await writeAtOnce(ctx.db, [touched, ...((await end?.()) ?? [])]).then(acted.resolve, acted.reject);
        },
      });
      const queue = await openQueue([job], true);
      await queue.work(app.ctx);
      await queue.senderFor(app.ctx.db).send(job, {});
      await acted.promise;
      await queue.stop();
      assert.deepEqual(await stateOf('ended-elsewhere'), [{ state: 'active', tries: 1 }]);
    });
  });

  describe('that is sent in the statement of an act', () => {
    const rowsOf = async (name: string) => {
      const { rows } = await sql<{ state: string; tries: number; alive: boolean }>`
        select state::text, retry_count as tries, coalesce(heartbeat_on + heartbeat_seconds * interval '1 second' > now(), false) as alive
        from pgboss.job where name = ${name}`.execute(app.ctx.db);
      return rows;
    };
    const noPart = { as: 'none', query: sql`update clock_mark set seen = seen where false returning 1`, rows: 1 };

    it('is taken with it where its program has a place, and begun by nobody where that is refused; failed, it is tried again', async () => {
      const seen: unknown[] = [];
      const job = defineJob<{ n: number }>({
        name: 'sent-taken',
        async run(_ctx, { n }) {
          seen.push(n, ...(await rowsOf('sent-taken')));
          if (seen.length === 2) throw new Error('once more');
        },
      });
      const queue = await openQueue([job], true);
      const sender = queue.senderFor(app.ctx.db);
      await queue.work(app.ctx);
      // It looks once by itself when it begins to listen.
      await sleep(500);
      const asked: string[] = [];
      await committedDuring(
        async () => {
          await assert.rejects(async () => writeAtOnce(app.ctx.db, [...(await sender.written(job, { n: 1 })), noPart]));
          await writeAtOnce(app.ctx.db, await sender.written(job, { n: 2 }));
          await until(() => seen.length === 2);
        },
        (text) => asked.push(text),
      );
      assert.deepEqual(seen, [2, { state: 'active', tries: 0, alive: true }]);
      // Nobody was told, nobody asked.
      assert.deepEqual(
        asked.filter((text) => /set\s+state = 'active'|pg_notify/i.test(text) && !/__pgboss__/.test(text)),
        [],
      );
      await until(() => seen.length === 4, 20);
      await queue.stop();
      const [{ state, tries } = { state: '', tries: 0 }] = await rowsOf('sent-taken');
      assert.deepEqual([seen[2], state, tries], [2, 'completed', 1]);
    });

    it('waits where others that were sent at the same time have taken the places by then', async () => {
      let [running, most, ran] = [0, 0, 0];
      const isFull = Promise.withResolvers<void>();
      const job = defineJob<object>({
        name: 'sent-at-once',
        async run() {
          most = Math.max(most, (running += 1));
          if (most >= 8) isFull.resolve();
          await isFull.promise;
          await sleep(50);
          [running, ran] = [running - 1, ran + 1];
        },
      });
      const queue = await openQueue([job], true);
      await queue.work(app.ctx);
      const sender = queue.senderFor(app.ctx.db);
      await Promise.all(Array.from({ length: 30 }, async () => writeAtOnce(app.ctx.db, await sender.written(job, {}))));
      await until(() => ran >= 30);
      await queue.stop();
      assert.deepEqual([most, ran], [8, 30]);
      assert.deepEqual(new Set((await rowsOf('sent-at-once')).map(({ state, tries }) => `${state} ${tries}`)), new Set(['completed 0']));
    });

    it('waits for another program, and uses up no try, where its own has ended meanwhile', async () => {
      let ran = 0;
      const job = defineJob<object>({ name: 'sent-ending', run: async () => void (ran += 1) });
      const queue = await openQueue([job], true);
      await queue.work(app.ctx);
      const parts = await queue.senderFor(app.ctx.db).written(job, {});
      const slow = { as: 'slow', query: sql`select 1 from pg_sleep(0.5)`, isRead: true } as const;
      await Promise.all([writeAtOnce(app.ctx.db, [slow, ...parts]), queue.stop()]);
      const state = async () => (await rowsOf('sent-ending')).map((row) => `${row.state} ${row.tries}`).join();
      for (let looks = 0; looks < 500 && (await state()) !== 'created 0'; looks += 1) await sleep(20);
      assert.equal(await state(), 'created 0');
      const next = await openQueue([job], true);
      await next.work(app.ctx);
      await until(() => ran === 1);
      await next.stop();
      assert.equal(await state(), 'completed 0');
    });

    it('is taken with it where it takes turns too, so many of one turn at once by all programs, and once while its key is held', async () => {
      const running = new Map<string, number>();
      let [most, ran] = [0, 0];
      const isOver = Promise.withResolvers<void>();
      const job = defineJob<{ of: string }>({
        name: 'sent-in-turns',
        inTurns: true,
        exclusive: true,
        async run(_ctx, { of }) {
          running.set(of, (running.get(of) ?? 0) + 1);
          most = Math.max(most, running.get(of) ?? 0);
          await isOver.promise;
          running.set(of, (running.get(of) ?? 0) - 1);
          ran += 1;
        },
      });
      const [one, other] = [await openQueue([job], true), await openQueue([job], true)];
      for (const queue of [one, other]) await queue.work(app.ctx);
      await sleep(500);
      const send = async (queue: JobQueue, of: string, key: string) =>
        writeAtOnce(app.ctx.db, await queue.senderFor(app.ctx.db).written(job, { of }, { turn: of, key }));
      const asked: string[] = [];
      await committedDuring(
        async () => {
          for (const n of [1, 1, 2]) await send(one, 'eva', `eva ${n}`);
          await send(other, 'eva', 'eva 3');
        },
        (text) => asked.push(text),
      );
      // Nobody asked, but for the clock's own: each was taken as it was sent, and the second under a key is the first.
      assert.deepEqual(
        [running.get('eva'), asked.filter((text) => /set\s+state = 'active'/i.test(text) && !/__pgboss__/.test(text))],
        [3, []],
      );
      await send(other, 'ana', 'ana 1');
      assert.equal(running.get('ana'), 1);
      for (let n = 4; n < 10; n += 1) await send(n % 2 ? one : other, 'eva', `eva ${n}`);
      await sleep(500);
      assert.deepEqual([running.get('eva'), most], [3, 3]);
      // Something of the kind waits: nothing is taken before it.
      const last = JSON.stringify(
        (await sql`select state from pgboss.job where name = 'sent-in-turns' order by state`.execute(app.ctx.db)).rows,
      );
      assert.equal(last.match(/created/g)?.length, 6);
      isOver.resolve();
      await until(() => ran === 10, 20);
      for (const queue of [one, other]) await queue.stop();
      assert.deepEqual(
        [most, new Set((await rowsOf('sent-in-turns')).map(({ state, tries }) => `${state} ${tries}`))],
        [3, new Set(['completed 0'])],
      );
    });

    it('of one turn, sent at the same time, runs so many at once', async () => {
      let [running, most, ran] = [0, 0, 0];
      const all = Promise.withResolvers<void>();
      const job = defineJob<object>({
        name: 'sent-turns-at-once',
        inTurns: true,
        async run() {
          most = Math.max(most, (running += 1));
          if (running === 3) all.resolve();
          await all.promise;
          await sleep(50);
          [running, ran] = [running - 1, ran + 1];
        },
      });
      const queue = await openQueue([job], true);
      await queue.work(app.ctx);
      const sender = queue.senderFor(app.ctx.db);
      await Promise.all(Array.from({ length: 20 }, async () => writeAtOnce(app.ctx.db, await sender.written(job, {}, { turn: 'eva' }))));
      await until(() => ran >= 20, 20);
      await queue.stop();
      assert.deepEqual([most, ran], [3, 20]);
      assert.deepEqual(
        new Set((await rowsOf('sent-turns-at-once')).map(({ state, tries }) => `${state} ${tries}`)),
        new Set(['completed 0']),
      );
    });

    it('is begun as soon as one of its turn has ended, also one that ended while it was asked for', async () => {
      let [running, ran] = [0, 0];
      const [areOver, isAsked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const job = defineJob<object>({
        name: 'sent-behind',
        inTurns: true,
        async run() {
          running += 1;
          await areOver.promise;
          [running, ran] = [running - 1, ran + 1];
        },
      });
      const queue = await openQueue([job], true);
      await queue.work(app.ctx);
      await sleep(500);
      const send = async () => writeAtOnce(app.ctx.db, await queue.senderFor(app.ctx.db).written(job, {}, { turn: 'eva' }));
      for (let n = 0; n < 3; n += 1) await send();
      assert.equal(running, 3);
      const answerLater = async (answer: () => void) => {
        isAsked.resolve();
        await until(() => ran === 3);
        // Written down too.
        await sleep(100);
        answer();
      };
      // Nobody looks by the clock meanwhile.
      const looks: (() => void)[] = [];
      const undo = heldAnswers((text) => {
        if (/select line as name/.test(text)) return (answer) => looks.push(answer);
        return running === 3 && /name = 'sent-behind'[^]*set\s+state = 'active'/i.test(text) ? answerLater : null;
      });
      try {
        // As another program sends it, which knows of nobody who will look.
        await queue.senderFor(app.ctx.db).send(job, {}, { turn: 'eva' });
        await isAsked.promise;
        areOver.resolve();
        await until(() => ran === 4);
      } finally {
        undo();
        for (const answer of looks) answer();
      }
    });

    it('behind others of its turn that run here is asked for once, when one of them ends, also one that ended while it was being sent; of another turn, at once', async () => {
      const running = new Map<string, () => void>();
      const job = defineJob<{ is: string }>({
        name: 'sent-silently',
        inTurns: true,
        run: (_, { is }) => new Promise((end) => running.set(is, end)),
      });
      const queue = await openQueue([job], true);
      await queue.work(app.ctx);
      await sleep(500);
      const send = async (is: string, turn = 'eva') =>
        writeAtOnce(app.ctx.db, await queue.senderFor(app.ctx.db).written(job, { is }, { turn }));
      const begun = (is: string) => until(() => running.has(is));
      for (const is of ['1', '2', '3']) await send(is);
      await begun('3');
      // Nobody looks by the clock meanwhile.
      const looks: (() => void)[] = [];
      let asked = 0;
      const undo = heldAnswers((text) => {
        if (/select line as name/.test(text)) return (answer) => looks.push(answer);
        if (/name = 'sent-silently'[^]*set\s+state = 'active'/i.test(text)) asked += 1;
        return null;
      });
      /** Nothing has been asked for a while. */
      const quiet = async () => {
        for (let [seen, since] = [asked, 0]; since < 300; since = asked === seen ? since + 20 : 0) {
          seen = asked;
          await sleep(20);
        }
      };
      const ended = async (is: string) => {
        running.get(is)?.();
        await quiet();
      };
      try {
        const answers: (() => void)[] = [];
        const writes = await queue.senderFor(app.ctx.db).written(job, { is: '4' }, { turn: 'eva' });
        // One ends when the statement is written and its sender does not know.
        const heldBack = writes.map(({ onWritten, ...one }) =>
          onWritten ? { ...one, onWritten: (rows: number) => void answers.push(() => onWritten(rows)) } : one,
        );
        await writeAtOnce(app.ctx.db, heldBack);
        await ended('1');
        assert.deepEqual([asked, running.has('4')], [0, false]);
        for (const answer of answers) answer();
        await begun('4');
        await quiet();
        const before = asked;
        await send('5');
        await quiet();
        assert.equal(asked, before);
        await ended('2');
        await begun('5');
        await send('6');
        await ended('3');
        await begun('6');
        assert.equal(asked, before + 2);
        await send('of ida', 'ida');
        await begun('of ida');
      } finally {
        undo();
        for (const answer of looks) answer();
        for (const end of running.values()) end();
      }
    });

    it('of a turn that two programs hold together is begun as soon as one of either has ended', async () => {
      const running: { is: string; end: () => void }[] = [];
      const job = defineJob<{ is: string }>({
        name: 'sent-beside',
        inTurns: true,
        run: (_, { is }) => new Promise((end) => running.push({ is, end })),
      });
      const [here, there] = [await openQueue([job], true), await openQueue([job], true)];
      for (const queue of [here, there]) await queue.work(app.ctx);
      await sleep(500);
      // Nobody looks by the clock meanwhile.
      const looks: (() => void)[] = [];
      const undo = heldAnswers((text) => (/select line as name/.test(text) ? (answer) => looks.push(answer) : null));
      const send = async (by: JobQueue, is: string) =>
        writeAtOnce(app.ctx.db, await by.senderFor(app.ctx.db).written(job, { is }, { turn: 'eva' }));
      const begun = async (count: number) => {
        await until(() => running.length === count);
        // Whoever was told of the next looks before anything ends.
        await sleep(100);
      };
      try {
        await send(here, 'here');
        await send(here, 'here');
        await send(there, 'there');
        await begun(3);
        for (const [index, by] of [here, there, here, there].entries()) {
          await send(by, 'next');
          await begun(3 + index);
          running[index]?.end();
          await begun(4 + index);
        }
      } finally {
        undo();
        for (const answer of looks) answer();
        for (const { end } of running) end();
      }
    });

    it('waits where all places are taken, and in a transaction', async () => {
      let [running, most, ran] = [0, 0, 0];
      const isOver = Promise.withResolvers<void>();
      const defined = (name: string) =>
        defineJob<object>({
          name,
          async run() {
            most = Math.max(most, (running += 1));
            await isOver.promise;
            [running, ran] = [running - 1, ran + 1];
          },
        });
      const [many, within] = [defined('sent-many'), defined('sent-within')];
      const queue = await openQueue([many, within], true);
      await queue.work(app.ctx);
      const sender = queue.senderFor(app.ctx.db);
      for (let n = 0; n < 10; n += 1) await writeAtOnce(app.ctx.db, await sender.written(many, {}));
      assert.deepEqual([running, most], [8, 8]);
      const texts: string[] = [];
      const send = async (db: typeof app.ctx.db, job: typeof many) => {
        for (const { query } of await queue.senderFor(db).written(job, {})) texts.push((query as RawBuilder<unknown>).compile(db).sql);
      };
      await send(app.ctx.db, many);
      await app.ctx.db.transaction().execute((trx) => send(trx, within));
      assert.deepEqual(
        texts.filter((text) => /'active'/.test(text)),
        [],
      );
      isOver.resolve();
      await until(() => ran === 10);
      await queue.stop();
    });
  });

  it('of one account does not wait behind the many of another', async () => {
    const ran: string[] = [];
    const isOver = Promise.withResolvers<void>();
    const job = defineJob<{ of: string }>({
      name: 'in-turns',
      inTurns: true,
      async run(_ctx, { of }) {
        if (of === 'eva') await isOver.promise;
        ran.push(of);
      },
    });
    const queue = await openQueue([job], true);
    await queue.work(app.ctx);
    const send = (of: string) => queue.senderFor(app.ctx.db).send(job, { of }, { turn: of });
    for (let n = 0; n < 20; n += 1) await send('eva');
    await sleep(3000);
    await send('ana');
    await until(() => ran.includes('ana'));
    isOver.resolve();
    await until(() => ran.length === 21, 30);
  });

  it('is tried again, and tells once when it is given up', async () => {
    const tries: number[] = [];
    const givenUp: string[] = [];
    const job = defineJob<{ id: string }>({
      name: 'hopeless',
      retryLimit: 1,
      async run() {
        tries.push(tries.length + 1);
        throw new Error('no luck');
      },
      async onGivenUp(_ctx, { id }, error) {
        givenUp.push(`${id}: ${(error as Error).message}`);
      },
    });
    const queue = await openQueue([job], true);
    await queue.work(app.ctx);
    await queue.senderFor(app.ctx.db).send(job, { id: 'a' });
    await until(() => givenUp.length > 0, 20);
    await sleep(1500);
    assert.deepEqual(tries, [1, 2]);
    assert.deepEqual(givenUp, ['a: no luck']);
  });

  it('that lost its database waits for it and runs again within the same try', async () => {
    let runs = 0;
    const givenUp: unknown[] = [];
    const job = defineJob<{ id: string }>({
      name: 'cut-off',
      retryLimit: 0,
      run: (ctx) =>
        ctx.transaction(async (tx) => {
          runs += 1;
          if (runs < 3) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx.db);
          await sql`select 1`.execute(tx.db);
        }),
      onGivenUp: async (_ctx, _data, error) => void givenUp.push(error),
    });
    const queue = await openQueue([job], true);
    await queue.work(app.ctx);
    await queue.senderFor(app.ctx.db).send(job, { id: 'c' });
    await until(() => runs === 3, 20);
    const standing = async () =>
      (await sql<{ state: string }>`select state from pgboss.job where name = 'cut-off'`.execute(app.ctx.db)).rows;
    for (let looks = 0; looks < 500 && (await standing())[0]?.state === 'active'; looks += 1) await sleep(20);
    const rows = await standing();
    assert.deepEqual([rows, givenUp], [[{ state: 'completed' }], []]);
  });

  it(
    'that cannot be asked for while the database is away is told with the outage, not once for each that asks',
    { timeout: 60_000 },
    async () => {
      const { host, port, user = '', database = '', password } = new pg.Client(app.connection);
      const sockets = new Set<Socket>();
      const line = createServer((from) => {
        const to = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
        for (const socket of [from, to]) sockets.add(socket.on('error', () => {}));
        from.pipe(to).pipe(from);
      });
      await once(line.listen(0, '127.0.0.1'), 'listening');
      const told = { outages: 0, lines: [] as string[] };
      const watched = pino({ level: 'error' }, { write: (text: string) => void told.lines.push(text) });
      const outage = { away: () => (told.outages += 1), answered() {} };
      const behind = { host: '127.0.0.1', port: (line.address() as AddressInfo).port, user, database, password: password ?? '' };
      const job = defineJob<{ id: string }>({ name: 'unasked', run: () => Promise.resolve() });
      const queue = await openJobQueue(behind, [job], watched, { background: true, outage });
      try {
        await queue.work(app.ctx);
        line.close();
        for (const socket of sockets) socket.destroy();
        await until(() => told.outages > 5);
        await sleep(3000);
        assert.deepEqual(told.lines, []);
      } finally {
        await queue.stop().catch(() => {});
      }
    },
  );

  it('that is not done when its program ends is handed back: it has not failed, and uses up no try', async () => {
    const said: string[] = [];
    const watched = pino({ level: 'warn' }, { write: (text: string) => void said.push(text) });
    const events: string[] = [];
    const { promise: cut, reject: breakOff } = Promise.withResolvers<never>();
    const others = {
      retryLimit: 0,
      onGivenUp: (_ctx: unknown, { id }: { id: string }) => Promise.resolve(void events.push(`given up ${id}`)),
    };
    const ending = (name: string, run: () => Promise<void>) =>
      defineJob<{ id: string }>({ ...others, name, run: (_ctx, { id }) => (events.push(`began ${id}`), run()) });
    // One hangs for longer than its program may take, one breaks because what it works with is being closed.
    const first = [ending('hanging', () => new Promise(() => {})), ending('breaking', () => cut)];
    const queue = await openJobQueue(app.connection, first, log, { background: false });
    const ctx = { ...app.ctx, log: watched };
    await queue.work(ctx);
    const [hanging, breaking] = first;
    assert.ok(hanging && breaking);
    await queue.senderFor(app.ctx.db).send(hanging, { id: 'a' });
    await queue.senderFor(app.ctx.db).send(breaking, { id: 'b' });
    await until(() => events.length === 2);
    const stopping = queue.stop();
    breakOff(new Error('the pool was ended'));
    await stopping;
    assert.deepEqual(said, []);
    const then = ['hanging', 'breaking'].map((name) =>
      defineJob<{ id: string }>({ ...others, name, run: (_ctx, { id }) => Promise.resolve(void events.push(`ran ${id}`)) }),
    );
    await (await openQueue(then)).work(app.ctx);
    await until(() => events.length === 4);
    assert.deepEqual(events.toSorted(), ['began a', 'began b', 'ran a', 'ran b']);
    const { rows } = await sql`select state::text, retry_count as tries from pgboss.job where name in ('hanging', 'breaking')`.execute(
      app.ctx.db,
    );
    assert.ok(rows.every((row) => (row as { tries: number }).tries === 0));
  });

  it('is begun by no program that ends, also where what that was sending is not answered', async () => {
    const ran: string[] = [];
    const sweep = defineJob<object>({ name: 'unanswered', isEachMinute: true, run: async () => {} });
    const other = defineJob<object>({ name: 'too-late', run: async () => void ran.push('too late') });
    const ending = await openQueue([sweep, other]);
    let answerLater: (() => void) | null = null;
    const letGo = heldAnswers((text) => (/insert into pgboss/i.test(text) ? (answer) => void (answerLater = answer) : null));
    await ending.work(app.ctx);
    await until(() => answerLater !== null).finally(letGo);
    const stopping = ending.stop();
    await (await openQueue([other])).senderFor(app.ctx.db).send(other, {});
    await sleep(500);
    (answerLater as (() => void) | null)?.();
    await stopping;
    assert.deepEqual(ran, []);
  });

  it('that is taken in the moment that its program ends is begun by another, in the same try', async () => {
    const began: string[] = [];
    const jobOf = (program: string) => defineJob<object>({ name: 'late', run: async () => void began.push(program) });
    const ending = await openQueue([jobOf('the one that ends')]);
    let answerLater = (): void => {};
    const letGo = heldAnswers((text) =>
      /name = 'late'[^]*set\s+state = 'active'/i.test(text) ? (answer) => void (answerLater = answer) : null,
    );
    try {
      await ending.senderFor(app.ctx.db).send(jobOf('nobody'), {});
      const isTaken = sql`select from pgboss.job where name = 'late' and state = 'active'`;
      await ending.work(app.ctx);
      for (let looks = 0; looks < 500 && (await isTaken.execute(app.ctx.db)).rows.length === 0; looks += 1) await sleep(20);
    } finally {
      letGo();
    }
    const stopping = ending.stop();
    answerLater();
    await stopping;
    await (await openQueue([jobOf('the one after it')])).work(app.ctx);
    await until(() => began.length > 0);
    const { rows } = await sql`select retry_count as tries from pgboss.job where name = 'late'`.execute(app.ctx.db);
    assert.deepEqual([began, rows], [['the one after it'], [{ tries: 0 }]]);
  });

  it('is taken over, and told about, when its program was killed during the last try', { timeout: 60_000 }, async () => {
    const givenUp: string[] = [];
    const job = defineJob<{ id: string }>({
      name: 'killed',
      retryLimit: 0,
      run: () => Promise.reject(new Error('only the other program runs it')),
      async onGivenUp(_ctx, { id }) {
        givenUp.push(id);
      },
    });
    const queue = await openQueue([job]);
    await queue.senderFor(app.ctx.db).send(job, { id: 'b' });
    const script = `const { openJobQueue } = await import(${JSON.stringify(queueModule)});
      const job = { name: 'killed', retryLimit: 0, onGivenUp() {}, async run() { console.log('taken'); await new Promise(() => {}); } };
      const queue = await openJobQueue(${JSON.stringify(app.connection)}, [job], { error() {}, warn() {} }, { background: false });
      await queue.work({ tracer: { begin: () => null } });`;
    const program = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(program.stdout, 'data');
    program.kill('SIGKILL');
    const successor = await openQueue([job], true);
    await successor.work(app.ctx);
    await until(() => givenUp.length > 0, 40);
    assert.deepEqual(givenUp, ['b']);
  });
});
