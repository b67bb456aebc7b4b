import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../testing/database.ts';
import { askNamed } from './named-statement.ts';

describe('a statement that is asked by its name', () => {
  let client: pg.Client;
  let drop: () => Promise<void>;
  /** What was said on the connection. */
  const heard: string[] = [];
  before(async () => {
    const database = await createTestDatabase();
    ({ drop } = database);
    client = new pg.Client(database.connection);
    await client.connect();
    for (const name of ['parseComplete', 'rowDescription']) client.connection.on(name, () => heard.push(name));
  });
  after(async () => {
    await client.end();
    await drop();
  });

  it('is planned and described once in a connection, and written in one piece', async () => {
    const text = 'select $1::text as word, $2::int as number from generate_series(1, 2)';
    const pieces: number[] = [];
    const { stream } = client.connection;
    const write = stream.write.bind(stream) as (chunk: Uint8Array) => boolean;
    stream.write = (chunk: Uint8Array) => {
      pieces.push(chunk.length);
      return write(chunk);
    };
    heard.length = 0;
    for (const word of ['a', 'ção 🖋', '']) {
      const answer = await askNamed(client, 'twice', text, [word, 7]);
      const row = { word, number: 7 };
      assert.deepEqual(answer, { command: 'SELECT', rowCount: 2, rows: [row, row] });
    }
    stream.write = write;
    assert.deepEqual(heard, ['parseComplete', 'rowDescription']);
    assert.equal(pieces.length, 3);
  });

  it('answers values of every kind as the driver does', async () => {
    const text = `select $1::timestamptz as at, $2::bytea as bytes, $3::text[] as words, $4::jsonb as facts, $5::bool as yes, $6::text as none,
      $7::date as day, $8::float8 as part, $9::int[] as numbers, $10::uuid as id`;
    const values = [
      new Date('2026-11-25T20:00:00.123Z'),
      new Uint8Array([0, 255, 7]),
      ['a"b', 'ç\\', null],
      { a: [1, 'é'] },
      true,
      null,
      '2027-04-21',
      0.25,
      [1, 2],
      '01234567-89ab-cdef-0123-456789abcdef',
    ];
    const { rows } = await client.query<Record<string, unknown>>(text, values);
    for (let round = 0; round < 2; round += 1) assert.deepEqual((await askNamed(client, 'kinds', text, values)).rows, rows);
  });

  it('tells how many rows it wrote, with none to answer', async () => {
    await client.query('create temporary table box (id int primary key)');
    for (const id of [1, 2]) {
      const written = await askNamed(client, 'write', 'insert into box values ($1)', [id]);
      assert.deepEqual(written, { command: 'INSERT', rowCount: 1, rows: [] });
    }
  });

  it('is refused by itself: the connection goes on, and so does its name', async () => {
    const text = 'select 1 / $1::int as part';
    await assert.rejects(askNamed(client, 'divide', text, [0]), { code: '22012' });
    assert.deepEqual((await askNamed(client, 'divide', text, [1])).rows, [{ part: 1 }]);
    await assert.rejects(askNamed(client, 'divide', text, [0]), { code: '22012' });
    assert.deepEqual((await askNamed(client, 'divide', text, [1])).rows, [{ part: 1 }]);
    await assert.rejects(askNamed(client, 'wrong', 'select from where $1', [1]), { code: '42601' });
    await assert.rejects(askNamed(client, 'wrong', 'select from where $1', [1]), { code: '42601' });
  });

  it('whose value cannot be written is not sent, and the next one is', async () => {
    const around: Record<string, unknown> = {};
    around['itself'] = around;
    await assert.rejects(askNamed(client, 'around', 'select $1::jsonb as all_of_it', [around]), TypeError);
    assert.deepEqual((await askNamed(client, 'around', 'select $1::jsonb as all_of_it', [{}])).rows, [{ all_of_it: {} }]);
  });

  it('is refused where its answer would have other columns than it was planned with', async () => {
    await client.query('create temporary table grown (id int)');
    const all = 'select * from grown where id >= $1';
    assert.deepEqual((await askNamed(client, 'all', all, [0])).rows, []);
    await client.query('alter table grown add column word text');
    await assert.rejects(askNamed(client, 'all', all, [0]), { code: '0A000' });
  });
});
