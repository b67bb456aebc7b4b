import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import * as api from '@lavra/api';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { frozenClock } from '../../testing/clock.ts';
import { signElectronically, startedProcess, type TestDraft } from '../../testing/processes.ts';
import { testTimestamps } from '../../testing/timestamps.ts';
import { removeForgotten } from '../stored-files/remove-forgotten.ts';

const run = promisify(execFile);

describe('the copy to print (downloadWithFooter)', () => {
  let app: TestApp;
  let ana: TestAccount;
  let draft: TestDraft;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lavra-copy-'));
    const clock = frozenClock();
    app = await startTestApp({ clock, timestamps: await testTimestamps(clock) });
    ana = await signedInAccount(app);
    draft = await startedProcess(app, ana, { signers: [{ name: 'Bia Lima', email: 'bia@exemplo.com.br' }] });
  });
  after(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });
  const documentId = () => draft.documentIds[0] ?? '';
  const copy = (user?: string) =>
    app.call(api.downloadWithFooter, { params: { id: documentId() }, ...(user ? { query: { user } } : { token: ana.token }) });
  const copies = async () =>
    Number(
      (
        await app.ctx.db
          .selectFrom('blob')
          .select((eb) => eb.fn.countAll().as('n'))
          .where('kind', '=', 'copy')
          .executeTakeFirstOrThrow()
      ).n,
    );

  it('does not exist before everybody has signed', async () => {
    assert.equal((await copy()).code, 'document.notFinished');
    assert.equal(await copies(), 0);
    await signElectronically(app, draft.id, draft.signerIds[0] ?? '', { name: 'Bia Lima' });
  });

  it('has a footer on every page (identifier, address, page n of m), is sealed, and has the signed file in it', async () => {
    const answers = await Promise.all([copy(), copy(draft.signerIds[0])]);
    for (const { status, headers } of answers) {
      assert.equal(status, 200);
      assert.match(String(headers['content-disposition']), /para-imprimir\.pdf/);
    }
    const path = join(folder, 'copy.pdf');
    await writeFile(path, (await copy()).raw.rawPayload);
    const { stdout: info } = await run('pdfinfo', [path]);
    const pages = Number(/Pages:\s+(\d+)/.exec(info)?.[1]);
    for (let page = 1; page <= pages; page += 1) {
      const { stdout: text } = await run('pdftotext', ['-f', String(page), '-l', String(page), path, '-']);
      assert.ok(text.includes(`Documento ${documentId()}, página ${page} de ${pages}`), text);
      assert.ok(text.includes(`http://lavra.test/validateLogin?docId=${documentId()}`));
    }
    const { stdout: signatures } = await run('pdfsig', ['-nocert', path]);
    assert.equal(signatures.match(/Signature is Valid/g)?.length, 1, 'the platform’s seal alone');
    const { stdout: inside } = await run('qpdf', ['--show-attachment=lavra-signed.pdf', path], { encoding: 'buffer', maxBuffer: 1 << 28 });
    const params = { processId: draft.id, documentId: documentId() };
    const signed = await app.call(api.downloadSignature, { token: ana.token, params });
    assert.ok(inside.equals(signed.raw.rawPayload), 'the signed file, byte for byte');
  });

  it('is made once, stays the same, and its bytes stay while the document refers to them', async () => {
    const first = (await copy()).raw.rawPayload;
    app.clock.advance({ days: 3 });
    await removeForgotten(app.ctx);
    assert.ok((await copy(draft.signerIds[0])).raw.rawPayload.equals(first));
    assert.equal(await copies(), 1);
  });

  it('is made a few times at most by many who ask at once, and then for all of them', async () => {
    const eva = await signedInAccount(app);
    const other = await startedProcess(app, eva, { signers: [{ name: 'Bia Lima', email: 'bia@exemplo.com.br' }] });
    await signElectronically(app, other.id, other.signerIds[0] ?? '', { name: 'Bia Lima' });
    const ask = () => app.call(api.downloadWithFooter, { params: { id: other.documentIds[0] ?? '' }, query: { user: other.signerIds[0] } });
    const codes = (await Promise.all(Array.from({ length: 9 }, ask))).map(({ status }) => status).toSorted();
    assert.deepEqual(codes, [200, 200, 200, 200, 429, 429, 429, 429, 429]);
    assert.equal((await ask()).status, 200, 'what is kept costs nothing');
  });

  it('is somebody else’s no more than the document is', async () => {
    const rui = await signedInAccount(app);
    assert.equal((await app.call(api.downloadWithFooter, { token: rui.token, params: { id: documentId() } })).code, 'document.notFound');
    assert.equal((await app.call(api.downloadWithFooter, { params: { id: documentId() } })).status, 401);
  });
});
