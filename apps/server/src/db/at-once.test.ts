import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { type Write, writeAtOnce } from './at-once.ts';
import { type DatabaseClient, openDatabase } from './client.ts';
import type { Database } from './tables.ts';

/** As PostgreSQL says it in other languages (its own translations); the embedded one speaks English alone. */
const languages = {
  English: (word: string) => `invalid input syntax for type integer: "${word}"`,
  Spanish: (word: string) => `la sintaxis de entrada no es válida para tipo integer: «${word}»`,
  German: (word: string) => `ungültige Eingabesyntax für Typ integer: »${word}«`,
  Portuguese: (word: string) => `sintaxe de entrada é inválida para tipo integer: "${word}"`,
};

describe('writing at once', () => {
  let database: TestDatabase;
  let client: DatabaseClient;
  let db: Kysely<Database>;
  before(async () => {
    database = await createTestDatabase();
    client = openDatabase(database.connection, { away: () => {}, answered: () => {} });
    db = client.db;
    await sql`create table box (id int primary key)`.execute(db);
  });
  after(async () => {
    await client.close();
    await database.drop();
  });

  async function speaking<T>(told: (word: string) => string, act: () => Promise<T>): Promise<T> {
    const { query } = pg.Client.prototype;
    const translated = (error: unknown) => {
      const [, word = ''] = /^invalid input syntax for type integer: "(.*)"$/.exec((error as Error | null)?.message ?? '') ?? [];
      return word === '' ? error : Object.assign(error as Error, { message: told(word) });
    };
    pg.Client.prototype.query = async function translating(this: pg.Client, ...given: unknown[]): Promise<unknown> {
      const [asked] = given as [{ callback?: (error: unknown, answer?: unknown) => void } | undefined];
      const callback = asked?.callback;
      if (asked && callback) asked.callback = (error, answer) => callback(translated(error), answer);
      try {
        return (await Reflect.apply(query, this, given)) as unknown;
      } catch (error) {
        throw translated(error);
      }
    } as typeof query;
    try {
      return await act();
    } finally {
      pg.Client.prototype.query = query;
    }
  }

  const kept = async () => (await sql<{ id: number }>`select id from box order by id`.execute(db)).rows.map(({ id }) => id);
  const boxed = (as: string, id: number, rows: number, otherwise?: () => Error): Write => ({
    as,
    rows,
    query: sql`insert into box (id) values (${id}) on conflict do nothing returning id`,
    ...(otherwise && { otherwise }),
  });

  it('leaves a transaction that it is refused in as it was before', async () => {
    await db.transaction().execute(async (tx) => {
      await writeAtOnce(tx, [boxed('kept', 71, 1)]);
      await assert.rejects(writeAtOnce(tx, [boxed('one', 72, 1), boxed('none', 71, 1, () => new Error('there already'))]), /there already/);
      await writeAtOnce(tx, [boxed('again', 73, 1)]);
    });
    assert.deepEqual(await kept(), [71, 73]);
    await sql`delete from box`.execute(db);
  });

  for (const [language, told] of Object.entries(languages)) {
    it(`is refused as a whole with what the first wrong part has for that, where the database speaks ${language}`, async () => {
      const [first, second] = [new Error('first'), new Error('second')];
      const parts = [boxed('box', 1, 1), boxed('box of many', 2, 0, () => first), boxed('box of', 3, 0, () => second)];
      await speaking(told, () => assert.rejects(writeAtOnce(db, parts), first));
      assert.deepEqual(await kept(), []);
    });
  }

  it('tells what is no refusal as what it is', async () => {
    const other = { as: 'other', query: sql`select cast(${'refused:box'} as int)`, rows: 1, otherwise: () => new Error('refused') };
    await assert.rejects(writeAtOnce(db, [boxed('box', 1, 1, () => new Error('refused')), other]), { code: '22P02' });
    assert.deepEqual(await kept(), []);
  });
});
