import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type DraftInput, finishedByItself, signElectronically, startedProcess } from '../../testing/processes.ts';
import { committedDuring, type Cost, costOf } from '../../testing/statements.ts';

/**
 * What it is today (docs/decisions/066, 080, 094, 102, 103) where this program has a place for each of its jobs, which are handed what their senders read, and where
 * it has none; without what the test's own looking asks: less is welcome, more needs a reason.
 */
const STATEMENTS = { handedOn: 26, readAgain: 33 };
const FORCED = 8;

describe('a whole job of one document and one electronic signer', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  /** So many documents, and as many signers with a box in each of them. */
  const sized = (size: number): DraftInput => ({
    documents: Array.from({ length: size }, (_, n) => `${n}.pdf`),
    signers: Array.from({ length: size }, (_, n) => ({
      name: `Pessoa ${'ABCD'[n]}`,
      email: `pessoa-${n}@exemplo.com.br`,
      order: 0,
      box: { width: 180, height: 60 },
    })),
  });

  async function wholeJob(given: DraftInput = {}): Promise<void> {
    const draft = await startedProcess(app, ana, given);
    for (const signerId of draft.signerIds) assert.equal((await signElectronically(app, draft.id, signerId)).status, 204);
    const { status } = await app.ctx.db
      .selectFrom('signature_process')
      .select('status')
      .where('id', '=', draft.id)
      .executeTakeFirstOrThrow();
    assert.equal(status, 'FINALIZED_WITH_SUCCESS');
  }

  function assertAtMost({ statements, forced }: Cost, most: number): void {
    assert.ok(forced.length <= FORCED, `${forced.length}\n${forced.map((one) => one.join('\n')).join('\n---\n')}`);
    assert.ok(statements.length <= most, `${statements.length}\n${statements.toSorted().join('\n')}`);
  }

  it(`asks the database at most ${STATEMENTS.readAgain} times beside its queue, and waits for its disk at most ${FORCED} times`, async () => {
    // What is asked once, and kept.
    await wholeJob();
    assertAtMost(await costOf(() => wholeJob()), STATEMENTS.readAgain);
  });

  it('ends each job of the queue in the statement of its act', async () => {
    const asked: string[] = [];
    await committedDuring(
      () => wholeJob(),
      (text) => asked.push(text),
    );
    const ending = asked.filter((text) => /completed_on = pgboss/i.test(text));
    assert.deepEqual([ending.length, ending.filter((text) => /^\s*with results\b/i.test(text))], [5, []]);
  });

  it('touches in each of its acts only what that changes: the triggers of a table run for an update without rows too', async () => {
    const { statements } = await costOf(() => wholeJob());
    const acts = statements.filter((text) => /insert into event\b/.test(text));
    const updating = (table: string) => acts.filter((text) => new RegExp(`update ${table} set\\b`).test(text)).length;
    assert.deepEqual([acts.length, updating('signature_process'), updating('signer'), updating('signature')], [5, 3, 2, 2]);
  });

  it('asks for what it writes in the same words, however many documents and people it has: each text is planned and kept by itself', async () => {
    const writes = async (size: number) => {
      const { statements } = await costOf(() => wholeJob(sized(size)));
      return statements.filter((text) => /"document_revision"|insert into "?(?:mail|placement|signature)\b/.test(text));
    };
    const known = new Set(await writes(2));
    const others = (await writes(4)).filter((text) => !known.has(text));
    assert.deepEqual(others, []);
    assert.ok(known.size >= 6, `${known.size} were looked at`);
  });

  const isLook = (text: string) => text.startsWith('select "status", "prepared_at"');

  // The last: from here on, jobs run by themselves.
  it(`asks it at most ${STATEMENTS.handedOn} times where each job is begun by the act that it follows`, async () => {
    await app.installation.queue.work(app.ctx);
    await finishedByItself(app, ana);
    const costs: Cost[] = [];
    for (let run = 0; run < 3; run += 1) {
      const { statements, forced } = await costOf(() => finishedByItself(app, ana));
      costs.push({ statements: statements.filter((text) => !isLook(text)), forced });
    }
    // In one of them the minute may have come, with what is done on it.
    const [least] = costs.toSorted((one, other) => one.statements.length - other.statements.length);
    assert.ok(least);
    assertAtMost(least, STATEMENTS.handedOn);
  });
});
