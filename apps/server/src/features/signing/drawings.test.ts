import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { limits } from '@lavra/domain';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { signaturePng, startedProcess } from '../../testing/processes.ts';
import { removeOldDrawings } from './drawings.store.ts';

describe('a signature that is drawn on a telephone for a computer', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { firstName: 'Ana' });
  });
  after(() => app.close());

  async function waiting() {
    const { id: processId, signerIds } = await startedProcess(app, ana, {});
    const [signerId = ''] = signerIds;
    const ask = async () => {
      const { body, status, raw } = await app.call(api.awaitDrawing, { params: { signerId }, body: { processId } });
      assert.equal(status, 200, raw.body);
      return { ...body, key: new URL(body.address).hash.slice(1) };
    };
    const read = (drawingId: string, of = signerId) => app.call(api.getAwaitedDrawing, { params: { signerId: of, drawingId } });
    return { ask, read, signerId, processId };
  }
  const open = (key: string) => app.call(api.openDrawing, { body: { key } });
  const deliver = (key: string, image = signaturePng()) => app.call(api.deliverDrawing, { body: { key, image } });
  const over = ({ status, code }: { status: number; code: string | undefined }) =>
    assert.deepEqual([status, code], [410, 'signer.drawingOver']);

  it('comes to the computer that waits for it, byte for byte, and the key then opens nothing', async () => {
    const { ask, read } = await waiting();
    const { id, key, code, address } = await ask();
    assert.match(code, /^data:image\/png;base64,/);
    assert.equal(address, `${app.ctx.publicUrl}/draw#${key}`, 'the key stands where no server sees it');
    assert.equal((await open(key)).status, 200);
    assert.equal((await read(id)).body.image, null);
    assert.equal((await deliver(key)).status, 204);
    assert.equal((await read(id)).body.image, signaturePng());
    over(await deliver(key));
    over(await open(key));
  });

  it('is taken once of two telephones that send at the same time', async () => {
    const { ask } = await waiting();
    const { key } = await ask();
    const answers = await Promise.all([deliver(key), deliver(key)]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 410]);
  });

  it('ends with the next code that is asked for, with its time, and is then gone from the database', async () => {
    const { ask, read } = await waiting();
    const first = await ask();
    const second = await ask();
    over(await deliver(first.key));
    over(await read(first.id));
    assert.equal((await deliver(second.key)).status, 204);
    app.clock.advance({ minutes: limits.drawingMinutes });
    over(await read(second.id));
    await removeOldDrawings(app.ctx);
    const left = await app.ctx.db.selectFrom('awaited_drawing').select('id').where('id', '=', second.id).execute();
    assert.deepEqual(left, []);
  });

  it('is nobody else’s, is a picture, and can do nothing but be delivered', async () => {
    const one = await waiting();
    const other = await waiting();
    const { id, key } = await one.ask();
    over(await other.read(id));
    assert.equal((await deliver(key, Buffer.from('no picture').toString('base64'))).code, 'evidence.imageInvalid');
    assert.equal((await deliver(key)).status, 204, 'what was refused has not used it up');
    const asLink = await app.call(api.getRequisitionInformation, { params: { processId: one.processId }, query: { user: key } });
    assert.notEqual(asLink.body.me?.name, 'Bia Lima');
    assert.equal(asLink.body.me ?? null, null);
  });

  it('is waited for only where the signer may act', async () => {
    const { processId, signerId } = await waiting();
    const rejected = { params: { signerId }, body: { processId } };
    await app.call(api.createSignatureRejected, { body: { rejectCause: 'Não concordo.', processId, signerId } });
    assert.equal((await app.call(api.awaitDrawing, rejected)).status, 409);
    const nobody = await app.call(api.awaitDrawing, { params: { signerId: 'ninguém' }, body: { processId } });
    assert.equal(nobody.status, 404);
  });
});
