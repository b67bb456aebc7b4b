import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { keptStatement } from './kept-statement.ts';

describe('a statement that is put together once', () => {
  let app: TestApp;
  before(async () => void (app = await startTestApp()));
  after(() => app.close());

  it('is sent with the values of each time, in the order that they stand in', async () => {
    let built = 0;
    const told = keptStatement((db, given: { name: string; at: Date; twice: string; nothing: string | null }) => {
      built += 1;
      return db.selectNoFrom([
        sql<string>`${given.name}::text`.as('name'),
        sql<Date>`${given.at}::timestamptz`.as('at'),
        sql<string>`${given.twice}::text || ${given.twice}::text`.as('twice'),
        sql<string | null>`${given.nothing}::text`.as('nothing'),
        sql<string>`${'fixed'}::text`.as('fixed'),
      ]);
    });
    for (const [name, twice] of [
      ['Ana', 'a'],
      ['Bia', 'b'],
    ] as const) {
      const at = new Date();
      assert.deepEqual(await told(app.ctx.db, { twice, at, name, nothing: null }), [
        { name, at, twice: twice + twice, nothing: null, fixed: 'fixed' },
      ]);
    }
    assert.equal(built, 1);
  });

  it('belongs to the transaction that it is asked in', async () => {
    const settled = keptStatement((db, given: { zone: string }) =>
      db.selectNoFrom(sql<string>`set_config('TimeZone', ${given.zone}, true)`.as('zone')),
    );
    const shown = keptStatement((db) => db.selectNoFrom(sql<string>`current_setting('TimeZone')`.as('zone')));
    await app.ctx.transaction(async (tx) => {
      await settled(tx.db, { zone: 'America/Noronha' });
      assert.deepEqual(await shown(tx.db, {}), [{ zone: 'America/Noronha' }]);
    });
    assert.notDeepEqual(await shown(app.ctx.db, {}), [{ zone: 'America/Noronha' }]);
  });

  it('refuses to be sent without a value that it names', async () => {
    const told = keptStatement((db, given: { name: string }) => db.selectNoFrom(sql<string>`${given.name}::text`.as('name')));
    await assert.rejects(told(app.ctx.db, {} as { name: string }), /name/);
  });
});
