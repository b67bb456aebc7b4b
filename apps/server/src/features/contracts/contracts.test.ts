import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Contract, contracts, contractTypes, users } from '@lavra/api';
import { sql } from 'kysely';
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
  });

  it('are nobody’s where a client names nobody, and stay whose they are when a change names nobody', async () => {
    const made = await create({ applicationUsers: { id: ana.id } });
    assert.equal((await update(made.body.id, {})).body.applicationUsers?.login, ana.email);
    assert.equal((await update(made.body.id, { applicationUsers: null })).body.applicationUsers, null);
    const nobodys = await create({});
    assert.deepEqual([nobodys.status, nobodys.body.applicationUsers], [201, null]);
    for (const { body } of [made, nobodys]) await app.call(contracts.remove, { token: admin.token, params: { id: body.id } });
  });

  it('are monthly with the form’s 1 or nothing, else yearly; what is no payment type is refused', async () => {
    const { body } = await create({});
    for (const [paymentType, kept] of [
      ['1', 'MONTHLY'],
      [1, 'MONTHLY'],
      ['', 'MONTHLY'],
      [null, 'MONTHLY'],
      ['MONTHLY', 'MONTHLY'],
      ['2', 'YEARLY'],
      [2, 'YEARLY'],
      ['YEARLY', 'YEARLY'],
    ] as const)
      assert.equal((await update(body.id, { paymentType })).body.paymentType, kept, String(paymentType));
    assert.equal((await update(body.id, { paymentType: 'WEEKLY' })).code, 'contract.paymentTypeInvalid');
    await app.call(contracts.remove, { token: admin.token, params: { id: body.id } });
  });

  it('say beside its field what is wrong', async () => {
    const unconfirmed = crypto.randomUUID();
    await app.ctx.db
      .insertInto('app_user')
      .values({
        id: unconfirmed,
        login: 'nova@exemplo.com.br',
        email: 'nova@exemplo.com.br',
        first_name: 'Nova',
        password_hash: null,
        login_type: 'password',
        lang_key: 'pt-br',
        activated: false,
        was_activated: null,
        authorities: ['ROLE_USER'],
        created_at: app.clock.now(),
        created_by: null,
        modified_by: null,
        cpf_confirmed_by: null,
      })
      .execute();
    for (const [body, code, field] of [
      [{ validity: '' }, 'contract.validityInvalid', 'validity'],
      [{ validity: '2026-02-30T00:00:00Z' }, 'contract.validityInvalid', 'validity'],
      [{ validity: '31/01/2027 10:00' }, 'contract.validityInvalid', 'validity'],
      [{ validity: '+275760-09-13T00:00:00Z' }, 'contract.validityInvalid', 'validity'],
      [{ storageRetentionTime: '90 dias' }, 'company.retentionInvalid', 'storageRetentionTime'],
      [{ storageRetentionTime: '0' }, 'company.retentionInvalid', 'storageRetentionTime'],
      [{ storageRetentionTime: '9'.repeat(400) }, 'company.retentionInvalid', 'storageRetentionTime'],
      [{ contractType: { id: 4711 } }, 'contract.typeUnknown', 'contractType'],
      [{ contractType: { id: 99_999_999_999 } }, 'contract.typeUnknown', 'contractType'],
      [{ applicationUsers: { id: crypto.randomUUID() } }, 'contract.ownerUnknown', 'applicationUsers'],
      [{ applicationUsers: { id: 'ana' } }, 'contract.ownerUnknown', 'applicationUsers'],
      [{ applicationUsers: { id: unconfirmed } }, 'contract.ownerUnconfirmed', 'applicationUsers'],
    ] as const) {
      const answer = await create(body);
      assert.deepEqual([answer.status, answer.code, faultOf(answer)], [400, code, field], JSON.stringify(body));
    }
    assert.deepEqual((await app.call(contracts.list, { token: admin.token, query: {} })).body, { items: [], total: 0 });
  });

  it('begin their counting anew with every save, and the audit trail keeps what was counted before', async () => {
    const { body } = await create({ applicationUsers: { id: ana.id } });
    const count = () =>
      sql`update contract set uploaded_documents = 12, digital_signatures_done = 3, electronic_signatures_done = 4, storage_used = 5242881
        where id = ${body.id}`.execute(app.ctx.db);
    await count();
    const counted = (await app.call(contracts.get, { token: admin.token, params: { id: body.id } })).body;
    assert.deepEqual(
      [counted.uploadedDocuments, counted.digitalSignaturesDone, counted.eletronicSinaturesDone, counted.storageUsed],
      [12, 3, 4, 5.01],
    );
    // What is counted while the form stands open is nobody else's change.
    const saved = await update(body.id, { version: body.version, storageRetentionTime: '30' });
    assert.equal(saved.status, 200, saved.raw.body);
    assert.deepEqual(saved.body, { ...body, version: 2, storageRetentionTime: '30' });
    assert.equal((await update(body.id, { version: body.version })).code, 'record.changed');
    const { details } = await app.ctx.db
      .selectFrom('audit_event')
      .select('details')
      .where('subject_id', '=', `contracts/${body.id}`)
      .where('kind', '=', 'record.changed')
      .executeTakeFirstOrThrow();
    assert.deepEqual(details, {
      storageRetentionTime: { from: null, to: '30' },
      uploadedDocuments: { from: 12, to: 0 },
      digitalSignaturesDone: { from: 3, to: 0 },
      eletronicSinaturesDone: { from: 4, to: 0 },
      storageUsed: { from: 5.01, to: 0 },
    });
    await app.call(contracts.remove, { token: admin.token, params: { id: body.id } });
  });

  it('are listed page by page in the order of any column, and found by their person and their plan, whatever these are called later', async () => {
    const type = (await app.call(contractTypes.create, { token: admin.token, body: { name: 'Prata' } })).body;
    const first = (await create({ applicationUsers: { id: ana.id }, validity: '2031-01-01T00:00:00.000Z' })).body;
    const second = (await create({ contractType: { id: type.id }, validity: '2030-01-01T00:00:00.000Z', paymentType: 'YEARLY' })).body;
    const ids = async (query: object) => (await app.call(contracts.search, { token: admin.token, query })).body.items.map(({ id }) => id);
    for (const sort of contracts.sorts) assert.equal((await ids({ sort: `${sort},asc` })).length, 2, sort);
    assert.deepEqual(await ids({ sort: 'validity,asc' }), [second.id, first.id]);
    assert.deepEqual(await ids({ sort: 'validity,asc', page: 1, size: 1 }), [first.id]);
    assert.deepEqual(await ids({ query: ana.email.toUpperCase() }), [first.id]);
    assert.deepEqual(await ids({ query: 'prata' }), [second.id]);
    await app.call(contractTypes.update, { token: admin.token, params: { id: type.id }, body: { name: 'Platina' } });
    assert.deepEqual([await ids({ query: 'prata' }), await ids({ query: 'platina' })], [[], [second.id]]);
    await app.ctx.db.updateTable('app_user').set({ email: 'ana.nova@exemplo.com.br' }).where('id', '=', ana.id).execute();
    assert.deepEqual(await ids({ query: 'ana.nova' }), [first.id]);
    await app.ctx.db.updateTable('app_user').set({ email: ana.email }).where('id', '=', ana.id).execute();
    assert.equal((await app.call(contracts.list, { token: admin.token, query: { sort: 'contractType,asc' } })).code, 'request.invalid');
    for (const { id } of [first, second]) await app.call(contracts.remove, { token: admin.token, params: { id } });
  });

  it('keep the account that they belong to', async () => {
    const bia = await signedInAccount(app);
    const { body } = await create({ applicationUsers: { id: bia.id } });
    const removeBia = () => app.call(users.remove, { token: admin.token, params: { id: bia.id } });
    assert.deepEqual(
      [(await removeBia()).code, (await app.call(contracts.remove, { token: admin.token, params: { id: body.id } })).status],
      ['user.inUse', 204],
    );
    assert.equal((await removeBia()).status, 204);
  });

  it('are the administrators’ alone', async () => {
    const params = { id: 1 };
    for (const token of [ana.token, undefined]) {
      const answers = await Promise.all([
        app.call(contracts.list, { token, query: {} }),
        app.call(contracts.search, { token, query: { query: 'b' } }),
        app.call(contracts.get, { token, params }),
        app.call(contracts.create, { token, body: { validity } }),
        app.call(contracts.update, { token, params, body: { validity } }),
        app.call(contracts.remove, { token, params }),
      ]);
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [token ? 403 : 401]);
    }
  });
});
