import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { limits } from '@lavra/domain';
import { sql } from 'kysely';
import { signedInAccount, type TestAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { rowsRead } from '../testing/rows-read.ts';

describe('an installation’s lists', () => {
  let app: TestApp;
  let admin: TestAccount;
  before(async () => {
    app = await startTestApp();
    admin = await signedInAccount(app, { email: 'alda@exemplo.com.br', firstName: 'Alda' });
    await fill(1, 400);
  });
  after(() => app.close());

  /** Accounts, what happened to them, and jobs: a frequent word, a rare one, and one that only late names have. */
  const fill = async (from: number, to: number) => {
    await sql`
      insert into app_user (id, login, email, first_name, last_name, login_type, lang_key, activated, authorities, created_at, modified_at)
      select gen_random_uuid(), 'pessoa' || n, 'pessoa' || n || '@exemplo.com.br', (array['Bárbara', 'João', 'Zélia'])[1 + n % 3],
        case when n % 97 = 0 then 'Raridade' else 'Silva ' || n % 7 end, 'password', 'pt-br', true, '{ROLE_USER}',
        timestamptz '2026-01-01' + (n::bigint * 7919 % 1000) * interval '1 minute',
        case when n % 3 = 0 then timestamptz '2026-02-01' + (n::bigint * 104729 % 1000) * interval '1 minute' end
      from generate_series(${from}::int, ${to}::int) n`.execute(app.ctx.db);
    await sql`
      insert into audit_event (at, kind, outcome, account_id, subject_id)
      select timestamptz '2026-01-01' + n * interval '1 minute', case when n % 500 = 3 then 'record.deleted' else 'session.opened' end,
        case when n % 500 = 7 then 'refused' else 'success' end, ${admin.id}::uuid, ${admin.id}
      from generate_series(${from}::int, ${to}::int) n`.execute(app.ctx.db);
    await sql`
      insert into pgboss.job (name, state, data, completed_on, output)
      select 'send-mail', case when n % 400 = 5 then 'failed' else 'completed' end::pgboss.job_state, '{}',
        timestamptz '2026-01-01' + n * interval '1 minute', '{"message":"nein"}'
      from generate_series(${from}::int, ${to}::int) n`.execute(app.ctx.db);
  };
  const by = () => ({ token: admin.token });
  const columns = {
    email: 'email',
    firstName: 'first_name collate people',
    lastName: 'last_name collate people',
    createdDate: 'created_at',
    lastModifiedDate: 'modified_at',
  };
  const sorts = Object.keys(columns).flatMap((field) => [`${field},asc`, `${field},desc`]);
  /** The whole list, sorted by the database without an index. */
  const whole = async (sort: string, word = '') => {
    const [field = '', way = ''] = sort.split(',');
    const { rows } = await sql<{ id: string }>`
      select id from (select * from app_user where search like ${`%${word}%`} offset 0) as u
      order by ${sql.raw(`${columns[field as keyof typeof columns]} ${way} nulls last, id ${way}`)}`.execute(app.ctx.db);
    return rows.map(({ id }) => id);
  };

  it('are paged in any order without gap or overlap, what is blank last', async () => {
    for (const sort of sorts) {
      const expected = await whole(sort);
      for (const page of [0, 2, 4, 9]) {
        const { body } = await app.call(api.users.list, { ...by(), query: { sort, page, size: 43 } });
        assert.equal(body.total, 401);
        const ids = body.items.map(({ id }) => id);
        assert.deepEqual(ids, expected.slice(page * 43, page * 43 + 43), `${sort} ${page}`);
      }
    }
  });

  it('are read from an index, and not the more of it the more there is', async () => {
    const period = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' };
    const asked: (() => Promise<{ status: number }>)[] = [
      ...sorts.map((sort) => () => app.call(api.users.list, { ...by(), query: { sort } })),
      ...['silva', 'raridade', 'inexistente'].map((query) => () => app.call(api.users.search, { ...by(), query: { query } })),
      ...[{ outcome: 'refused' }, { kind: 'record.deleted' }, period, { query: 'alda', ...period }, { query: 'inexistente' }].map(
        (query) => () => app.call(api.listAuditEvents, { ...by(), query: query as { kind: 'record.deleted' } }),
      ),
      () => app.call(api.listFailedJobs, { ...by(), query: {} }),
    ];
    const cost = async () => {
      await sql`vacuum analyze`.execute(app.ctx.db);
      const each: number[] = [];
      for (const act of asked) each.push(await rowsRead(app, /app_user|audit_event|pgboss\.job/, act));
      return each;
    };
    await fill(401, 12_000);
    const few = await cost();
    await fill(12_001, 24_000);
    const many = await cost();
    // What is refused, deleted, failed and rare has doubled as well.
    for (const [index, rows] of many.entries())
      assert.ok(rows <= 1.5 * (few[index] ?? 0) + 500, `${index}: ${few[index]} rows, then ${rows}`);
  });

  it('tell how many there are to a bound, say that there are more beyond it, and go on', async () => {
    const { body, raw } = await app.call(api.users.list, { ...by(), query: {} });
    assert.deepEqual([body.total, body.isTotalExact, raw.headers['x-total-exact']], [limits.recordsCountedTo, false, 'false']);
    const page = 120;
    const far = (await app.call(api.users.list, { ...by(), query: { sort: 'email,asc', page, size: 200 } })).body;
    assert.deepEqual([far.items.length, far.total, far.isTotalExact], [1, 24_001, undefined]);
    const frequent = (await app.call(api.users.search, { ...by(), query: { query: 'silva' } })).body;
    assert.deepEqual([frequent.items.length, frequent.total, frequent.isTotalExact], [20, limits.searchCountedTo, false]);
    const log = (await app.call(api.listAuditEvents, { ...by(), query: {} })).body;
    assert.equal(log.total, api.auditListMost);
  });

  it('are searched in any order alike, however frequent the words are', async () => {
    for (const sort of ['email,asc', 'firstName,desc', 'lastModifiedDate,desc', 'lastModifiedDate,asc']) {
      for (const [query, word] of [
        ['RARIDADE', 'raridade'],
        ['zélia', 'zelia'],
        ['inexistente', 'inexistente'],
        ['pessoa23999', 'pessoa23999'],
      ] as const) {
        const expected = await whole(sort, word);
        for (const page of [0, 3, 11]) {
          const { items, total, isTotalExact = true } = (await app.call(api.users.search, { ...by(), query: { query, sort, page } })).body;
          const at = `${query} ${sort} ${page}`;
          assert.deepEqual(
            items.map(({ id }) => id),
            expected.slice(page * 20, page * 20 + 20),
            at,
          );
          assert.ok(isTotalExact ? total === expected.length : total < expected.length, `${at}: ${total} of ${expected.length}`);
        }
      }
    }
  });

  it('of what happened are newest first, whoever and whatever they are about', async () => {
    const ask = async (query: object) => (await app.call(api.listAuditEvents, { ...by(), query })).body;
    for (const query of [{}, { query: 'alda' }, { outcome: 'refused' }, { query: 'alda', kind: 'record.deleted' }]) {
      const first = (await ask({ ...query, page: 1, size: 5 })).items.map(({ id }) => id);
      const { items } = await ask({ ...query, size: 10 });
      assert.deepEqual(
        first,
        items.slice(5).map(({ id }) => id),
      );
      assert.deepEqual(
        items.map(({ at }) => at),
        items
          .map(({ at }) => at)
          .toSorted()
          .toReversed(),
      );
    }
    // By who did it and on whom it was done, and yet once.
    assert.equal((await ask({ query: 'alda', kind: 'record.deleted' })).total, 48);
    assert.equal((await ask({ outcome: 'refused', to: '2026-01-01T09:00:00Z' })).total, 2);
  });

  it('of jobs are counted by kind and state, the newest that failed first', async () => {
    const { body } = await app.call(api.listFailedJobs, { ...by(), query: {} });
    assert.deepEqual([body.total, body.items.length, body.items[0]?.failedAt], [60, 20, '2026-01-17T09:25:00.000Z']);
    const kinds = (await app.call(api.listJobKinds, by())).body.items;
    const mails = kinds.find(({ name }) => name === 'send-mail');
    assert.deepEqual([mails?.failed, mails?.lastDoneAt], [60, '2026-01-17T16:00:00.000Z']);
  });
});
