import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { identityPeople } from '@lavra/make-believe';
import { signedInAccount, type TestAccount } from '../../../testing/accounts.ts';
import { callFrom, enterThrough, type IdentityTestApp, newBrowser, startIdentityTestApp } from '../../../testing/identities.ts';
import { sendElectronically, startedProcess } from '../../../testing/processes.ts';

const [ana, carlos] = identityPeople;
assert.ok(ana && carlos);
/** The same address at gov.br as Ana, another person: a mailbox that two share. */
const people = [...identityPeople, { ...carlos, id: 'marido', cpf: '20406080100', email: ana.email }];

describe('the CPF that gov.br vouches for', () => {
  let app: IdentityTestApp;
  let creator: TestAccount;
  let token: string;
  before(async () => {
    app = await startIdentityTestApp({ people });
    creator = await signedInAccount(app, { email: 'criadora@exemplo.com.br' });
    const browser = newBrowser();
    await enterThrough(app, browser, 'govbr', 'ana');
    token = (await callFrom(app, browser, api.registerSocial, { body: {} })).body.id_token ?? '';
  });
  after(() => app.close());

  /** What is kept of the CPF of an electronic signature, whose jobs wait. */
  async function signs(change: { token?: string; cpf?: string }) {
    const { id, signerIds } = await startedProcess(app, creator, {
      signers: [{ name: 'Ana Beatriz', email: 'ana.conceicao@exemplo.com.br' }],
    });
    const [signerId = ''] = signerIds;
    const answer = await sendElectronically(app, id, signerId, { name: 'Ana Beatriz', ...change });
    assert.equal(answer.status, 204, answer.raw.body);
    const kept = await app.ctx.db
      .selectFrom('signature_evidence')
      .select(['cpf_confirmed_by as by', 'cpf_assurance as assurance', 'cpf_confirmed_at as at'])
      .where('signer_id', '=', signerId)
      .executeTakeFirstOrThrow();
    const consented = await app.ctx.db
      .selectFrom('event')
      .select('data')
      .where('signature_process_id', '=', id)
      .where('type', '=', 'signer.consented')
      .executeTakeFirstOrThrow();
    return { id, kept, told: (consented.data as Record<string, unknown>)['cpfConfirmedBy'] };
  }

  async function textOf(call: typeof api.downloadEvidence | typeof api.downloadSignature, id: string): Promise<string> {
    const { documentId } = await app.ctx.db
      .selectFrom('document')
      .select('id as documentId')
      .where('signature_process_id', '=', id)
      .executeTakeFirstOrThrow();
    const { raw } = await app.call(call, { token: creator.token, params: { processId: id, documentId } });
    assert.equal(raw.statusCode, 200, raw.body.slice(0, 300));
    const path = join(app.dataDir, 'read.pdf');
    writeFileSync(path, raw.rawPayload);
    return execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }).replaceAll('\u2060', '');
  }

  it('fills the account', async () => {
    const { body } = await app.call(api.getAccount, { token });
    assert.deepEqual([body.confirmedCpf?.cpf, body.confirmedCpf?.by], [ana.cpf, 'gov.br']);
  });

  it('is confirmed in the evidence when its account signs with it: kept, chained, drawn on the page and in the report', async () => {
    const { id, kept, told } = await signs({ token, cpf: ana.cpf });
    assert.deepEqual([kept.by, kept.assurance, told], ['gov.br', 'gold', 'gov.br']);
    assert.ok(kept.at instanceof Date);
    await app.runJobs();
    assert.match(await textOf(api.downloadEvidence, id), /CPF confirmado[\s\S]{0,80}Por gov\.br[\s\S]{0,80}nível ouro/);
    assert.match(await textOf(api.downloadSignature, id), /\*\*\*\.982\.247-\*\*,\s+confirmado por\s+gov\.br/);
  });

  it('is not confirmed for whoever types it without that account, nor another CPF with it', async () => {
    const nothing = { by: null, assurance: null, at: null };
    const without = await signs({ cpf: ana.cpf });
    assert.deepEqual([without.kept, without.told], [nothing, undefined]);
    assert.deepEqual((await signs({ token: creator.token, cpf: ana.cpf })).kept, nothing);
    assert.deepEqual((await signs({ token, cpf: '11144477735' })).kept, nothing);
  });

  it('does not open the account of another CPF, whatever its address', async () => {
    const { status, code } = await enterThrough(app, newBrowser(), 'govbr', 'marido');
    assert.deepEqual([status, code], [409, 'identity.otherCpf']);
    const linked = await app.ctx.db.selectFrom('account_identity').select('subject').execute();
    assert.deepEqual(linked, [{ subject: ana.cpf }]);
  });

  it('is no other provider’s to confirm', async () => {
    await enterThrough(app, newBrowser(), 'google', 'carlos');
    const browser = newBrowser();
    await enterThrough(app, browser, 'google', 'carlos');
    const { body } = await callFrom(app, browser, api.registerSocial, { body: {} });
    assert.equal((await app.call(api.getAccount, { token: body.id_token ?? '' })).body.confirmedCpf, null);
  });
});
