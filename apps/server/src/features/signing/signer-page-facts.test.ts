import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { rateLimits } from '@lavra/api';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { createDraft, signElectronically, startedProcess } from '../../testing/processes.ts';

const own = '52998224725';
const other = '11144477735';

describe('what the signer’s page is told', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { firstName: 'Ana' });
  });
  after(() => app.close());
  const signers = [
    { name: 'Bia Lima', email: 'bia@exemplo.com.br', order: 0, box: { width: 150, height: 75 } },
    { name: 'Caio Reis', email: 'caio@exemplo.com.br', order: 0, box: { width: 150, height: 75 } },
  ];
  const told = async (id: string, user: string) =>
    (await app.call(api.getRequisitionInformation, { params: { processId: id }, query: { user } })).body;

  it('masks the e-mails of the others, and not the signer’s own', async () => {
    const { id, signerIds } = await startedProcess(app, ana, { signers });
    const { signers: seen } = await told(id, signerIds[0] ?? '');
    const emails = new Map(seen.map(({ name, email }) => [name, email]));
    assert.equal(emails.get('Bia Lima'), 'bia@exemplo.com.br');
    assert.match(emails.get('Caio Reis') ?? '', /^c\*+@exemplo\.com\.br$/);
  });

  it('names the places of the signer’s own signature in each document, with the model that is drawn there, and nobody else’s', async () => {
    const { id, signerIds, documentIds } = await startedProcess(app, ana, { signers, documents: ['a.pdf', 'b.pdf'] });
    const { me } = await told(id, signerIds[0] ?? '');
    assert.deepEqual(me?.places.map(({ documentId }) => documentId).toSorted(), documentIds.toSorted());
    assert.ok(me?.places.every(({ page, rect }) => page === 1 && rect.width === 150 && rect.height === 75));
    assert.equal(me?.model.imagePosition, 'TOP');
    const plain = await startedProcess(app, ana, {});
    assert.deepEqual((await told(plain.id, plain.signerIds[0] ?? '')).me?.places, []);
  });

  it('has the signer’s own language, which they change while they have not acted: what they agree to follows, the process’s does not', async () => {
    const { id, signerIds } = await startedProcess(app, ana, { signers });
    const [bia = '', caio = ''] = signerIds;
    const before = await told(id, bia);
    assert.equal(before.me?.langKey, 'pt-br');
    await app.call(api.setSignerLanguage, { params: { signerId: bia }, body: { langKey: 'es' } });
    const after = await told(id, bia);
    assert.equal(after.me?.langKey, 'es');
    assert.notEqual(after.consent.hash, before.consent.hash);
    assert.equal((await told(id, caio)).me?.langKey, 'pt-br');
    assert.equal((await signElectronically(app, id, bia)).status, 204);
    const late = await app.call(api.setSignerLanguage, { params: { signerId: bia }, body: { langKey: 'en' } });
    assert.equal(late.code, 'signer.alreadySigned');
  });

  it('tells a signer’s language wherever their link leads: before a code, at the download page, and on the telephone that draws', async () => {
    const { id, signerIds } = await startedProcess(app, ana, { langKey: 'es' });
    const [luz = ''] = signerIds;
    const handed = await app.call(api.getCurrentLinkSignature, { token: ana.token, params: { processId: id }, query: { signerId: luz } });
    const { code, me } = await told(id, new URL(handed.body.link).searchParams.get('user') ?? '');
    assert.deepEqual([code?.langKey, me], ['es', null]);
    const { address } = (await app.call(api.awaitDrawing, { params: { signerId: luz }, body: { processId: id } })).body;
    assert.equal(address.split('#')[0], `${app.ctx.publicUrl}/draw?lang=es`);
    const listed = async (asked: { token?: string; query: { user?: string } }) =>
      (await app.call(api.getDownloadItems, { params: { processId: id }, ...asked })).body.langKey;
    assert.equal(await listed({ query: { user: luz } }), 'es');
    assert.equal(await listed({ token: ana.token, query: {} }), null);
  });

  it('names the services that tell a browser its address to who signs, and to nobody else', async () => {
    const urls = ['https://ip.exemplo.com.br/'];
    const other = await startTestApp({ config: { ipLookupUrls: urls } });
    try {
      const { id, signerIds } = await startedProcess(other, await signedInAccount(other, { firstName: 'Ana' }), { signers });
      const asked = async (user?: string) =>
        (await other.call(api.getRequisitionInformation, { params: { processId: id }, query: user === undefined ? {} : { user } })).body
          .ipLookupUrls;
      assert.deepEqual([await asked(signerIds[0]), await asked()], [urls, []]);
    } finally {
      await other.close();
    }
    const { id, signerIds } = await startedProcess(app, ana, { signers });
    assert.deepEqual((await told(id, signerIds[0] ?? '')).ipLookupUrls, []);
  });

  it('says at the first step that a CPF is not the one of the invitation, and lets nobody guess it by asking', async () => {
    const draft = await createDraft(app, ana, { signers: [] });
    const added = await app.call(api.createSigner, {
      token: ana.token,
      body: {
        signer: {
          name: 'Bia Lima',
          email: 'bia@exemplo.com.br',
          order: 0,
          legalIdentifier: own,
          signatureProcess: { id: draft.id },
        },
        signatureVisibleActive: false,
        visibleSignature: [],
      },
    });
    assert.equal(added.status, 200, added.raw.body);
    const signerId = added.body.id;
    await app.call(api.startSignatureProcess, { token: ana.token, params: { id: draft.id } });
    await app.runJobs();
    const check = (cpf: string) => app.call(api.checkSignerCpf, { params: { signerId }, body: { processId: draft.id, cpf } });
    assert.equal((await check(own)).status, 204);
    const wrong = await check(other);
    assert.deepEqual([wrong.status, wrong.code], [400, 'signer.otherCpf']);
    assert.equal((await check('123')).code, 'evidence.cpfInvalid');
    for (let count = 2; count < rateLimits['signer-cpf'].most; count += 1) await check(other);
    assert.equal((await check(own)).code, 'request.tooMany');
  });

  it('any CPF will do at the first step where the sender named none', async () => {
    const { id, signerIds } = await startedProcess(app, ana, {});
    const [signerId = ''] = signerIds;
    const answer = await app.call(api.checkSignerCpf, { params: { signerId }, body: { processId: id, cpf: other } });
    assert.equal(answer.status, 204);
  });
});
