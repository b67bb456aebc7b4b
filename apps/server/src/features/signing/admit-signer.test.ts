import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { type TestAccount, signedInAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { sendElectronically, signaturePng, startedProcess } from '../../testing/processes.ts';

describe('whoever may not sign', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  const files = async () =>
    (await readdir(join(app.dataDir, 'blobs'), { recursive: true, withFileTypes: true })).filter((one) => one.isFile()).length;
  const rows = async () => (await app.ctx.db.selectFrom('rate_limit').select('bucket').where('bucket', 'like', 'sign%').execute()).length;
  const electronic = (processId: string, signerId: string, image = signaturePng()) =>
    app.call(api.initEletronicSignature, {
      body: {
        processId,
        signerId,
        cpf: '529.982.247-25',
        name: 'Bia Lima',
        consentHash: '0'.repeat(64),
        signatureEvidence: {
          latitude: null,
          longitude: null,
          accuracy: null,
          signatureImage: image,
          signatureImageContentType: 'image/png',
          signatureStyle: 'drawn',
        },
      },
    });
  const local = (processId: string, signerId: string, image = signaturePng()) =>
    app.call(api.prepareLocalSignature, {
      body: {
        processId,
        signerId,
        cpf: '52998224725',
        consentHash: '0'.repeat(64),
        certificate: 'AAAA',
        chain: [],
        source: 'file',
        appearance: { style: 'drawn', image },
      },
    });

  it('has nothing decoded, counted or stored: an invented process or signer costs a question alone', async () => {
    const { id } = await startedProcess(app, ana);
    const [stored, counted] = [await files(), await rows()];
    for (const act of [electronic, local]) {
      for (const [process, signer] of [
        [randomUUID(), randomUUID()],
        [id, randomUUID()],
      ] as const) {
        // A picture that cannot be decoded would be told as that, if it were looked at.
        const answer = await act(process, signer, Buffer.from('no picture').toString('base64'));
        assert.equal(answer.status, 404, answer.raw.body);
        assert.equal((await act(process, signer)).status, 404);
      }
    }
    assert.deepEqual([await files(), await rows()], [stored, counted]);
  });

  it('for want of a turn, of the right kind of process or of a process under way is told so before a picture is looked at', async () => {
    const draft = await startedProcess(app, ana, {
      signers: [
        { name: 'Bia Lima', email: 'bia@exemplo.com.br' },
        { name: 'Caio Reis', email: 'caio@exemplo.com.br' },
      ],
    });
    const stored = await files();
    const [first = '', second = ''] = draft.signerIds;
    const noPicture = Buffer.from('no picture').toString('base64');
    assert.equal((await electronic(draft.id, second, noPicture)).code, 'signer.notYourTurn');
    assert.equal((await local(draft.id, first, noPicture)).code, 'process.otherModality');
    assert.equal((await electronic(draft.id, first, noPicture)).code, 'evidence.imageInvalid');
    assert.equal(await files(), stored);
  });

  it('any more is counted by signer', async () => {
    const { id, signerIds } = await startedProcess(app, ana);
    const codes = [];
    for (let time = 0; time < 21; time += 1) codes.push((await electronic(id, signerIds[0] ?? '', 'AAAA')).code);
    assert.deepEqual([codes[19], codes[20]], ['evidence.imageInvalid', 'request.tooMany']);
    assert.equal((await sendElectronically(app, id, signerIds[0] ?? '')).code, 'request.tooMany');
  });

  it('and whoever may leaves no text of their own as an address in the evidence', async () => {
    for (const [clientIp, kept] of [
      ['2001:db8::7', '2001:db8::7'],
      ['203.0.113.9\u202e\nAssinado por: Ana', null],
      ['x'.repeat(100_000), null],
    ] as const) {
      const { id, signerIds } = await startedProcess(app, ana);
      assert.equal((await sendElectronically(app, id, signerIds[0] ?? '', { clientIp })).status, 204);
      const row = await app.ctx.db
        .selectFrom('signature_evidence')
        .select('client_ip')
        .where('signer_id', '=', signerIds[0] ?? '')
        .executeTakeFirstOrThrow();
      assert.equal(row.client_ip, kept);
    }
  });
});
