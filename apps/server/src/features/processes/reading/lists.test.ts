import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { limits } from '@lavra/domain';
import { sql } from 'kysely';
import { signedInAccount, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { rowsRead } from '../../../testing/rows-read.ts';
import { createDraft, signElectronically, startedProcess } from '../../../testing/processes.ts';
import { everySets, foldCounts, readCounts } from '../process-counts.store.ts';
import { checkListsJob } from './check-lists.job.ts';
import type { ListOrder } from './process-list.store.ts';
import { searchList } from './search-list.ts';

const bia = { name: 'Bárbara Lima', email: 'bia.lima@exemplo.com.br' };
const caio = { name: 'Caio Conceição', email: 'caio@exemplo.com.br' };

/** Everybody's counters as the processes and their signers say, counted one by one. */
async function countedByHand(app: TestApp) {
  const { rows } = await sql<{ line: string }>`
    select u.id || ' ' ||
      (select count(*) from signature_process p where p.owner_id = u.id and p.status <> 'DRAFT') || ' ' ||
      (select count(distinct s.signature_process_id) from signer s join signature_process p on p.id = s.signature_process_id
        where s.user_id = u.id and s.status <> 'WAITING' and p.status <> 'DRAFT') || ' ' ||
      (select count(distinct s.signature_process_id) from signer s join signature_process p on p.id = s.signature_process_id
        where s.user_id = u.id and s.status = 'SENT' and p.status = 'IN_PROGRESS') || ' ' ||
      (select count(*) from signature s join signature_process p on p.id = s.signature_process_id
        where p.owner_id = u.id and s.status = 'SIGNED') as line
    from app_user u order by u.id`.execute(app.ctx.db);
  return rows.map(({ line }) => line);
}

async function countedAsKept(app: TestApp) {
  const users = await app.ctx.db.selectFrom('app_user').select('id').orderBy('id').execute();
  return Promise.all(
    users.map(async ({ id }) => {
      const { requested, received, pending, signatures } = await readCounts(app.ctx, id);
      return `${id} ${requested} ${received} ${pending} ${signatures}`;
    }),
  );
}

describe('the counters of a person', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { email: 'ana@exemplo.com.br' });
    for (const { email } of [bia, caio]) await signedInAccount(app, { email });
  });
  after(() => app.close());

  it('are not written for how far a signer is who has no account', async () => {
    const nobody = { name: 'Davi Luz', email: 'davi.luz@exemplo.com.br' };
    const { id, signerIds } = await startedProcess(app, ana, { signers: [nobody, bia].map((one) => ({ ...one, order: 0 })) });
    const undone = new Error('undone');
    const isListedAfter = async (signerId: string | undefined) => {
      let isListed = false;
      const trying = app.ctx.db.transaction().execute(async (tx) => {
        await tx.deleteFrom('listed_process').where('signature_process_id', '=', id).execute();
        const ofSigner = tx.updateTable('signer').where('id', '=', signerId ?? '');
        await ofSigner.set({ status: 'SIGNED' }).execute();
        const { rows } = await sql`select from listed_process where signature_process_id = ${id}`.execute(tx);
        isListed = rows.length > 0;
        throw undone;
      });
      await assert.rejects(trying, undone);
      return isListed;
    };
    assert.deepEqual([await isListedAfter(signerIds[0]), await isListedAfter(signerIds[1])], [false, true]);
  });

  it('are what the rows say after many acts at one moment, folded or not', async () => {
    const self = { name: 'Ana', email: ana.email };
    const drafts = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => createDraft(app, ana, { signers: n % 2 ? [bia, self] : [bia, caio] })));
    const act = (draft: { id: string }, n: number) =>
      app.call(api.startSignatureProcess, { token: ana.token, params: { id: drafts[n]?.id ?? draft.id } });
    await Promise.all(drafts.map(act));
    await app.runJobs();
    assert.deepEqual(await countedAsKept(app), await countedByHand(app));
    await Promise.all([
      ...drafts.slice(0, 3).map(({ id, signerIds }) => signElectronically(app, id, signerIds[0] ?? '', { name: bia.name })),
      app.call(api.cancelProcess, { token: ana.token, params: { id: drafts[3]?.id ?? '' } }),
      app.call(api.createSignatureRejected, {
        body: { processId: drafts[4]?.id ?? '', signerId: drafts[4]?.signerIds[0] ?? '', rejectCause: 'Não' },
      }),
      foldCounts(app.ctx),
      foldCounts(app.ctx),
    ]);
    await app.runJobs();
    const byHand = await countedByHand(app);
    assert.deepEqual(await countedAsKept(app), byHand);
    while (await foldCounts(app.ctx));
    assert.deepEqual(await countedAsKept(app), byHand);
    const { rows } = await sql<{
      most: number;
    }>`select max(n) as most from (select count(*) as n from process_count group by user_id, counted) c`.execute(app.ctx.db);
    assert.equal(rows[0]?.most, 1, 'one row a number, once it is folded');
  });

  it('are of the transaction: what is rolled back was never counted', async () => {
    const before = await countedAsKept(app);
    await assert.rejects(
      app.ctx.transaction(async (tx) => {
        await tx.db.updateTable('signature_process').set({ status: 'CREATOR_CANCELED' }).execute();
        throw new Error('away');
      }),
      /away/,
    );
    assert.deepEqual(await countedAsKept(app), before);
  });

  it('and lists are compared with the events every night, and set right', async () => {
    const [lists, byHand] = [await listsOf(app), await countedByHand(app)];
    await sql`update listed_process set sets = 2, status = 'IN_PROGRESS', search = ' outra coisa'`.execute(app.ctx.db);
    await sql`delete from listed_process where user_id = ${ana.id} and status = 'IN_PROGRESS'`.execute(app.ctx.db);
    await sql`update process_count set amount = amount + 7 where user_id = ${ana.id}`.execute(app.ctx.db);
    assert.notDeepEqual(await countedAsKept(app), byHand);
    await checkListsJob.run(app.ctx, {});
    assert.deepEqual(await countedAsKept(app), byHand);
    assert.deepEqual(await listsOf(app), lists);
  });

  it('and what stands otherwise than its events tell is told, and left to a person', async () => {
    const told: string[] = [];
    const log = {
      ...app.ctx.log,
      warn() {},
      info() {},
      error: (facts: object, text: string) => told.push(`${JSON.stringify(facts)} ${text}`),
    };
    const { id } = await startedProcess(app, ana, { signers: [caio] });
    await app.ctx.db.updateTable('signature_process').set({ status: 'FINALIZED_WITH_SUCCESS' }).where('id', '=', id).execute();
    await checkListsJob.run({ ...app.ctx, log: log as unknown as typeof app.ctx.log }, {});
    assert.deepEqual(told, ['{"processes":1} processes stand otherwise than their events tell']);
    assert.deepEqual(await countedAsKept(app), await countedByHand(app));
  });
});

async function listsOf(app: TestApp): Promise<unknown[]> {
  const { rows } = await sql`
    select user_id, signature_process_id, sets, status, title, created_at, due_date, finalized_at, search
    from listed_process order by user_id, signature_process_id`.execute(app.ctx.db);
  return rows;
}

describe('a search', () => {
  let app: TestApp;
  let ana: TestAccount;
  let signing: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { email: 'ana@exemplo.com.br' });
    signing = await signedInAccount(app, { email: bia.email });
    await startedProcess(app, ana, { title: 'Contrato de LOCAÇÃO', documents: ['planta-baixa.pdf', 'Certida\u0303o.pdf'], signers: [bia] });
    await startedProcess(app, ana, { title: 'Distrato nº 12', documents: ['minuta.pdf'], signers: [caio, { ...bia, order: 1 }] });
  });
  after(() => app.close());

  const found = async (who: TestAccount, searchText: string) => {
    const { body } = await app.call(api.getProcessesInfos, { token: who.token, query: { searchText } });
    assert.equal(body.total, body.signatureProcesses.length);
    assert.equal(body.isTotalExact, true);
    return body.signatureProcesses
      .map(({ title }) => title.split(' ')[0])
      .toSorted()
      .join(' ');
  };

  it('tells of a process without a general deadline whether its signers have their own', async () => {
    const vera = await signedInAccount(app);
    const dueDate = new Date(app.clock.now().getTime() + 3 * 86_400_000).toISOString();
    await createDraft(app, vera, { title: 'Rascunho', signers: [{ ...caio, dueDate }] });
    await startedProcess(app, vera, { title: 'Sem prazo', signers: [caio] });
    await startedProcess(app, vera, { title: 'Por pessoa', signers: [caio, { ...bia, order: 1, dueDate }] });
    const { body } = await app.call(api.getProcessesInfos, { token: vera.token, query: { sortBy: 'title' } });
    assert.deepEqual(
      body.signatureProcesses.map((item) => [item.title, item.dueDate, item.hasOwnDeadlines]),
      [
        ['Sem prazo', null, false],
        ['Por pessoa', null, true],
      ],
    );
  });

  it('looks at the title, the names of files, and the names and e-mails of signers, without accents and case', async () => {
    for (const [words, expected] of [
      ['locacao', 'Contrato'],
      ['LOCAÇÃO', 'Contrato'],
      ['Planta-Baixa', 'Contrato'],
      // A Mac writes the names of files in pieces: a, and the tilde above it.
      ['certidão', 'Contrato'],
      ['minuta.PDF', 'Distrato'],
      ['bárbara', 'Contrato Distrato'],
      ['conceicao', 'Distrato'],
      ['bia.lima@exemplo', 'Contrato Distrato'],
      ['caio@', 'Distrato'],
    ] as const)
      assert.equal(await found(ana, words), expected, words);
  });

  it('finds what has all of the words, wherever each of them stands', async () => {
    assert.equal(await found(ana, 'lima distrato'), 'Distrato');
    assert.equal(await found(ana, '  caio   MINUTA '), 'Distrato');
    assert.equal(await found(ana, 'caio locação'), '');
  });

  it('finds a word of one or two letters at the beginning of a word, and signs are no words', async () => {
    assert.equal(await found(ana, '12'), 'Distrato');
    assert.equal(await found(ana, 'di'), 'Distrato');
    assert.equal(await found(ana, 'tr'), '');
    for (const nothing of ['%', '_', '％', '--', '. .', "'", '\\']) assert.equal(await found(ana, nothing), '', nothing);
    assert.equal(await found(ana, 'loca%'), '');
    assert.equal(await found(ana, 'nº 12 %'), 'Distrato');
  });

  it('is of one’s own: a signer finds what they were invited to, once they were, and nobody else anything', async () => {
    assert.equal(await found(signing, 'bia'), 'Contrato');
    assert.equal(await found(await signedInAccount(app), 'bia'), '');
  });
});

/** The lists' own statements. */
const READING = /listed_process|process_count|from "signature_process"/;

describe('a list of thousands', () => {
  let app: TestApp;
  let ana: TestAccount;
  let eva: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { email: 'ana@exemplo.com.br' });
    eva = await signedInAccount(app, { email: 'eva@exemplo.com.br' });
    await fill(ana.id, 1, 600);
  });
  after(() => app.close());

  /** Every third is received; hits of the words are frequent, rare, and frequent where the list is old. */
  const fill = async (userId: string, from: number, to: number) => {
    await sql`
      insert into signature_process (id, owner_id, title, status, modality, geolocation, lang_key, created_at, touched_at, due_date, finalized_at)
      select gen_random_uuid(), case when n % 3 = 0 then ${eva.id}::uuid else ${userId}::uuid end,
        case when n % 5 = 0 then 'Locação ' when n % 97 = 0 then 'Raridade ' when n < 300 and n % 2 = 0 then 'Antigo ' else 'Termo ' end || n,
        (array['IN_PROGRESS', 'FINALIZED_WITH_SUCCESS', 'CREATOR_CANCELED'])[1 + n % 3], 'electronic', 'optional', 'pt-br',
        timestamptz '2026-01-01' + n * interval '1 minute', now(),
        case when n % 4 > 0 then timestamptz '2027-01-01' + (n * 7919 % 1000) * interval '1 hour' end,
        case when n % 3 > 0 then timestamptz '2026-02-01' + (n * 104729 % 1000) * interval '1 hour' end
      from generate_series(${from}::int, ${to}::int) n`.execute(app.ctx.db);
    await sql`
      insert into signer (id, signature_process_id, user_id, name, email, "order", status, visible, lang_key, created_at)
      select gen_random_uuid(), id, case when owner_id = ${eva.id} then ${userId}::uuid end, 'Bárbara', 'bia@exemplo.com.br', 0,
        case when status = 'IN_PROGRESS' then 'SENT' else 'SIGNED' end, false, 'pt-br', created_at
      from signature_process p where owner_id in (${eva.id}, ${userId}) and not exists (select from signer where signature_process_id = p.id)`.execute(
      app.ctx.db,
    );
  };

  const sorts: ListOrder[] = (['createdDate', 'title', 'dueDate', 'status', 'finalizedDate'] as const).flatMap((sortBy) => [
    { sortBy, direction: 'asc' },
    { sortBy, direction: 'desc' },
  ]);
  const column = {
    createdDate: 'created_at',
    title: 'title collate people',
    dueDate: 'due_date',
    status: 'status',
    finalizedDate: 'finalized_at',
  };

  /** The whole list, sorted by the database without any of the indexes. */
  const whole = async ({ sortBy, direction }: ListOrder, word = '') => {
    const { rows } = await sql<{ id: string }>`
      select signature_process_id as id from (select * from listed_process where user_id = ${ana.id} and search like ${`%${word}%`} offset 0) l
      order by ${sql.raw(`${column[sortBy]} ${direction} nulls last, signature_process_id ${direction}`)}`.execute(app.ctx.db);
    return rows.map(({ id }) => id);
  };

  it('is paged in any order without gap or overlap, from its first page to its last', async () => {
    for (const order of sorts) {
      const expected = await whole(order);
      for (const page of [0, 1, 3, 5, 6]) {
        const { body } = await app.call(api.getProcessesInfos, { token: ana.token, query: { ...order, page, size: 95 } });
        const at = `${order.sortBy} ${order.direction} ${page}`;
        assert.deepEqual([body.total, body.isTotalExact], [600, true], at);
        assert.deepEqual(
          body.signatureProcesses.map(({ id }) => id),
          expected.slice(page * 95, page * 95 + 95),
          at,
        );
      }
    }
  });

  it('is searched in any order alike, whichever way the hits are found', async () => {
    const list = { actor: { userId: ana.id }, sets: everySets };
    const ways = [
      { near: [100, 10_000], rare: 1000, farther: 100_000 },
      { near: [50], rare: 1000, farther: 100_000 },
      { near: [50, 100], rare: 20, farther: 400 },
      { near: [50], rare: 20, farther: 60 },
    ];
    for (const order of sorts) {
      for (const [text, word] of [
        ['locação', 'locacao'],
        ['raridade', 'raridade'],
        ['ANTIGO', 'antigo'],
        ['inexistente', 'inexistente'],
      ] as const) {
        const expected = await whole(order, word);
        for (const [way, bounds] of ways.entries()) {
          for (const offset of [0, 30, 110]) {
            const { ids, total, isTotalExact } = await searchList(app.ctx, list, order, { text, offset, size: 10, listed: 600 }, bounds);
            const at = `${order.sortBy} ${order.direction} ${text} way ${way} from ${offset}`;
            assert.deepEqual(ids, expected.slice(offset, offset + 10), at);
            assert.ok(isTotalExact ? total === expected.length : total < expected.length, `${at}: ${total} of ${expected.length}`);
          }
        }
      }
    }
  });

  it('says that there are more hits than it counts, and shows them to the last', async () => {
    const expected = await whole({ sortBy: 'createdDate', direction: 'desc' }, 'locacao');
    assert.equal(expected.length, 120);
    const ask = async (page: number) =>
      (await app.call(api.getProcessesInfos, { token: ana.token, query: { searchText: 'locação', page } })).body;
    const first = await ask(0);
    assert.deepEqual([first.total, first.isTotalExact], [limits.searchCountedTo, false]);
    const seen: string[] = [];
    for (let page = 0, more = true; more; page += 1) {
      const { signatureProcesses, total, isTotalExact } = await ask(page);
      seen.push(...signatureProcesses.map(({ id }) => id));
      more = !isTotalExact || seen.length < total;
      if (isTotalExact) assert.equal(total, 120);
    }
    assert.deepEqual(seen, expected);
  });

  it('costs as many rows with six thousand as with six hundred: pages, counters and what is searched', async () => {
    const asked = [
      ...sorts,
      { page: 5 },
      { sortRequested: 'true' },
      { sortReceived: 'true', sortPending: 'true' },
      { searchText: 'locação' },
      { searchText: 'bárbara' },
    ] as const;
    const cost = async () => {
      await sql`vacuum analyze`.execute(app.ctx.db);
      while (await foldCounts(app.ctx));
      const each: number[] = [];
      for (const query of asked)
        each.push(await rowsRead(app, READING, () => app.call(api.getProcessesInfos, { token: ana.token, query })));
      each.push(await rowsRead(app, READING, () => app.call(api.getCounterInfos, { token: ana.token })));
      each.push(await rowsRead(app, READING, () => app.call(api.checkUsageAlert, { token: ana.token })));
      return each;
    };
    const few = await cost();
    await fill(ana.id, 601, 6000);
    const many = await cost();
    for (const [index, rows] of many.entries())
      assert.ok(rows <= Math.max(2 * (few[index] ?? 0), 100), `${JSON.stringify(asked[index])}: ${few[index]} rows, then ${rows}`);
  });
});
