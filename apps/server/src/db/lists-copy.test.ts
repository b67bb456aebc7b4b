import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@lavra/api';
import { sql } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { StartFault } from '../start-fault.ts';
import { signedInAccount, type TestAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { startedProcess } from '../testing/processes.ts';
import { startSystemPostgres, type SystemPostgres, systemPostgresBinaries } from '../testing/system-postgres.ts';

const isHere = systemPostgresBinaries() !== undefined;

describe(
  'lists read from a copy of the database',
  { skip: isHere ? false : 'no PostgreSQL of the system here', concurrency: false },
  () => {
    let postgres: SystemPostgres;
    let copy: SystemPostgres;
    let app: TestApp;
    let ana: TestAccount;
    const said: Record<string, unknown>[] = [];

    async function run(url: string, ...statements: string[]): Promise<unknown[]> {
      const client = new pg.Client(url);
      await client.connect();
      let rows: unknown[] = [];
      for (const statement of statements) ({ rows } = await client.query(statement));
      await client.end();
      return rows;
    }

    const at = ({ url }: SystemPostgres, database: string, user?: string) =>
      Object.assign(new URL(url), { pathname: `/${database}`, ...(user ? { username: user } : {}) }).href;

    async function titles(): Promise<string[]> {
      const { status, body } = await app.call(api.getProcessesInfos, { token: ana.token, query: { size: 100 } });
      assert.equal(status, 200);
      return body.signatureProcesses.map(({ title }) => title);
    }

    async function readFrom(): Promise<Record<string, number>> {
      const found = (await app.ctx.metrics.text()).matchAll(/^lavra_lists_read\{from="(\w+)"\} (\d+)/gm);
      return Object.fromEntries([...found].map(([, from = '', count]) => [from, Number(count)]));
    }

    const health = async () => {
      const answer = await app.inject('/management/health/readiness');
      return answer.json<{ components: Record<string, object> }>().components['listsCopy'];
    };

    const isDegraded = (state: object | undefined) => (state as { status?: string } | undefined)?.status === 'DEGRADED';

    before(async () => {
      postgres = await startSystemPostgres();
      const password = new URL(postgres.url).password;
      await run(
        postgres.url,
        'create database house',
        'create database other',
        `create role reader login password '${password}' in role pg_read_all_data`,
      );
      copy = await postgres.startCopy();
      app = await startTestApp({
        connection: { connectionString: at(postgres, 'house') },
        // A role that may read and nothing else: whatever a list wrote would be refused.
        config: { databaseListsUrl: at(copy, 'house', 'reader') },
        log: pino({ level: 'info' }, { write: (line: string) => said.push(JSON.parse(line)) }),
      });
      ana = await signedInAccount(app);
    });
    after(async () => {
      await app?.close();
      copy?.stop();
      postgres?.stop();
    });
    beforeEach(() => said.splice(0));

    it('show every act that was acknowledged before they were asked for', async () => {
      const before = await readFrom();
      for (let number = 1; number <= 12; number += 1) {
        const { id } = await startedProcess(app, ana);
        await app.ctx.db
          .updateTable('signature_process')
          .set({ title: `Nº ${number}` })
          .where('id', '=', id)
          .execute();
        assert.equal((await titles()).filter((title) => title.startsWith('Nº ')).length, number);
      }
      const now = await readFrom();
      assert.ok((now['copy'] ?? 0) > (before['copy'] ?? 0), JSON.stringify(now));
    });

    it('are read from the database itself while the copy is behind, and that is told', async () => {
      await run(at(copy, 'house'), 'select pg_wal_replay_pause()');
      const before = await readFrom();
      const { id } = await startedProcess(app, ana);
      await app.ctx.db.updateTable('signature_process').set({ title: 'Depois da pausa' }).where('id', '=', id).execute();
      assert.ok((await titles()).includes('Depois da pausa'));
      assert.equal((await readFrom())['copy'], before['copy']);
      assert.ok(said.some(({ reason, msg }) => reason === 'behind' && msg === 'lists are not read from their copy'));
      for (const end = performance.now() + 20_000; performance.now() < end && !isDegraded(await health());) await sleep(100);
      assert.deepEqual(await health(), { status: 'DEGRADED', reason: 'copyBehind' });
      await run(at(copy, 'house'), 'select pg_wal_replay_resume()');
      await untilReadFromCopy();
    });

    it('are read from the database itself while the copy is away', async () => {
      copy.halt('fast');
      const count = (await titles()).length;
      assert.ok(count > 0);
      assert.ok(said.some(({ reason }) => reason === 'away'));
      copy.resume();
      await untilReadFromCopy();
      assert.equal((await titles()).length, count);
    });

    it('begin at the database where the copy was cut off for what the database cleans away', async () => {
      const before = await readFrom();
      const read = await app.ctx.lists(async ({ db }) => {
        const { rows } = await sql<{ isCopy: boolean }>`select pg_is_in_recovery() as "isCopy"`.execute(db);
        if (rows[0]?.isCopy) throw Object.assign(new Error('canceling statement due to conflict with recovery'), { code: '40001' });
        return 'from the database';
      });
      assert.equal(read, 'from the database');
      assert.equal((await readFrom())['database'], (before['database'] ?? 0) + 1);
    });

    it('have no other database, and no server that is no copy, taken for one', async () => {
      for (const url of [at(copy, 'other'), at(postgres, 'house')])
        await assert.rejects(
          startTestApp({ connection: { connectionString: at(postgres, 'house') }, config: { databaseListsUrl: url } }),
          (error) => error instanceof StartFault && error.variable === 'DATABASE_LISTS_URL',
        );
    });

    async function untilReadFromCopy(): Promise<void> {
      const before = (await readFrom())['copy'];
      for (const end = performance.now() + 60_000; performance.now() < end; await sleep(200)) {
        await titles();
        if ((await readFrom())['copy'] !== before) return;
      }
      assert.fail('a minute without the copy');
    }
  },
);
