import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { signElectronically, startedProcess } from '../../testing/processes.ts';
import { costOf } from '../../testing/statements.ts';

/** What it is today (docs/decisions/066, 080, 094), two of them the test's own: less is welcome, more needs a reason. */
const STATEMENTS = 69;
const FORCED = 8;

describe('a whole job of one document and one electronic signer', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  async function wholeJob(): Promise<void> {
    const draft = await startedProcess(app, ana);
    assert.equal((await signElectronically(app, draft.id, draft.signerIds[0] ?? '')).status, 204);
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
    const { statements, forced } = await costOf(wholeJob);
    assert.ok(forced.length <= FORCED, `${forced.length}\n${forced.map((one) => one.join('\n')).join('\n---\n')}`);
    assert.ok(statements.length <= STATEMENTS, `${statements.length}\n${statements.toSorted().join('\n')}`);
  });
});
