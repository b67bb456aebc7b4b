import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { DAY_MS, limits } from '@lavra/domain';
import { signedInAccount, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createDraft, startedProcess } from '../../../testing/processes.ts';

const box = { page: 1, x: 50, y: 50, width: 150, height: 75, realSignature: true };

describe('the creation sequence', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { firstName: 'Ana' });
  });
  after(() => app.close());

  const addSigner = (id: string, email: string, boxes: readonly object[] = []) =>
    app.call(api.createSigner, {
      token: ana.token,
      body: {
        signer: { name: 'Caio Reis', email, order: 1, signatureProcess: { id } },
        signatureVisibleActive: boxes.length > 0,
        visibleSignature: boxes as never,
      },
    });

  it('takes ascending deadlines of signers of one order, however the database sorts those who were added at one instant', async () => {
    const dueDate = (days: number) => new Date(app.clock.now().getTime() + days * DAY_MS).toISOString();
    for (let round = 0; round < 6; round += 1) {
      const person = (at: number) => ({
        name: 'Caio Reis',
        email: `caio${at}@exemplo.com.br`,
        order: at < 3 ? 0 : 1,
        dueDate: dueDate(2 + at),
      });
      const { id } = await createDraft(app, ana, { signers: [0, 1, 2, 3].map(person) });
      const started = await app.call(api.startSignatureProcess, { token: ana.token, params: { id } });
      assert.equal(started.status, 204, started.raw.body);
    }
  });

  it('adds a signer before the process starts, or not at all: what starts is what was checked and what its events tell', async () => {
    for (let round = 0; round < 8; round += 1) {
      const draft = await createDraft(app, ana);
      const [started, ...added] = await Promise.all([
        app.call(api.startSignatureProcess, { token: ana.token, params: { id: draft.id } }),
        addSigner(draft.id, `caio${round}a@exemplo.com.br`),
        addSigner(draft.id, `caio${round}b@exemplo.com.br`),
      ]);
      assert.equal(started?.status, 204);
      for (const one of added) assert.ok(one.status === 200 || one.code === 'process.notDraft', one.raw.body);
      const signers = await app.ctx.db.selectFrom('signer').select('id').where('signature_process_id', '=', draft.id).execute();
      const signatures = await app.ctx.db.selectFrom('signature').select('id').where('signature_process_id', '=', draft.id).execute();
      const event = await app.ctx.db
        .selectFrom('event')
        .select('data')
        .where('signature_process_id', '=', draft.id)
        .where('type', '=', 'process.started')
        .executeTakeFirstOrThrow();
      assert.equal((event.data as { signers: unknown[] }).signers.length, signers.length);
      assert.equal(signatures.length, signers.length);
    }
  });

  it('takes a thousand boxes of one signer and refuses more of them, for the signer and for the process', async () => {
    const draft = await createDraft(app, ana);
    const [documentId] = draft.documentIds;
    const boxes = (count: number) => Array.from({ length: count }, () => ({ ...box, documentId }));
    const { boxesPerSignerMax, boxesPerProcessMax } = limits;
    assert.equal((await addSigner(draft.id, 'muitas@exemplo.com.br', boxes(20_000))).status, 413);
    assert.equal((await addSigner(draft.id, 'muitas@exemplo.com.br', boxes(boxesPerSignerMax + 1))).code, 'process.tooManyBoxes');
    for (let taken = 0; taken < boxesPerProcessMax; taken += boxesPerSignerMax)
      assert.equal((await addSigner(draft.id, `caixas${taken}@exemplo.com.br`, boxes(boxesPerSignerMax))).status, 200);
    assert.equal((await addSigner(draft.id, 'uma-mais@exemplo.com.br', boxes(1))).code, 'process.tooManyBoxes');
  });

  it('notes that a signer opened the documents only while they are waited for', async () => {
    const opened = (signerId: string) => app.call(api.registerOpened, { params: { signerId } });
    const events = async (id: string) => {
      const rows = await app.ctx.db.selectFrom('event').select('type').where('signature_process_id', '=', id).execute();
      return rows.filter(({ type }) => type === 'signer.opened').length;
    };
    const draft = await createDraft(app, ana);
    assert.equal((await opened(draft.signerIds[0] ?? '')).code, 'signer.notFound');
    assert.equal(await events(draft.id), 0);
    const started = await startedProcess(app, ana, {
      signers: [
        { name: 'Bia Lima', email: 'bia@exemplo.com.br' },
        { name: 'Caio Reis', email: 'caio@exemplo.com.br' },
      ],
    });
    const [first = '', second = ''] = started.signerIds;
    assert.equal((await opened(second)).status, 204);
    assert.equal(await events(started.id), 0, 'not their turn');
    for (let time = 0; time < 2; time += 1) assert.equal((await opened(first)).status, 204);
    assert.equal(await events(started.id), 1);
    const canceled = await startedProcess(app, ana);
    await app.call(api.cancelProcess, { token: ana.token, params: { id: canceled.id } });
    assert.equal((await opened(canceled.signerIds[0] ?? '')).status, 204);
    assert.equal(await events(canceled.id), 0, 'the process has ended');
  });
});

describe('a body that cannot be read', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  it('is the client’s fault: multipart without a boundary, cut in its head, in a file, between parts', async () => {
    const head = '--b\r\ncontent-disposition: form-data; name="files"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n';
    for (const [type, payload] of [
      ['multipart/form-data', 'anything'],
      ['multipart/form-data; boundary=b', '--b\r\ncontent-disp'],
      ['multipart/form-data; boundary=b', `${head}%PDF-1.7`],
      ['multipart/form-data; boundary=b', `${head}%PDF-1.7\r\n--b\r\n`],
      ['multipart/form-data; boundary=b', '--x--\r\n'],
    ] as const) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/documents',
        headers: { authorization: `Bearer ${ana.token}`, 'content-type': type },
        payload,
      });
      assert.ok(
        answer.statusCode >= 400 && answer.statusCode < 500,
        `${type} ${JSON.stringify(payload)}: ${answer.statusCode} ${answer.body}`,
      );
    }
  });
});
