import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { putBytes } from '../../storage/blob-store.ts';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { frozenClock } from '../../testing/clock.ts';
import { exhaustJobs } from '../../testing/jobs.ts';
import { createDraft, pageInTwoRoles, startedProcess } from '../../testing/processes.ts';
import { resumePreparationJob } from './prepare-documents.job.ts';

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
    await app.ctx.db
      .updateTable('document')
      .set({ hash: broken.sha256 })
      .where('id', '=', draft.documentIds[1] ?? '')
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

  it('or not to pass when all have signed is told at the first try, nobody is invited, and the owner cancels and begins again', async () => {
    const draft = await createDraft(app, ana, { title: 'Garagem', signers: [{ name: 'Bia Lima', email: 'bia@exemplo.com.br' }] });
    const twoRoles = await putBytes(app.ctx.storage, pageInTwoRoles());
    const ofDraft = draft.documentIds[0] ?? '';
    const blob = { blob_hash: twoRoles.sha256, size: twoRoles.size };
    await app.ctx.db.updateTable('document_revision').set(blob).where('document_id', '=', ofDraft).execute();
    await app.ctx.db.updateTable('document').set({ hash: twoRoles.sha256 }).where('id', '=', ofDraft).execute();
    await app.call(api.startSignatureProcess, { token: ana.token, params: { id: draft.id } });
    await app.runJobs();
    const { body } = await app.call(api.getSubDataProcess, { token: ana.token, params: { processId: draft.id } });
    assert.equal(body.problem, 'document.notVerifiable');
    const told = async () => (await app.mailbox.list()).filter(({ subject }) => subject.includes('Garagem')).map(({ to }) => to);
    assert.deepEqual(await told(), [ana.email]);
    assert.equal((await app.call(api.cancelProcess, { token: ana.token, params: { id: draft.id } })).status, 204);
    await app.runJobs();
    assert.deepEqual(await told(), [ana.email]);
    const next = await startedProcess(app, ana, { title: 'Outra garagem', signers: [{ name: 'Bia Lima', email: 'bia@exemplo.com.br' }] });
    assert.equal((await app.call(api.getSubDataProcess, { token: ana.token, params: { processId: next.id } })).body.problem, null);
  });
});

describe('a storage that is away while documents are prepared', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp({ clock: frozenClock() });
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  it('delays the preparation without end: the owner is told, and the signers are invited when it is back', async () => {
    const draft = await createDraft(app, ana, { title: 'Espera', signers: [{ name: 'Bia Lima', email: 'bia@exemplo.com.br' }] });
    const folder = join(app.dataDir, 'blobs');
    await rename(folder, `${folder}.away`);
    await writeFile(folder, 'the disk is not mounted');
    await app.call(api.startSignatureProcess, { token: ana.token, params: { id: draft.id } });
    await exhaustJobs(app, 'prepare-documents');
    const problem = async () => (await app.call(api.getSubDataProcess, { token: ana.token, params: { processId: draft.id } })).body.problem;
    assert.equal(await problem(), 'process.preparationDelayed');
    assert.deepEqual(await app.mailbox.list(), []);
    await rm(folder);
    await rename(`${folder}.away`, folder);
    app.clock.advance({ minutes: 21 });
    await resumePreparationJob.run(app.ctx, {});
    await resumePreparationJob.run(app.ctx, {});
    await app.runJobs();
    assert.equal(await problem(), null);
    assert.deepEqual(
      (await app.mailbox.list()).map(({ to }) => to),
      ['bia@exemplo.com.br'],
    );
  });
});
