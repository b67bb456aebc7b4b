import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { putBytes } from '../../storage/blob-store.ts';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { exhaustJobs } from '../../testing/jobs.ts';
import { createDraft } from '../../testing/processes.ts';

describe('a document that turns out damaged when it is prepared', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { firstName: 'Ana' });
  });
  after(() => app.close());

  it('is named to the owner, by mail and in the list', async () => {
    const draft = await createDraft(app, ana, { title: 'Aluguel', documents: ['bom.pdf', 'estragado.pdf'] });
    const broken = await putBytes(app.ctx.storage, Buffer.from('%PDF-1.7\nnothing of a file'));
    await app.ctx.db
      .updateTable('document_revision')
      .set({ blob_hash: broken.sha256, size: broken.size })
      .where('document_id', '=', draft.documentIds[1] ?? '')
      .execute();
    await app.call(api.startSignatureProcess, { token: ana.token, params: { id: draft.id } });
    await exhaustJobs(app, 'prepare-documents');
    await app.runJobs();
    const [mail] = (await app.mailbox.list()).filter(({ to, subject }) => to === ana.email && subject.includes('Aluguel'));
    assert.match(mail?.text ?? '', /“estragado\.pdf” está danificado/);
    assert.match(mail?.text ?? '', /Ana/);
    assert.doesNotMatch(mail?.text ?? '', /“Ana”|“”|\{\{/);
    const { body } = await app.call(api.getSubDataProcess, { token: ana.token, params: { processId: draft.id } });
    assert.deepEqual([body.problem, body.problemParams], ['document.damaged', { name: 'estragado.pdf' }]);
  });
});
