import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { sql } from 'kysely';
import { signedInAccount, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createDraft, signElectronically, type TestDraft } from '../../../testing/processes.ts';

describe('an invitation that the mail server does not take at once', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  /** Sent while no mail server answers: what there is to tell waits. */
  async function sentInVain(email: string): Promise<TestDraft> {
    const draft = await createDraft(app, ana, {
      signers: [
        { name: 'Bia Lima', email, order: 0 },
        { name: 'Caio Reis', email: `outro-${email}`, order: 0 },
      ],
    });
    assert.equal((await app.call(api.startSignatureProcess, { token: ana.token, params: { id: draft.id } })).status, 204);
    await app.installation.queue.drain({ ...app.ctx, config: { ...app.ctx.config, smtpUrl: 'smtp://127.0.0.1:1' } });
    assert.deepEqual(await invitations(email), []);
    return draft;
  }

  /** The mail server answers again. */
  async function sendAgain(): Promise<void> {
    await sql`update pgboss.job set start_after = now() where name = 'send-mail' and state < 'active'`.execute(app.ctx.db);
    await app.runJobs();
  }

  const invitations = async (email: string) =>
    (await app.mailbox.list()).filter(({ to, subject }) => to === email && /pediu|assinar/i.test(subject)).map(({ subject }) => subject);
  const waiting = async (email: string) =>
    (await app.ctx.db.selectFrom('mail').select('id').where('to_address', '=', email).where('sent_at', 'is', null).execute()).length;

  it('is sent when it answers again, and says no more then which link it was of', async () => {
    await sentInVain('bia@exemplo.com.br');
    await sendAgain();
    assert.equal((await invitations('bia@exemplo.com.br')).length, 1);
    const rows = await app.ctx.db
      .selectFrom('mail')
      .select(['of_link', 'sent_at'])
      .where('to_address', '=', 'bia@exemplo.com.br')
      .execute();
    assert.deepEqual(
      rows.map(({ of_link: link, sent_at: sent }) => [link, sent !== null]),
      [[null, true]],
    );
  });

  const notDueAfter: readonly [string, (draft: TestDraft) => Promise<{ status: number }>][] = [
    ['the process was cancelled', ({ id }) => app.call(api.cancelProcess, { token: ana.token, params: { id } })],
    [
      'the signer’s address was corrected',
      ({ id, signerIds: [signerId = ''] }) =>
        app.call(api.correctSigner, {
          token: ana.token,
          params: { id, signerId },
          body: { name: 'Bia Lima', email: 'certa@exemplo.com.br', legalIdentifier: null },
        }),
    ],
    ['the signer has signed meanwhile', ({ id, signerIds: [signerId = ''] }) => signElectronically(app, id, signerId)],
  ];
  for (const [index, [what, act]] of notDueAfter.entries())
    it(`is not sent any more where ${what}`, async () => {
      const email = `tarde-${index}@exemplo.com.br`;
      const draft = await sentInVain(email);
      assert.ok((await act(draft)).status < 300);
      await sendAgain();
      assert.deepEqual([await invitations(email), await waiting(email)], [[], 0]);
    });
});
