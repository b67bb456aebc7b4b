import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import * as api from '@lavra/api';
import { listUnpreparedProcessIds } from '../processes/processes.store.ts';
import { listProcessDocuments } from './process-documents.ts';
import { putBytes } from '../../storage/blob-store.ts';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { exhaustJobs } from '../../testing/jobs.ts';
import { createDraft, samplePdf, signElectronically, startedProcess, upload } from '../../testing/processes.ts';
import { verifyOnce } from '../verification/verify-once.ts';
import { openDocumentFile } from './document-file.ts';

/** Two object streams that inflate to 100 MB each, which the catalog and the page tree stand in. */
function inflating(): Buffer {
  const objects: string[] = [];
  for (const [stream, num, text] of [
    [10, 1, '<</Type/Catalog/Pages 2 0 R>>'],
    [11, 2, '<</Type/Pages/Kids[3 0 R]/Count 1>>'],
  ] as const) {
    const head = `${num} 0 `;
    const data = deflateSync(Buffer.concat([Buffer.from(head + text), Buffer.alloc(100 << 20, ' ')])).toString('latin1');
    objects[stream] = `<</Type/ObjStm/N 1/First ${head.length}/Filter/FlateDecode/Length ${data.length}>>stream\n${data}\nendstream`;
  }
  objects[3] = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>';
  let file = '%PDF-1.7\n';
  const table = Buffer.alloc(13 * 7);
  const row = (num: number, type: number, where: number) => {
    table.writeUInt8(type, num * 7);
    table.writeUInt32BE(where, num * 7 + 1);
  };
  objects.forEach((text, num) => {
    row(num, 1, file.length);
    file += `${num} 0 obj\n${text}\nendobj\n`;
  });
  row(1, 2, 10);
  row(2, 2, 11);
  row(12, 1, file.length);
  const start = file.length;
  file += `12 0 obj\n<</Type/XRef/Size 13/W[1 4 2]/Root 1 0 R/Length ${table.length}>>stream\n${table.toString('latin1')}\nendstream\nendobj\n`;
  return Buffer.from(`${file}startxref\n${start}\n%%EOF\n`, 'latin1');
}

describe('a file made to harm', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  it('is refused with its own code, while everybody else is answered', async () => {
    await upload(app, ana.token, [{ name: 'bom.pdf', bytes: await samplePdf() }]);
    const bytes = inflating();
    const before = process.threadCpuUsage();
    const sent = upload(app, ana.token, [{ name: 'bomba.pdf', bytes }]);
    const healthy = await app.inject('/management/health/liveness');
    const answer = await sent;
    const { user, system } = process.threadCpuUsage(before);
    assert.equal(healthy.statusCode, 200);
    assert.deepEqual([answer.status, answer.code], [400, 'document.tooComplex']);
    assert.match(JSON.stringify(answer.body), /“bomba\.pdf”/);
    // All of the main thread's own work; reading the file there took 2.7 s.
    assert.ok((user + system) / 1000 < 1500, `${Math.round((user + system) / 1000)} ms`);
    assert.equal((await upload(app, ana.token, [{ name: 'bom.pdf', bytes: await samplePdf() }])).status, 200);
  });

  it('that shows it only when it is prepared is named to its owner, and not prepared again and again', async () => {
    const draft = await createDraft(app, ana, { documents: ['bomba.pdf'] });
    const documentId = draft.documentIds[0] ?? '';
    const blob = await putBytes(app.ctx.storage, inflating());
    const { db } = app.ctx;
    await db
      .updateTable('document_revision')
      .set({ blob_hash: blob.sha256, size: blob.size })
      .where('document_id', '=', documentId)
      .execute();
    await db.updateTable('document').set({ hash: blob.sha256 }).where('id', '=', documentId).execute();
    await app.call(api.startSignatureProcess, { token: ana.token, params: { id: draft.id } });
    await exhaustJobs(app, 'prepare-documents');
    const { body } = await app.call(api.getSubDataProcess, { token: ana.token, params: { processId: draft.id } });
    assert.deepEqual([body.problem, body.problemParams], ['document.tooComplex', { name: 'bomba.pdf' }]);
    assert.deepEqual(await listUnpreparedProcessIds(app.ctx, new Date(app.clock.now().getTime() + 86_400_000)), []);
  });

  it('is verified once for all who ask at once', async () => {
    const draft = await startedProcess(app, ana, { signers: [{ name: 'Bia Lima', email: 'bia@exemplo.com.br' }] });
    await signElectronically(app, draft.id, draft.signerIds[0] ?? '');
    const file = await openDocumentFile(app.ctx, draft.documentIds[0] ?? '');
    const [first, second] = [verifyOnce(app.ctx, file, '203.0.113.1'), verifyOnce(app.ctx, file, '203.0.113.2')];
    assert.equal(first, second);
    assert.equal((await first).ofSigner(0)?.indication, 'TOTAL-PASSED');
    assert.notEqual(verifyOnce(app.ctx, file, '203.0.113.1'), first);
  });

  it('is verified for one address so often and no more', async () => {
    const draft = await startedProcess(app, ana, { signers: [{ name: 'Bia Lima', email: 'bia@exemplo.com.br' }] });
    const documentId = draft.documentIds[0] ?? '';
    const { body } = await app.call(api.loginValidation, { query: { documentId, emailSigner: 'bia@exemplo.com.br' } });
    const codes: (string | undefined)[] = [];
    for (let n = 0; n < 125; n += 1)
      codes.push((await app.call(api.getValidation, { ip: '203.0.113.77', query: { documentId, ticket: body.ticket ?? '' } })).code);
    assert.equal(codes[0], undefined);
    assert.equal(codes.at(-1), 'request.tooMany');
  });

  it('of many pages costs visitors nothing of its pages', async () => {
    const { id } = await createDraft(app, ana);
    const [document] = await listProcessDocuments(app.ctx, id);
    assert.equal(document?.pageCount, 2);
    assert.equal('pages' in (document ?? {}), false);
  });
});
