import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { startSystemPostgres, systemPostgresBinaries } from '../testing/system-postgres.ts';
import { PLANNED_FOR_MANY } from './plan-once.ts';

describe('a plan of the queue’s', { skip: systemPostgresBinaries() ? false : 'apt-get install postgresql' }, () => {
  it('is not compiled each time that it runs, by a database that can', async () => {
    const postgres = await startSystemPostgres();
    const client = new pg.Client({ connectionString: postgres.url });
    try {
      await client.connect();
      await client.query('create table waiting (place int)');
      const explained = async () => {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>('explain (analyze) select place from waiting order by place limit 1');
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      };
      await client.query(PLANNED_FOR_MANY);
      assert.doesNotMatch(await explained(), /^JIT:/m);
    } finally {
      await client.end();
      postgres.stop();
    }
  });
});
