import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ContractType, contractTypes } from '@lavra/api';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';

let app: TestApp;
let admin: TestAccount;
let user: TestAccount;
// Inside: hooks beside it would run when the whole program ends, with every installation open until then.
describe('contract types', () => {
  before(async () => {
    app = await startTestApp();
    // The first account of an installation is its administrator.
    admin = await signedInAccount(app);
    user = await signedInAccount(app);
  });
  after(() => app.close());

  const blank = { documents: null, digitalSignatures: null, eletronicSignatures: null, storage: null, accountUsersLimit: null };
  const create = (name: string, quotas: Partial<ContractType> = {}) =>
    app.call(contractTypes.create, { token: admin.token, body: { name, ...quotas } });
  const update = (id: number, body: Partial<ContractType> & { name: string }) =>
    app.call(contractTypes.update, { token: admin.token, params: { id }, body });
  const names = async (sort: string, query: { page?: number; size?: number } = {}) =>
    (await app.call(contractTypes.list, { token: admin.token, query: { sort, ...query } })).body.items.map(({ name }) => name);
  const found = async (query: string) =>
    (await app.call(contractTypes.search, { token: admin.token, query: { query } })).body.items.map(({ name }) => name);

  describe('contract types', () => {
    it('begin with the type 1, “Básico”, without limits; it is never deleted', async () => {
      const { body, headers } = await app.call(contractTypes.list, { token: admin.token, query: {} });
      assert.deepEqual(body, { items: [{ id: 1, version: 1, name: 'Básico', ...blank }], total: 1 });
      assert.equal(headers['x-total-count'], '1');
      const refused = await app.call(contractTypes.remove, { token: admin.token, params: { id: 1 } });
      assert.deepEqual([refused.status, refused.code], [409, 'record.permanent']);
    });

    it('are created, read, changed and deleted; ids are small numbers, quotas are text', async () => {
      const made = await create('Ouro', { documents: '100', storage: ' 2048 ' });
      assert.equal(made.status, 201, made.raw.body);
      assert.deepEqual([made.headers['x-app-alert'], made.headers['x-app-params']], ['record.created', String(made.body.id)]);
      assert.deepEqual(made.body, { id: made.body.id, version: 1, name: 'Ouro', ...blank, documents: '100', storage: '2048' });
      assert.ok(made.body.id >= 2 && made.body.id < 100);
      const { id } = made.body;
      const changed = await update(id, { ...made.body, eletronicSignatures: '0', documents: '' });
      assert.deepEqual(changed.body, { ...made.body, version: 2, eletronicSignatures: '0', documents: null });
      const read = await app.call(contractTypes.get, { token: admin.token, params: { id } });
      assert.deepEqual(read.body, changed.body);
      assert.equal((await app.call(contractTypes.remove, { token: admin.token, params: { id } })).status, 204);
      assert.equal((await app.call(contractTypes.get, { token: admin.token, params: { id } })).code, 'request.notFound');
      assert.equal((await app.call(contractTypes.remove, { token: admin.token, params: { id } })).status, 404);
    });

    it('have names of their own, whatever the accents and case, and quotas that are numbers; the fault stands beside its field', async () => {
      for (const [body, code, field] of [
        [{ name: 'BASICO' }, 'record.nameTaken', 'name'],
        [{ name: '   ' }, 'record.nameRequired', 'name'],
        [{ name: 'x'.repeat(51) }, 'record.nameTooLong', 'name'],
        [{ name: 'Prata', storage: '1 GB' }, 'record.quantityInvalid', 'storage'],
        [{ name: 'Prata', accountUsersLimit: '-1' }, 'record.quantityInvalid', 'accountUsersLimit'],
      ] as const) {
        const answer = await app.call(contractTypes.create, { token: admin.token, body });
        const fault = answer.raw.json<{ fieldErrors: { field: string }[] }>().fieldErrors[0]?.field;
        assert.deepEqual([answer.status, answer.code, fault], [400, code, field]);
      }
      const missing = await app.call(contractTypes.create, { token: admin.token, body: {} as { name: string } });
      assert.equal(missing.code, 'request.invalid');
    });

    it('are listed page by page, sorted as people sort, blank quotas last, and found without accents and case', async () => {
      for (const name of ['Zênite', 'ágata', 'Ágil 10', 'Ágil 9', 'éter', 'Etna']) assert.equal((await create(name)).status, 201);
      await create('Um', { documents: '1' });
      await create('Dez', { documents: '10' });
      const sorted = ['ágata', 'Ágil 9', 'Ágil 10', 'Básico', 'Dez', 'éter', 'Etna', 'Um', 'Zênite'];
      assert.deepEqual(await names('name,asc'), sorted);
      assert.deepEqual(await names('name,desc'), sorted.toReversed());
      assert.deepEqual(await names('name,asc', { page: 1, size: 4 }), sorted.slice(4, 8));
      assert.deepEqual((await names('documents,desc')).slice(0, 2), ['Dez', 'Um']);
      assert.deepEqual((await names('documents,asc')).slice(0, 2), ['Um', 'Dez']);
      assert.deepEqual(await found('AGIL'), ['Ágil 10', 'Ágil 9']);
      for (const sign of ['%', '_', '\\', '％', '＿', '＼']) assert.deepEqual(await found(sign), [], sign);
      const past = await app.call(contractTypes.list, { token: admin.token, query: { page: 7, size: 20, cacheBuster: '1' } });
      assert.deepEqual(past.body, { items: [], total: sorted.length });
      for (const sort of ['version,asc', 'name;drop', 'name,up', 'constructor,asc', '__proto__'])
        assert.equal((await app.call(contractTypes.list, { token: admin.token, query: { sort } })).code, 'request.invalid');
      assert.equal((await app.call(contractTypes.list, { token: admin.token, query: { size: 201 } })).code, 'request.invalid');
    });

    it('are not overwritten by who read them before somebody else saved; a client that knows no version saves', async () => {
      const { body } = await create('Corrida');
      const answers = await Promise.all(['A', 'B', 'C'].map((name) => update(body.id, { ...body, name: `Corrida ${name}` })));
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409]);
      assert.ok(answers.every(({ status, code }) => status === 200 || code === 'record.changed'));
      const plain = await update(body.id, { name: 'Sem versão' });
      assert.deepEqual([plain.status, plain.body.version], [200, 3]);
    });

    it('are created once for one Idempotency-Key', async () => {
      const again = () =>
        app.call(contractTypes.create, { token: admin.token, body: { name: 'Uma vez' }, headers: { 'Idempotency-Key': 'uma-vez' } });
      const [first, second] = [await again(), await again()];
      assert.equal(first.body.id, second.body.id);
      const told = ({ status, headers }: typeof first) => [status, headers['x-app-alert'], headers['x-app-params']];
      assert.deepEqual([told(first), told(second)], [told(first), [201, 'record.created', String(first.body.id)]]);
      assert.deepEqual(await found('uma vez'), ['Uma vez']);
    });

    it('are the administrators’ alone', async () => {
      const params = { id: 1 };
      for (const token of [user.token, undefined]) {
        const answers = await Promise.all([
          app.call(contractTypes.list, { token, query: {} }),
          app.call(contractTypes.search, { token, query: { query: 'b' } }),
          app.call(contractTypes.get, { token, params }),
          app.call(contractTypes.create, { token, body: { name: 'Meu' } }),
          app.call(contractTypes.update, { token, params, body: { name: 'Meu' } }),
          app.call(contractTypes.remove, { token, params }),
        ]);
        assert.deepEqual([...new Set(answers.map(({ status }) => status))], [token ? 403 : 401]);
      }
    });

    it('leave each change in the audit trail, with what it was before', async () => {
      const { body } = await create('Trilha', { storage: '5' });
      await update(body.id, { ...body, storage: '7' });
      await app.call(contractTypes.remove, { token: admin.token, params: { id: body.id } });
      const rows = await app.ctx.db
        .selectFrom('audit_event')
        .select(['kind', 'account_id', 'details'])
        .where('subject_id', '=', `contract-types/${body.id}`)
        .orderBy('id')
        .execute();
      assert.deepEqual(
        rows.map(({ kind, account_id, details }) => [kind, account_id, details]),
        [
          ['record.created', admin.id, null],
          ['record.changed', admin.id, { storage: { from: '5', to: '7' } }],
          ['record.deleted', admin.id, null],
        ],
      );
    });
  });
});
