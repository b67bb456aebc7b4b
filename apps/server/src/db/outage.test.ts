import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { buildApp } from '../http/app.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { DatabaseAwayError } from './database-away.ts';
import { createOutageLog } from './outage-log.ts';

describe('a connection to the database that ends', () => {
  let app: TestApp;
  let other: pg.Client;
  const uncaught: unknown[] = [];
  const remember = (error: unknown) => uncaught.push(error);
  before(async () => {
    app = await startTestApp();
    other = new pg.Client(app.connection);
    await other.connect();
    process.on('uncaughtException', remember);
  });
  after(async () => {
    process.off('uncaughtException', remember);
    await other.end();
    await app.close();
  });

  /** As a restart or an administrator does it: from outside, while the program holds the connection and asks for nothing. */
  async function terminate(tx: TestApp['ctx']): Promise<void> {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db);
    await other.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await sleep(200);
  }

  it('inside a transaction ends that transaction and nothing else', async () => {
    const lost = app.ctx.transaction(async (tx) => {
      await terminate(tx);
      await sql`select 1`.execute(tx.db);
    });
    await assert.rejects(lost, (error) => error instanceof DatabaseAwayError && !error.outcomeUnknown);
    await sql`select 1`.execute(app.ctx.db);
    assert.deepEqual(uncaught, []);
  });

  it('leaves nothing of the transaction behind', async () => {
    const lost = app.ctx.transaction(async (tx) => {
      await sql`create table half_done (n integer)`.execute(tx.db);
      await terminate(tx);
    });
    // The commit was not even sent: that nothing was done is certain.
    await assert.rejects(lost, (error) => error instanceof DatabaseAwayError && !error.outcomeUnknown);
    const { rows } = await sql`select 1 from pg_class where relname = 'half_done'`.execute(app.ctx.db);
    assert.deepEqual(rows, []);
  });

  it('in the middle of a commit is told as an outcome that nobody knows', async () => {
    await sql
      .raw(
        `create table ended (n integer);
         create function end_session() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null; end $$;
         create constraint trigger end_session after insert on ended deferrable initially deferred for each row execute function end_session()`,
      )
      .execute(app.ctx.db);
    const lost = app.ctx.transaction((tx) => sql`insert into ended values (1)`.execute(tx.db));
    await assert.rejects(lost, (error) => error instanceof DatabaseAwayError && error.outcomeUnknown);
  });

  it('is answered with 503, when to come again, and a plain sentence; an unknown outcome with the advice to look first', async () => {
    const server = await buildApp(app.ctx, [
      (routes) => {
        routes.get('/away', () => app.ctx.transaction(async (tx) => (await terminate(tx), sql`select 1`.execute(tx.db))));
        routes.get('/unknown', () => app.ctx.transaction((tx) => sql`insert into ended values (1)`.execute(tx.db)));
      },
    ]);
    const headers = { 'accept-language': 'pt-BR' };
    const away = await server.inject({ url: '/away', headers });
    assert.deepEqual([away.statusCode, away.headers['x-app-error'], away.headers['retry-after']], [503, 'server.databaseAway', '5']);
    assert.match(away.json().detail, /reiniciando.*tente de novo/);
    const unknown = await server.inject({ url: '/unknown', headers });
    assert.deepEqual([unknown.statusCode, unknown.headers['retry-after']], [503, '5']);
    assert.match(unknown.json().detail, /confira antes/);
    await server.close();
  });

  it('is news while the program works, and none once it is ending', () => {
    const told: string[] = [];
    const tell = (_facts: object, sentence: string) => void told.push(sentence);
    const outage = createOutageLog({ error: tell, warn: tell, info: tell } as Pick<Logger, 'error' | 'warn' | 'info'>);
    outage.away(new Error('terminating connection'));
    outage.answered();
    outage.rest();
    outage.away(new Error('terminating connection'));
    assert.deepEqual(told, ['database is away', 'database is back']);
  });

  it('under all of fifty requests at once costs nobody who only reads an answer', async () => {
    const asking = Array.from({ length: 50 }, () => app.inject('/management/info'));
    await other.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    for (const { statusCode } of await Promise.all(asking)) assert.equal(statusCode, 200);
    await sleep(200);
    assert.equal((await app.inject('/management/info')).statusCode, 200);
    assert.deepEqual(uncaught, []);
  });
});
