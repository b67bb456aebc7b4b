import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endingWrites, jobWrites, listening } from './job-writes.store.ts';

const INSERT = `insert into pgboss.job (data) select $1::text::json on conflict do nothing returning id, start_after`;
const telling = (insert: string) => `
  WITH ins AS (${insert}),
  notified AS (SELECT pg_notify('there', 'box') FROM ins LIMIT 1)
  SELECT id FROM ins WHERE (SELECT count(*) FROM notified) >= 0`;

describe('the words in which the queue sends a job', () => {
  it('are taken apart into what inserts and what tells, where they are known', () => {
    const names = (text: string) => jobWrites('box', { text, values: ['[]'] }, null).map(({ as }) => as);
    assert.deepEqual([names(INSERT), names(telling(INSERT))], [['job box'], ['job box', 'told box']]);
  });

  for (const [how, text, values] of [
    ['have another value', INSERT.replace('returning', 'where $2 returning'), ['[]', true]],
    ['have a value that they do not name', INSERT, ['[]', true]],
    ['name one twice', `${INSERT}, $1`, ['[]']],
    ['name a tenth', INSERT.replace('$1', '$10'), ['[]']],
    ['tell a value', telling(INSERT).replace("'there'", '$2'), ['[]', 'there']],
  ] as const) {
    it(`are refused where they ${how}`, () => {
      assert.throws(() => jobWrites('box', { text, values }, null), /words that are not known here/);
    });
  }

  const UPDATE = 'update pgboss.job set completed_on = pgboss.job_now(), output = $2::jsonb where name = $1 returning id';
  const counting = (update: string) =>
    `WITH results AS ( ${update} ) SELECT COUNT(*), COALESCE(array_agg(id), '{}'::uuid[]) AS ids FROM results`;
  it('or ends one are taken apart too', () => {
    const [ended, ...more] = endingWrites({ text: counting(UPDATE), values: ['box', null] }, () => {});
    assert.deepEqual([ended?.as, ended?.rows, more], ['job done', undefined, []]);
  });

  for (const [how, text, values] of [
    ['have a value that they do not name', counting(UPDATE), ['box', null, 1]],
    ['name one twice', counting(UPDATE.replace('$1', '$1 || $1')), ['box', null]],
    ['count otherwise', counting(UPDATE).replace('COUNT(*)', 'MAX(id)'), ['box', null]],
    ['do not update', counting(UPDATE.replace('update', 'delete')), ['box', null]],
    ['are no part', UPDATE, ['box', null]],
  ] as const) {
    it(`or ends one are refused where they ${how}`, () => {
      assert.throws(() => endingWrites({ text, values }, () => {}), /words that are not known here/);
    });
  }

  it('are one statement, or nothing is sent', async () => {
    const asked = listening();
    assert.throws(() => asked.heard(), /asked nothing/);
    await asked.db.executeSql(INSERT, ['[]']);
    assert.deepEqual(asked.heard(), { text: INSERT, values: ['[]'] });
    await assert.rejects(async () => asked.db.executeSql(INSERT, ['[]']), /more than one/);
  });
});
