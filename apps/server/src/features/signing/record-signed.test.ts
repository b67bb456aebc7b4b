import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { sendElectronically, startedProcess } from '../../testing/processes.ts';
import { committedDuring, type Statements } from '../../testing/statements.ts';

const people = ['Bia Lima', 'Caio Reis', 'Davi Melo', 'Eva Nunes'].map((name, index) => ({ name, email: `p${index}@exemplo.com.br` }));

describe('recording a signature', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  /** The transaction that appended the signer's revisions, which may be one statement. */
  async function recordingOf(draft: { id: string }, signerId: string): Promise<Statements> {
    const alone = new Set<string>();
    assert.equal((await sendElectronically(app, draft.id, signerId)).status, 204);
    const committed = await committedDuring(
      () => app.runJobs(),
      (text) => alone.add(text),
    );
    const [recording, ...others] = [...committed, ...[...alone].map((text) => [text])].filter((statements) =>
      statements.some((text) => /update "signing_attempt"/.test(text)),
    );
    assert.ok(recording && others.length === 0, 'one transaction closes the attempt');
    const writesRevisions = (text: string) => text.includes('insert into "document_revision"');
    assert.ok(recording.some(writesRevisions), 'and it is the one that appends');
    return recording;
  }

  it('takes one statement, with three documents and three signers whose turn it makes', async () => {
    const signers = people.map((one, index) => ({ ...one, order: Math.min(index, 1) }));
    const draft = await startedProcess(app, ana, { signers, documents: ['um.pdf', 'dois.pdf', 'três.pdf'] });
    const statements = await recordingOf(draft, draft.signerIds[0] ?? '');
    assert.equal(statements.length, 1, statements.join('\n---\n'));
    const rows = await app.ctx.db.selectFrom('signer').select('status').where('signature_process_id', '=', draft.id).execute();
    assert.deepEqual(rows.map(({ status }) => status).toSorted(), ['SENT', 'SENT', 'SENT', 'SIGNED']);
    const mails = (await app.mailbox.list()).filter(({ to }) => people.slice(1).some(({ email }) => email === to));
    assert.equal(mails.length, 3, 'and everybody whose turn has come is told');
  });

  it('takes one statement when it is the last one, also after a while without any act', async () => {
    const draft = await startedProcess(app, ana, { signers: people.slice(0, 1), documents: ['um.pdf', 'dois.pdf'] });
    app.clock.advance({ minutes: 10 });
    const statements = await recordingOf(draft, draft.signerIds[0] ?? '');
    assert.equal(statements.length, 1, statements.join('\n---\n'));
  });

  it('is refused as a whole when the attempt is given up while it waits for the process', async () => {
    const draft = await startedProcess(app, ana, { signers: people.slice(0, 1) });
    const [signerId = ''] = draft.signerIds;
    assert.equal((await sendElectronically(app, draft.id, signerId)).status, 204);
    const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    let signing: Promise<void> | undefined;
    await app.ctx.db.transaction().execute(async (holding) => {
      await sql`select from signature_process where id = ${draft.id} for no key update`.execute(holding);
      signing = app.runJobs();
      while ((await waiting.execute(app.ctx.db)).rows.length === 0) await sleep(10);
      await sql`update signing_attempt set state = 'expired' where signer_id = ${signerId}`.execute(app.ctx.db);
    });
    await signing;
    const { status } = await app.ctx.db.selectFrom('signer').select('status').where('id', '=', signerId).executeTakeFirstOrThrow();
    assert.equal(status, 'SENT');
    const signatures = app.ctx.db.selectFrom('document_revision').select('seq').where('signer_id', '=', signerId);
    assert.deepEqual(await signatures.execute(), []);
  });
});
