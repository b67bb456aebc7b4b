import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type DraftInput, signElectronically, startedProcess } from '../../testing/processes.ts';
import { committedDuring, costOf } from '../../testing/statements.ts';

/** What it is today (docs/decisions/066, 080, 094), two of them the test's own: less is welcome, more needs a reason. */
const STATEMENTS = 40;
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

  it(`asks the database at most ${STATEMENTS} times beside its queue, and waits for its disk at most ${FORCED} times`, async () => {
    // What is asked once, and kept.
    await wholeJob();
    const { statements, forced } = await costOf(() => wholeJob());
    assert.ok(forced.length <= FORCED, `${forced.length}\n${forced.map((one) => one.join('\n')).join('\n---\n')}`);
    assert.ok(statements.length <= STATEMENTS, `${statements.length}\n${statements.toSorted().join('\n')}`);
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
});
