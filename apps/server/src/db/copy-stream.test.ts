import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { copyIn, copyOut } from './copy-stream.ts';

describe('COPY over a connection', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let other: pg.Client;
  before(async () => {
    database = await createTestDatabase();
    [client, other] = [new pg.Client(database.connection), new pg.Client(database.connection)];
    await Promise.all([client.connect(), other.connect()]);
    await client.query('create table given (id int primary key, bytes bytea not null); create table taken (like given including all)');
    // From a byte to 700 kB, so that rows end anywhere in what one read brings.
    await client.query(
      `insert into given select g, decode(repeat(md5(g::text), 1 + (g * 7919) % (case when g % 10 = 0 then 22000 else 900 end)), 'hex')
       from generate_series(1, 400) g`,
    );
  });
  after(async () => {
    await Promise.all([client.end(), other.end()]);
    await database.drop();
  });

  async function* slowly(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const held: Uint8Array[] = [];
    for await (const chunk of source) {
      held.push(chunk);
      if (held.length < 40) continue;
      await later();
      yield* held.splice(0);
    }
    yield* held;
  }

  it('brings every row as it is, of any size, however slowly it is taken', async () => {
    await copyIn(other, 'copy taken from stdin', slowly(copyOut(client, 'copy (select * from given order by id) to stdout')));
    const { rows } = await client.query(`select count(*)::int as both from given join taken using (id, bytes)`);
    assert.deepEqual(rows, [{ both: 400 }]);
  });

  it('ends with what the server says against a row, and the connection goes on', async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let id = 1000; id < 400_000; id += 1)
        yield Buffer.from(id === 1003 ? 'no number\t\\\\x00\n' : `${id}\t\\\\x${'00'.repeat(500)}\n`);
    }
    await assert.rejects(copyIn(other, 'copy taken from stdin', endless()), { code: '22P02' });
    const read = async () => {
      for await (const _ of copyOut(other, 'copy (select 1 / (id - 3) from given order by id) to stdout'));
    };
    await assert.rejects(read(), { code: '22012' });
    assert.equal((await other.query('select count(*)::int as count from taken where id >= 1000')).rows[0].count, 0);
  });
});
