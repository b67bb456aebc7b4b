import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signedInAccount, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { signElectronically, startedProcess } from '../../../testing/processes.ts';

describe('interested parties: a switch “avisar ao final”, on unless the sender says otherwise', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { email: 'ana@exemplo.com.br' });
  });
  after(() => app.close());

  const mailsTo = async (email: string) => (await app.mailbox.list()).filter(({ to }) => to === email).length;
  async function finishedWith(email: string, tellStakeholders: boolean | undefined): Promise<void> {
    const { id, signerIds } = await startedProcess(app, ana, {
      stakeholders: [{ name: 'Eva Dias', email }],
      ...(tellStakeholders === undefined ? {} : { tellStakeholders }),
    });
    assert.equal((await signElectronically(app, id, signerIds[0] ?? '')).status, 204);
    assert.equal((await app.call(api.getSignatureProcess, { token: ana.token, params: { id } })).body.status, 'FINALIZED_WITH_SUCCESS');
  }

  it('tells them of success when the call says nothing', async () => {
    await finishedWith('eva@exemplo.com.br', undefined);
    assert.equal(await mailsTo('eva@exemplo.com.br'), 1);
  });
  it('tells them of success when it is on', async () => {
    await finishedWith('igor@exemplo.com.br', true);
    assert.equal(await mailsTo('igor@exemplo.com.br'), 1);
  });
  it('lists them and tells them nothing when it is off', async () => {
    await finishedWith('olga@exemplo.com.br', false);
    assert.equal(await mailsTo('olga@exemplo.com.br'), 0);
  });
});
