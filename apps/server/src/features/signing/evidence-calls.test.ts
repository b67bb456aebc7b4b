import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { createDraft, signaturePng, signElectronically, startedProcess } from '../../testing/processes.ts';

describe('the evidence of a signature', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  const register = async (processId: string, signerId: string) => {
    const { status, code } = await app.call(api.registerSignatureEvidence, { body: { processId, signerId } });
    return [status, code];
  };
  const generate = async (processId: string, who: { signerId?: string; token?: string } = {}) => {
    const { signerId, token } = who;
    const { status, code, body } = await app.call(api.generateEvidencePage, {
      body: { processId, signerId },
      ...(token === undefined ? {} : { token }),
    });
    return status === 200 ? [status, body.id] : [status, code];
  };

  it('is acknowledged to a signer of that process alone, however often', async () => {
    const { id, signerIds } = await startedProcess(app, ana);
    const other = await startedProcess(app, ana);
    const draft = await createDraft(app, ana);
    const [signerId = ''] = signerIds;
    const none = [404, 'signer.notFound'];
    assert.deepEqual(await register(id, other.signerIds[0] ?? ''), none);
    assert.deepEqual(await register(id, randomUUID()), none);
    assert.deepEqual(await register(randomUUID(), signerId), none);
    assert.deepEqual(await register(draft.id, draft.signerIds[0] ?? ''), none);
    await signElectronically(app, id, signerId);
    assert.equal((await register(id, signerId))[0], 204);
    assert.equal((await register(id, signerId))[0], 204);
  });

  it('is recorded as an event by its hash: once, after the act, while the process goes on', async () => {
    const signers = [
      { name: 'Bia Lima', email: 'bia@exemplo.com.br' },
      { name: 'Caio Reis', email: 'caio@exemplo.com.br' },
    ];
    const { id, signerIds } = await startedProcess(app, ana, { signers });
    const [signerId = '', next = ''] = signerIds;
    const signatureEvidence = {
      latitude: -23.5,
      longitude: -46.6,
      accuracy: 12,
      signatureImage: signaturePng(),
      signatureImageContentType: 'image/png',
    };
    const send = (who: string) => app.call(api.registerSignatureEvidence, { body: { processId: id, signerId: who, signatureEvidence } });
    const recorded = async () => {
      const rows = await app.ctx.db.selectFrom('event').select(['type', 'data']).where('signature_process_id', '=', id).execute();
      return rows.filter(({ type }) => type === 'signer.evidenceRegistered').map(({ data }) => data);
    };
    assert.equal((await send(signerId)).status, 204);
    assert.deepEqual(await recorded(), [], 'there is no act yet');
    await signElectronically(app, id, signerId);
    for (const one of await Promise.all([send(signerId), send(signerId), send(signerId)])) assert.equal(one.status, 204, one.raw.body);
    const [event, ...more] = await recorded();
    assert.deepEqual(more, []);
    assert.equal(event?.['evidence'], createHash('sha256').update(JSON.stringify(signatureEvidence)).digest('hex'));
    assert.equal(JSON.stringify(event).includes('23.5'), false, 'places stay out of the log');
    await signElectronically(app, id, next);
    assert.equal((await send(next)).status, 204);
    assert.equal((await recorded()).length, 1, 'what has ended is sealed as it stands');
  });

  it('has its report when the process has finished, for its owner and its signers, and is not found by others', async () => {
    const { id, signerIds } = await startedProcess(app, ana);
    const [signerId = ''] = signerIds;
    const eva = await signedInAccount(app);
    const other = await startedProcess(app, eva);
    assert.deepEqual((await generate(id, { signerId }))[1], 'document.notFinished');
    await signElectronically(app, id, signerId);
    for (let time = 0; time < 2; time += 1) assert.deepEqual(await generate(id, { signerId }), [200, 'evidence']);
    assert.deepEqual(await generate(id, { token: ana.token }), [200, 'evidence']);
    const selection = { params: { processId: id }, query: { user: signerId, items: 'evidence' } };
    assert.equal((await app.call(api.downloadSelection, selection)).status, 200, 'its id is one that can be downloaded');
    assert.deepEqual(await generate(id), [401, 'request.unauthorized']);
    const none = [404, 'process.notFound'];
    assert.deepEqual(await generate(id, { token: eva.token }), none);
    assert.deepEqual(await generate(id, { signerId: other.signerIds[0] ?? '' }), none);
    assert.deepEqual(await generate(randomUUID(), { signerId }), none);
  });
});
