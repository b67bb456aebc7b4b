import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { startedProcess } from '../../testing/processes.ts';

const cnpj = '12ABC34501DE35';
const bia = { name: 'Bia Lima', email: 'bia@exemplo.com.br', companyIdentifier: '12.abc.345/01de-35' };
const caio = { name: 'Caio Reis', email: 'caio@exemplo.com.br' };

describe('a signer who represents a company', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { firstName: 'Ana' });
  });
  after(() => app.close());

  it('is shown with the CNPJ in the list and to who holds a link, to no visitor', async () => {
    const { id, signerIds } = await startedProcess(app, ana, { signers: [bia, caio] });
    const identifiers = (signers: readonly { companyIdentifier: string | null }[]) => signers.map((signer) => signer.companyIdentifier);
    const row = await app.call(api.getSubDataProcess, { token: ana.token, params: { processId: id } });
    assert.deepEqual(identifiers(row.body.signers), [cnpj, null]);
    for (const user of signerIds) {
      const { body } = await app.call(api.getRequisitionInformation, { params: { processId: id }, query: { user } });
      assert.deepEqual(identifiers(body.signers), [cnpj, null]);
    }
    const { body } = await app.call(api.getRequisitionInformation, { params: { processId: id }, query: {} });
    assert.deepEqual(identifiers(body.signers), [null, null]);
  });
});
