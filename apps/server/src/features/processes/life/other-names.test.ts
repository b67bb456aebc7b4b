import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signedInAccount, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { signElectronically, startedProcess } from '../../../testing/processes.ts';

describe('a signer who signs under another name than the invitation’s', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { firstName: 'Ana' });
  });
  after(() => app.close());

  async function signedAs(name: string) {
    const draft = await startedProcess(app, ana, { signers: [{ name: 'Bia de Ávila', email: 'bia@exemplo.com.br' }] });
    assert.equal((await signElectronically(app, draft.id, draft.signerIds[0] ?? '', { name })).status, 204);
    const { body } = await app.call(api.getSubDataProcess, { token: ana.token, params: { processId: draft.id } });
    const event = await app.ctx.db
      .selectFrom('event')
      .select('data')
      .where('signature_process_id', '=', draft.id)
      .where('type', '=', 'signer.signed')
      .executeTakeFirstOrThrow();
    const { body: entry } = await app.call(api.loginValidation, {
      query: { documentId: draft.documentIds[0] ?? '', emailSigner: 'bia@exemplo.com.br' },
    });
    const { body: seen } = await app.call(api.getValidation, {
      query: { documentId: draft.documentIds[0] ?? '', ticket: entry.ticket ?? '' },
    });
    const mails = (await app.mailbox.list()).filter(({ subject }) => subject.startsWith('Assinado por todos'));
    const mailTo = (address: string) => mails.find(({ to }) => to === address)?.text ?? '';
    return { shown: body.signers[0]?.signedAs, event: event.data, log: seen.logsProcess.map(({ message }) => message), mailTo };
  }

  it('is told to the owner, in their view and by mail, and stands in the evidence', async () => {
    const { shown, event, log, mailTo } = await signedAs('Carlos Prado');
    assert.equal(shown, 'Carlos Prado');
    assert.equal(event['invitedName'], 'Bia de Ávila');
    assert.ok(log.includes('Carlos Prado assinou (convite em nome de Bia de Ávila)'), log.join('\n'));
    assert.match(mailTo(ana.email), /convite estava em nome de Bia de Ávila.*em nome de Carlos Prado/);
    assert.doesNotMatch(mailTo('bia@exemplo.com.br'), /convite estava/);
  });

  it('is not one for accents and capitals', async () => {
    const { shown, event } = await signedAs('BIA DE AVILA');
    assert.deepEqual([shown, event['invitedName']], [null, undefined]);
  });
});
