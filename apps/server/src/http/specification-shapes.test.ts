import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signedInAccount, type TestAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { samplePdf, signElectronically, upload } from '../testing/processes.ts';

/** Section 7 alone: bodies as a client writes them that knows nothing of what was added. */
describe('a client written from the specification alone', () => {
  let app: TestApp;
  let ana: TestAccount;
  let bia: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { email: 'ana@exemplo.com.br' });
    bia = await signedInAccount(app, { email: 'bia@exemplo.com.br' });
  });
  after(() => app.close());

  async function post(path: string, payload: object, token?: string) {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    return app.inject({ method: 'POST', url: `/api/${path}`, headers, payload });
  }

  /** The creation sequence of section 4. */
  async function create(stakeholder: object): Promise<{ id: string; documentId: string; signerId: string }> {
    const { token } = ana;
    const files = await upload(app, token, [{ name: 'contrato.pdf', bytes: await samplePdf() }]);
    const [document] = files.body;
    const opened = await post(
      'signature-processes',
      { title: 'Locação', type: 'ELETRONIC_SIGNATURE', files: files.body, createdByFront: true },
      token,
    );
    assert.equal(opened.statusCode, 200, `dueDate, createdDate and reminderIn are left out: ${opened.body}`);
    const { id } = opened.json<{ id: string }>();
    const signer = { name: 'Bia Lima', email: bia.email, phoneNumber: '+55 11 98765-4321', order: 0, signatureProcess: { id } };
    const visibleSignature = [{ name: 'contrato.pdf', page: 1, x: 100, y: 500, realSignature: true }];
    const added = await post('signers', { signer, signatureVisibleActive: true, visibleSignature, modelId: null }, token);
    assert.equal(added.statusCode, 200, added.body);
    assert.equal((await post('stakeholders', { ...stakeholder, signatureProcess: { id } }, token)).statusCode, 200);
    assert.equal((await post(`signature-processes/${id}/start`, {}, token)).statusCode, 204);
    await app.runJobs();
    return { id, documentId: document?.id ?? '', signerId: added.json<{ id: string }>().id };
  }

  it('creates with visibleSignature (name, page, x, y, realSignature), without deadlines, with either spelling of a stakeholder', async () => {
    await create({ name: 'Eva Dias', email: 'eva@exemplo.com.br' });
    const { id } = await create({ stakeholderName: 'Eva Dias', stakeholderEmail: 'eva@exemplo.com.br' });
    const { body } = await app.call(api.getRequisitionInformation, { token: ana.token, params: { processId: id }, query: {} });
    assert.equal(body.signers.length, 1);
  });

  it('shows the signer’s phoneNumber, at most 20, to whoever holds their link', async () => {
    const { id, signerId } = await create({ name: 'Eva Dias', email: 'eva@exemplo.com.br' });
    const shown = await app.call(api.getRequisitionInformation, { params: { processId: id }, query: { user: signerId } });
    assert.equal(shown.body.signers[0]?.phoneNumber, '+55 11 98765-4321');
    const open = await app.call(api.getRequisitionInformation, { params: { processId: id }, query: {} });
    assert.equal(open.body.signers[0]?.phoneNumber, null, 'a visitor does not see it');
    const signer = { name: 'Bia Lima', email: bia.email, phoneNumber: '9'.repeat(21), order: 0, signatureProcess: { id } };
    const refused = await post('signers', { signer, signatureVisibleActive: false, visibleSignature: [] }, ana.token);
    assert.equal(refused.json<{ title: string }>().title, 'signer.phoneInvalid');
  });

  it('verifies with GET loginValidation and GET validation, param documentId, without more', async () => {
    const { id, documentId, signerId } = await create({ name: 'Eva Dias', email: 'eva@exemplo.com.br' });
    assert.equal((await signElectronically(app, id, signerId)).status, 204);
    const entered = await app.inject({ method: 'GET', url: `/api/loginValidation?documentId=${documentId}&emailSigner=${bia.email}` });
    assert.equal(entered.json<{ reason: string }>().reason, 'Permitido');
    const cookie = String([entered.headers['set-cookie']].flat()[0]).split(';')[0] ?? '';
    const seen = await app.inject({ method: 'GET', url: `/api/validation?documentId=${documentId}`, headers: { cookie } });
    assert.equal(seen.json<{ nameDocument: string }>().nameDocument, 'contrato.pdf');
  });

  it('is refused where generateEvidencePage or registerSignatureEvidence names what is not there, and without a session or a link', async () => {
    const { id, signerId } = await create({ name: 'Eva Dias', email: 'eva@exemplo.com.br' });
    const call = (name: string, body: object, token?: string) => post(`signature-evidences/${name}`, body, token);
    for (const name of ['generateEvidencePage', 'registerSignatureEvidence']) {
      assert.ok((await call(name, { processId: 'nope' })).statusCode >= 400, name);
      assert.ok((await call(name, { processId: id })).statusCode >= 400, `${name} by a stranger`);
      assert.ok((await call(name, { processId: randomUUID(), signerId })).statusCode >= 400, `${name} of another process`);
    }
    assert.equal((await signElectronically(app, id, signerId)).status, 204);
    const page = await call('generateEvidencePage', { processId: id }, ana.token);
    assert.equal(page.statusCode, 200, page.body);
  });
});
