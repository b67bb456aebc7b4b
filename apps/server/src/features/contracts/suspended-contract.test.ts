import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { createDraft, samplePdf, upload } from '../../testing/processes.ts';

const validity = '2099-01-31T15:00:00.000Z';

describe('a suspended contract', () => {
  let app: TestApp;
  let admin: TestAccount;
  let ana: TestAccount;
  let bia: TestAccount;
  let companyId: string;
  before(async () => {
    app = await startTestApp();
    admin = await signedInAccount(app);
    [ana, bia] = [await signedInAccount(app), await signedInAccount(app)];
    companyId = (await app.call(api.companies.create, { token: ana.token, body: { name: 'Empresa de Ana' } })).body.id;
  });
  after(() => app.close());
  beforeEach(async () => {
    const { items } = (await app.call(api.contracts.list, { token: admin.token, query: {} })).body;
    for (const { id } of items) await app.call(api.contracts.remove, { token: admin.token, params: { id } });
    await app.ctx.db.deleteFrom('company_member').where('user_id', '=', bia.id).execute();
  });

  const contract = async (owner: TestAccount, more: object = {}) =>
    (await app.call(api.contracts.create, { token: admin.token, body: { validity, applicationUsers: { id: owner.id }, ...more } })).body;
  const change = async ({ id }: api.Contract, more: object) =>
    assert.equal((await app.call(api.contracts.update, { token: admin.token, params: { id }, body: { validity, ...more } })).status, 200);
  const join = (userId: string) =>
    app.ctx.db
      .insertInto('company_member')
      .values({ user_id: userId, company_id: companyId, role: 'member', joined_at: app.clock.now() })
      .execute();
  const create = (person: TestAccount, files: readonly { id: string }[]) =>
    app.call(api.createSignatureProcess, {
      token: person.token,
      body: { title: 'Contrato', dueDate: null, reminderIn: null, type: 'ELETRONIC_SIGNATURE', files: [...files] },
    });
  /** Whether somebody may create, by the call itself. */
  const mayCreate = async (person: TestAccount) => {
    const { status, code } = await create(person, []);
    assert.ok(code === 'process.documentsRequired' || (status === 403 && code === 'process.contractSuspended'), code);
    return code === 'process.documentsRequired';
  };

  it('blocks creation with the detail “Contract suspended”, whether its validity has passed or somebody stopped it', async () => {
    const { body: files } = await upload(app, ana.token, [{ name: 'um.pdf', bytes: await samplePdf(1) }]);
    const made = await contract(ana);
    assert.equal(await mayCreate(ana), true);
    for (const more of [{ suspended: true }, { suspended: false, validity: app.clock.now().toISOString() }]) {
      await change(made, more);
      const refused = await create(ana, files);
      assert.deepEqual([refused.status, refused.raw.json<{ detail: string }>().detail], [403, 'Contract suspended']);
      const more2 = await upload(app, ana.token, [{ name: 'dois.pdf', bytes: await samplePdf(1) }]);
      assert.equal(more2.code, 'process.contractSuspended', 'nothing could be made of what is uploaded now');
    }
    // A form that says nothing of it leaves it as it was.
    await change(made, { suspended: true });
    await change(made, {});
    assert.equal(await mayCreate(ana), false);
    await change(made, { suspended: false });
    assert.equal((await create(ana, files)).status, 200);
  });

  it('lets no sequence close that began before it', async () => {
    const made = await contract(ana);
    const draft = await createDraft(app, ana);
    await change(made, { suspended: true });
    const start = () => app.call(api.startSignatureProcess, { token: ana.token, params: { id: draft.id } });
    assert.equal((await start()).code, 'process.contractSuspended');
    await change(made, { suspended: false });
    assert.equal((await start()).status, 204);
  });

  it('blocks everybody of the company of whom it belongs to, while they belong to it, and nobody else', async () => {
    await contract(ana, { suspended: true });
    assert.deepEqual([await mayCreate(ana), await mayCreate(bia), await mayCreate(admin)], [false, true, true]);
    await join(bia.id);
    assert.deepEqual([await mayCreate(ana), await mayCreate(bia)], [false, false]);
    await app.ctx.db.deleteFrom('company_member').where('user_id', '=', bia.id).execute();
    assert.equal(await mayCreate(bia), true);
  });

  it('blocks nobody whom another, good one covers', async () => {
    await contract(ana, { suspended: true });
    await contract(bia, { validity: '2030-01-01T00:00:00.000Z' });
    assert.equal(await mayCreate(ana), false);
    await join(bia.id);
    assert.deepEqual([await mayCreate(ana), await mayCreate(bia)], [true, true]);
  });

  it('leaves the permission CREATE_PROCESS outside of single sign-on mode: the call that creates refuses', async () => {
    const ask = async () => (await app.call(api.hasPermission, { token: ana.token, query: { actionFlowWebType: 'CREATE_PROCESS' } })).body;
    await contract(ana, { suspended: true });
    assert.deepEqual([await ask(), await mayCreate(ana)], [true, false]);
  });
});
