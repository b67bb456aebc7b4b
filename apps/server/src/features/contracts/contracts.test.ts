import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Contract, contracts, contractTypes } from '@lavra/api';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';

const validity = '2099-01-31T15:00:00.000Z';

describe('contracts', () => {
  let app: TestApp;
  let admin: TestAccount;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    admin = await signedInAccount(app);
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  const create = (body: object) => app.call(contracts.create, { token: admin.token, body: { validity, ...body } });
  const update = (id: number, body: object) =>
    app.call(contracts.update, { token: admin.token, params: { id }, body: { validity, ...body } });
  const faultOf = (answer: { raw: { json<T>(): T } }) => answer.raw.json<{ fieldErrors: { field: string }[] }>().fieldErrors[0]?.field;

  it('are created, read, changed and deleted; ids are small numbers, and the type is the one with id 1 where none is chosen', async () => {
    const made = await create({ applicationUsers: { id: ana.id }, storageRetentionTime: ' 90 ' });
    assert.equal(made.status, 201, made.raw.body);
    const { id } = made.body;
    assert.ok(id >= 1 && id < 100);
    assert.deepEqual(made.body, {
      id,
      version: 1,
      validity,
      paymentType: 'MONTHLY',
      storageRetentionTime: '90',
      contractType: { id: 1, name: 'Básico' },
      applicationUsers: { id: ana.id, login: ana.email },
      suspended: false,
      created: app.clock.now().toISOString(),
      uploadedDocuments: 0,
      digitalSignaturesDone: 0,
      eletronicSinaturesDone: 0,
      storageUsed: 0,
    } satisfies Contract);
    const type = await app.call(contractTypes.create, { token: admin.token, body: { name: 'Ouro' } });
    const changed = await update(id, {
      paymentType: 'YEARLY',
      contractType: { ...type.body },
      created: '1999-01-01T00:00:00Z',
      uploadedDocuments: 7,
    });
    assert.deepEqual(changed.body, {
      ...made.body,
      version: 2,
      paymentType: 'YEARLY',
      storageRetentionTime: null,
      contractType: { id: type.body.id, name: 'Ouro' },
    });
    assert.deepEqual((await app.call(contracts.get, { token: admin.token, params: { id } })).body, changed.body);
    assert.equal((await app.call(contractTypes.remove, { token: admin.token, params: { id: type.body.id } })).code, 'record.inUse');
    assert.equal((await app.call(contracts.remove, { token: admin.token, params: { id } })).status, 204);
    assert.equal((await app.call(contracts.get, { token: admin.token, params: { id } })).status, 404);
    assert.equal(faultOf(await create({ applicationUsers: { id: crypto.randomUUID() } })), 'applicationUsers');
  });
});
