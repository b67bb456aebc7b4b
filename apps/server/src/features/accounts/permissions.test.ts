import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { samplePdf, upload } from '../../testing/processes.ts';

describe('the permission CREATE_PROCESS', () => {
  let app: TestApp;
  let account: TestAccount;
  before(async () => {
    app = await startTestApp();
    account = await signedInAccount(app);
  });
  after(() => app.close());

  async function create(): Promise<{ status: number; code: string | undefined }> {
    const { body } = await upload(app, account.token, [{ name: 'contrato.pdf', bytes: await samplePdf(1) }]);
    const files = body.map(({ id, name }) => ({ id, name }));
    const { status, code } = await app.call(api.createSignatureProcess, {
      token: account.token,
      headers: { 'idempotency-key': crypto.randomUUID() },
      body: { title: 'Contrato', dueDate: null, reminderIn: null, type: 'ELETRONIC_SIGNATURE', files },
    });
    return { status, code };
  }

  it('is asked for by the call that creates, whether its client has asked before or not', async () => {
    assert.equal((await create()).status, 200);
    const { sessions } = (await app.call(api.getSessions, { token: account.token })).body;
    const id = sessions.find(({ current }) => current)?.id ?? '';
    // As where single sign-on is: a session of the other mode opens nothing (access/sessions.store.ts).
    Object.assign(app.ctx.config, { sso: { provider: 'idp', permissionRoles: { LOGIN: null, CREATE_PROCESS: 'signs' } } });
    await app.ctx.db.updateTable('session').set({ single_sign_on: true }).where('id', '=', id).execute();
    const vouched = { provider: 'idp', subject: 'ana', vouched_until: new Date(app.clock.now().getTime() + 3_600_000), sealed: null };
    await app.ctx.db
      .insertInto('sso_session')
      .values({ session_id: id, permissions: ['LOGIN'], ...vouched })
      .execute();
    assert.deepEqual(await create(), { status: 403, code: 'permission.createProcess' });
    const ask = (actionFlowWebType: 'LOGIN' | 'CREATE_PROCESS') =>
      app.call(api.hasPermission, { token: account.token, query: { actionFlowWebType } });
    assert.equal((await ask('CREATE_PROCESS')).body, false);
    assert.equal((await ask('LOGIN')).body, true);
  });
});
