import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { memorySource, openPdf, preparePdf, readAll, withRevision } from '@lavra/pades';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { conformingPdf } from '../../../../../packages/pades/src/testing/conforming.ts';
import { wasAdmitted } from './stored-pdf.ts';
import { pageInTwoRoles, samplePdf, startedProcess, upload } from '../../testing/processes.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const stored = (bytes: Uint8Array) => ({ parts: [{ blobHash: sha256(bytes), size: bytes.length, offset: 0 }] });

describe('uploading', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp({ config: { maxUploadBytes: 1024 * 1024 } });
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  it('keeps the bytes as they came, under their SHA-256', async () => {
    const bytes = await samplePdf(3);
    const { status, body } = await upload(app, ana.token, [{ name: 'Contrato São Paulo.pdf', bytes }]);
    assert.equal(status, 200);
    const [document] = body;
    assert.equal(document?.hash, sha256(bytes));
    assert.deepEqual(
      [document?.name, document?.size, document?.pageCount, document?.priorSignatures],
      ['Contrato São Paulo.pdf', bytes.length, 3, 0],
    );
    assert.deepEqual(document?.pages[0], { box: [0, 0, 595.28, 841.89], rotate: 0, userUnit: 1 });
    const back = await app.call(api.downloadOriginal, { token: ana.token, params: { id: document?.id ?? '' } });
    assert.deepEqual(back.raw.rawPayload, bytes);
    assert.equal(wasAdmitted(stored(bytes)), true);
  });

  it('answers what preparing it will do to it: open form fields are closed, and its owner is told again in the process’s details', async () => {
    const source = memorySource(new Uint8Array(await samplePdf(1)));
    const at = (y: number) => ({ page: 1, rect: { x: 72, y, width: 200, height: 24 } });
    const textFields = [
      { name: 'cidade', at: at(500) },
      { name: 'data', at: at(440) },
    ];
    const form = Buffer.from(await readAll(withRevision(source, await preparePdf(await openPdf(source), { textFields }))));
    // What the engine prepares is read-only: this form is anybody's.
    const open = Buffer.from(form.toString('latin1').replaceAll('/Ff 4097', '/Ff 4096'), 'latin1');
    const { body } = await upload(app, ana.token, [
      { name: 'ficha.pdf', bytes: open },
      { name: 'fechada.pdf', bytes: form },
    ]);
    const told = [{ code: 'fieldsClosed', params: { count: 2 } }];
    assert.deepEqual(
      body.map(({ notices }) => notices),
      [told, []],
    );
    const draft = await startedProcess(app, ana, { bytes: open });
    const { body: details } = await app.call(api.getSubDataProcess, { token: ana.token, params: { processId: draft.id } });
    assert.deepEqual(details.documents[0]?.notices, told);
  });

  it('answers which standard a file claims that signing may not keep, and is silent of those that it keeps', async () => {
    const { body } = await upload(app, ana.token, [
      { name: 'conhecido.pdf', bytes: Buffer.from(conformingPdf({ pdfA: { part: 2, level: 'A' }, pdfUa: 1 })) },
      { name: 'novo.pdf', bytes: Buffer.from(conformingPdf({ pdfA: { part: 2, level: 'A' }, pdfUa: 5 as 1 })) },
    ]);
    assert.deepEqual(
      body.map(({ notices }) => notices),
      [[], [{ code: 'conformanceUnsure', params: { standard: 'PDF/A-2a, PDF/UA-5' } }]],
    );
  });

  it('stand in the security log when they are downloaded, once for all the parts that a browser asks for', async () => {
    const { body } = await upload(app, ana.token, [{ name: 'baixado.pdf', bytes: await samplePdf() }]);
    const id = body[0]?.id ?? '';
    for (const range of ['bytes=0-9', 'bytes=10-19']) {
      const part = await app.call(api.downloadOriginal, { token: ana.token, params: { id }, headers: { range } });
      assert.equal(part.status, 206);
    }
    const noted = await app.ctx.db.selectFrom('audit_event').selectAll().where('subject_id', '=', id).execute();
    assert.deepEqual(
      noted.map(({ kind, outcome, reason, account_id }) => [kind, outcome, reason, account_id]),
      [['download', 'success', 'original', ana.id]],
    );
  });

  it('refuses what cannot be signed with a sentence each, keeps nothing of it, and never answers 5xx', async () => {
    const good = await samplePdf();
    const text = good.toString('latin1');
    const files: [string, Buffer, number, string][] = [
      ['texto.pdf', Buffer.from('just text, no PDF at all'), 400, 'document.notPdf'],
      ['vazio.pdf', Buffer.alloc(0), 400, 'document.empty'],
      ['cortado.pdf', good.subarray(0, 120), 400, 'document.damaged'],
      [
        'cifrado.pdf',
        Buffer.from(
          text.replace(
            'trailer\n<<',
            'trailer\n<<\n/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O (................................) /U (................................) >>',
          ),
          'latin1',
        ),
        400,
        'document.encrypted',
      ],
      [
        'sem-paginas.pdf',
        Buffer.from(
          '%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\nxref\n0 3\n0000000000 65535 f \n0000000009 00000 n \n0000000056 00000 n \ntrailer\n<</Size 3/Root 1 0 R>>\nstartxref\n104\n%%EOF\n',
          'latin1',
        ),
        400,
        'document.noPages',
      ],
      ['formulario.pdf', undrawableForm(), 400, 'document.formNotDrawable'],
      ['do-autor.pdf', forbiddenByOwner(), 400, 'document.ownerForbids'],
      ['dois-papeis.pdf', pageInTwoRoles(), 400, 'document.notVerifiable'],
      ['grande.pdf', Buffer.concat([good, Buffer.alloc(1024 * 1024)]), 413, 'document.tooLarge'],
    ];
    const before = (await app.ctx.db.selectFrom('document').select('id').execute()).length;
    for (const [name, bytes, status, code] of files) {
      const answer = await upload(app, ana.token, [{ name, bytes }]);
      assert.deepEqual([answer.status, answer.code], [status, code], name);
      const { detail, params } = answer.raw.json();
      assert.equal(params.name, name);
      assert.ok(detail.includes(name) && !detail.includes('{{'), detail);
      assert.equal(wasAdmitted(stored(bytes)), false, name);
    }
    assert.equal((await app.ctx.db.selectFrom('document').select('id').execute()).length, before);
    assert.deepEqual(await readdir(join(app.dataDir, 'blobs/tmp')), []);
  });

  it('keeps the hash of the file with a password that one was opened from, and no hash that is none', async () => {
    const form = (openedFrom: string, bytes: Buffer) => {
      const head = (name: string, more = '') => `--corte\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
      const before = `${head('openedFrom')}${openedFrom}\r\n${head('files', '; filename="aberto.pdf"')}`;
      return Buffer.concat([Buffer.from(before), bytes, Buffer.from('\r\n--corte--\r\n')]);
    };
    const send = async (openedFrom: string) =>
      app.inject({
        method: 'POST',
        url: '/api/documents',
        headers: { authorization: `Bearer ${ana.token}`, 'content-type': 'multipart/form-data; boundary=corte' },
        payload: form(openedFrom, await samplePdf()),
      });
    const hash = 'ab'.repeat(32);
    const [document] = (await send(hash)).json();
    assert.equal(document.openedFrom, hash);
    const row = await app.ctx.db.selectFrom('document').select('opened_from').where('id', '=', document.id).executeTakeFirst();
    assert.equal(row?.opened_from, hash);
    const refused = await send('segredo');
    assert.deepEqual([refused.statusCode, refused.json().errorKey], [400, 'request.invalid']);
    assert.doesNotMatch(refused.body, /segredo/);
  });

  it('names the fault when nothing was sent, and when what was sent is no form', async () => {
    assert.equal((await upload(app, ana.token, [])).code, 'process.documentsRequired');
    const json = await app.inject({
      method: 'POST',
      url: '/api/documents',
      headers: { authorization: `Bearer ${ana.token}` },
      payload: {},
    });
    assert.ok(json.statusCode >= 400 && json.statusCode < 500);
  });

  it('makes one document of a request that is repeated with its key', async () => {
    const bytes = await samplePdf();
    const send = () => upload(app, ana.token, [{ name: 'uma-vez.pdf', bytes }], { 'idempotency-key': 'upload-1' });
    const [first, second] = [await send(), await send()];
    assert.equal(first.body[0]?.id, second.body[0]?.id);
  });

  it('needs a session', async () => {
    assert.equal((await upload(app, 'nobody', [])).status, 401);
  });
});

describe('a document', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  it('is seen by its owner and by who holds a signer’s link, and by nobody else', async () => {
    const [ana, eva] = [await signedInAccount(app), await signedInAccount(app)];
    const { documentIds, signerIds } = await startedProcess(app, ana);
    const [documentId = '', user = ''] = [documentIds[0], signerIds[0]];
    const view = (input: { token?: string; query?: { user?: string } }) => app.call(api.viewDocument, { params: { documentId }, ...input });
    assert.equal((await view({ token: ana.token })).status, 200);
    assert.equal((await view({ query: { user } })).status, 200);
    for (const stranger of [{}, { token: eva.token }, { query: { user: randomUUID() } }, { query: { user: 'x' } }]) {
      const { status } = await view(stranger);
      assert.ok(status === 404 || status === 403 || status === 401, String(status));
    }
    assert.equal((await app.call(api.viewDocument, { params: { documentId: 'no-uuid' }, token: ana.token })).status, 404);
  });

  it('is swept a day later when no process took it', async () => {
    const ana = await signedInAccount(app);
    const { body } = await upload(app, ana.token, [{ name: 'esquecido.pdf', bytes: await samplePdf() }]);
    app.clock.advance({ hours: 24, minutes: 1 });
    const { deleteAbandonedDocuments } = await import('./sweep-documents.ts');
    await deleteAbandonedDocuments(app.ctx, new Date(app.clock.now().getTime() - 24 * 3_600_000));
    const rows = await app.ctx.db
      .selectFrom('document')
      .select('id')
      .where('id', '=', body[0]?.id ?? '')
      .execute();
    assert.deepEqual(rows, []);
  });
});

/** A PDF of these objects, the first of them its catalog. */
function pdfOf(objects: readonly string[], trailer = ''): Buffer {
  let text = '%PDF-1.7\n';
  const rows = objects.map((object, index) => {
    const row = `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return row;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<</Size ${size}/Root 1 0 R ${trailer}>>\n`;
  return Buffer.from(`${text}${table}startxref\n${text.length}\n%%EOF\n`, 'latin1');
}

const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>';

/** Readers are asked to draw it, and its font is nowhere. */
function undrawableForm(): Buffer {
  const catalog = '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/NeedAppearances true>>>>';
  const field = '<</Type/Annot/Subtype/Widget/FT/Tx/T(nome)/V(Ana)/DA(/Fonte9 12 Tf)/Rect[10 10 100 30]/P 3 0 R>>';
  return pdfOf([catalog, '<</Type/Pages/Kids[3 0 R]/Count 1>>', page, field]);
}

/** It opens without a password; its owner permits no changes (bit 4 of P). Made by qpdf. */
function forbiddenByOwner(): Buffer {
  const owner = 'e96275001d30f31a3c8c68dcce70c07acab7a6b6f4f987cf0231286237747101';
  const user = '31115b71aececa49c22ebad3e5df0ecf2f877100417165d07bc528d19fa8ecd8';
  const id = '31415926535897932384626433832795';
  const encrypt = `<</Filter/Standard/Length 40/O<${owner}>/P -12/R 2/U<${user}>/V 1>>`;
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>', page, encrypt];
  return pdfOf(objects, `/Encrypt 4 0 R/ID[<${id}><${id}>]`);
}
