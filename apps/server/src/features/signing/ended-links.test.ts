import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { limits } from '@lavra/domain';
import { signedInAccount, signIn, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { signElectronically, startedProcess, type TestDraft } from '../../testing/processes.ts';
import { expireProcessesJob } from '../processes/life/expire-processes.job.ts';

describe('the link of a process that has ended', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { firstName: 'Ana' });
  });
  after(() => app.close());

  const seenBy = async ({ id, signerIds, documentIds }: TestDraft) => {
    const [user = ''] = signerIds;
    const [documentId = ''] = documentIds;
    const { body } = await app.call(api.getRequisitionInformation, { params: { processId: id }, query: { user } });
    const viewed = await app.call(api.viewDocument, { params: { documentId }, query: { user } });
    const original = await app.call(api.downloadOriginal, { params: { id: documentId }, query: { user } });
    const listed = await app.call(api.getDownloadItems, { params: { processId: id }, query: { user } });
    return { body, statuses: [viewed.status, original.status, listed.status], codes: [viewed.code, original.code, listed.code] };
  };
  const signers = [
    { name: 'Bia Lima', email: 'bia@exemplo.com.br', order: 0 },
    { name: 'Caio Reis', email: 'caio@exemplo.com.br', order: 0 },
  ];

  it('by cancel, rejection or expiry shows the documents for thirty days, and then its end alone', async () => {
    const dueDate = new Date(app.clock.now().getTime() + 2 * 86_400_000).toISOString();
    const canceled = await startedProcess(app, ana, { signers });
    const rejected = await startedProcess(app, ana, { signers });
    const expired = await startedProcess(app, ana, { signers, dueDate });
    await app.call(api.cancelProcess, { token: ana.token, params: { id: canceled.id } });
    await app.call(api.createSignatureRejected, {
      body: { rejectCause: 'Não concordo', processId: rejected.id, signerId: rejected.signerIds[1] ?? '' },
    });
    app.clock.advance({ days: 2, seconds: 1 });
    await expireProcessesJob.run(app.ctx, {});
    const ended = [canceled, rejected, expired];
    app.clock.advance({ days: limits.endedLinkDays - 3 });
    for (const draft of ended) {
      const { body, statuses } = await seenBy(draft);
      assert.deepEqual([statuses, body.documents.length, body.documentsWithdrawn], [[200, 200, 200], 1, false]);
    }
    app.clock.advance({ days: 3 });
    for (const [index, draft] of ended.entries()) {
      const { body, statuses, codes } = await seenBy(draft);
      assert.deepEqual(statuses, [410, 410, 410]);
      assert.deepEqual(
        codes,
        Array.from({ length: 3 }, () => 'process.linkEnded'),
      );
      assert.deepEqual([body.documents, body.documentsWithdrawn], [[], true]);
      assert.equal(body.status, ['CREATOR_CANCELED', 'FINALIZED_BY_REJECTION', 'FINALIZED_BY_EXPIRATION'][index]);
      assert.deepEqual(body.signers.map(({ name }) => name).toSorted(), ['Bia Lima', 'Caio R.']);
    }
    const token = await signIn(app, ana);
    const own = await app.call(api.viewDocument, { token, params: { documentId: canceled.documentIds[0] ?? '' }, query: {} });
    assert.equal(own.status, 200, 'its owner still has it');
  });

  it('with success shows them without end', async () => {
    const draft = await startedProcess(app, { ...ana, token: await signIn(app, ana) });
    await signElectronically(app, draft.id, draft.signerIds[0] ?? '');
    app.clock.advance({ days: 400 });
    assert.deepEqual((await seenBy(draft)).statuses, [200, 200, 200]);
  });
});
