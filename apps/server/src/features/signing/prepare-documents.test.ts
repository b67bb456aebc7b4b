import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { inspectPdf, openPdf } from '@lavra/pades';
import PDFDocument from 'pdfkit';
import { putBytes } from '../../storage/blob-store.ts';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { frozenClock } from '../../testing/clock.ts';
import { exhaustJobs } from '../../testing/jobs.ts';
import { createDraft, pageInTwoRoles, startedProcess } from '../../testing/processes.ts';
import { openDocumentFile } from '../documents/document-file.ts';
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

describe('a signature page', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  it('is turned as most pages of its document are, as they are shown', async () => {
    const ana = await signedInAccount(app);
    const pageOf = async (pages: readonly [number, number, 0 | 90][]) => {
      const pdf = new PDFDocument({ autoFirstPage: false });
      for (const [width, height, rotate] of pages) {
        const { dictionary } = pdf.addPage({ size: [width, height] }).page;
        Object.assign(dictionary.data, { Rotate: rotate });
      }
      pdf.end();
      const chunks: Buffer[] = [];
      for await (const chunk of pdf as unknown as AsyncIterable<Buffer>) chunks.push(chunk);
      const { documentIds } = await startedProcess(app, ana, { bytes: Buffer.concat(chunks) });
      const prepared = await openPdf((await openDocumentFile(app.ctx, documentIds[0] ?? '')).source);
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = (await inspectPdf(prepared)).pages.at(-1)?.visibleBox ?? [];
      return x1 - x0 > y1 - y0 ? 'landscape' : 'portrait';
    };
    assert.equal(await pageOf([[842, 595, 0]]), 'landscape');
    assert.equal(await pageOf([[595, 842, 90]]), 'landscape');
    assert.equal(
      await pageOf([
        [595, 842, 0],
        [595, 842, 0],
        [842, 595, 0],
      ]),
      'portrait',
    );
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
