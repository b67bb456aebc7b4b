import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signedInAccount, signIn, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { startedProcess, type TestDraft } from '../../../testing/processes.ts';
import { expireProcessesJob } from './expire-processes.job.ts';

describe('a deadline that passes', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { firstName: 'Ana' });
  });
  after(() => app.close());

  const inDays = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000).toISOString();
  async function endedAfterTwoDays(dueDate: string | null): Promise<TestDraft> {
    const signers = [
      { name: 'Bia Lima', email: 'bia@exemplo.com.br', order: 0, dueDate: inDays(2) },
      { name: 'Caio Reis', email: 'caio@exemplo.com.br', order: 0, dueDate: inDays(2.5) },
    ];
    const draft = await startedProcess(app, { ...ana, token: await signIn(app, ana) }, { signers, dueDate });
    app.clock.advance({ days: dueDate === null ? 2 : 3, seconds: 1 });
    await expireProcessesJob.run(app.ctx, {});
    await app.runJobs();
    return draft;
  }
  async function endToldTo({ id, signerIds }: TestDraft) {
    const token = await signIn(app, ana);
    const story = await app.call(api.getProcessStory, { token, params: { id } });
    const asked = signerIds.map(async (signerId) => {
      const seen = await app.call(api.getRequisitionInformation, { params: { processId: id }, query: { user: signerId } });
      const { body } = await app.call(api.getSignatureStatus, { params: { processId: id, signerId } });
      return [seen.body.endedBy, body.status, body.reason];
    });
    return [story.body.endedBy, ...(await Promise.all(asked))];
  }
  const newestTo = async (email: string) => (await app.mailbox.list()).find(({ to }) => to === email)?.text ?? '';

  it('of one signer’s own is told as theirs: to the sender, to them, and to whoever still had time', async () => {
    const draft = await endedAfterTwoDays(null);
    assert.deepEqual(await endToldTo(draft), [
      'Bia Lima',
      ['Bia Lima', 'EXPIRED', 'signer.deadlinePassed'],
      ['Bia Lima', 'EXPIRED', 'process.notInProgress'],
    ]);
    for (const email of [ana.email, 'caio@exemplo.com.br']) assert.match(await newestTo(email), /Passou o prazo de Bia Lima para assinar/);
    assert.match(await newestTo('bia@exemplo.com.br'), /Passou o seu prazo para assinar/);
  });

  it('of the whole process is nobody’s', async () => {
    const draft = await endedAfterTwoDays(inDays(3));
    assert.deepEqual(await endToldTo(draft), [
      null,
      [null, 'EXPIRED', 'signer.deadlinePassed'],
      [null, 'EXPIRED', 'signer.deadlinePassed'],
    ]);
    assert.match(await newestTo(ana.email), /terminou antes de todas as assinaturas/);
  });
});
