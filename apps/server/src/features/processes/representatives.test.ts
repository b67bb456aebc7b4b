import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { createDraft, signaturePng, signElectronically, startedProcess } from '../../testing/processes.ts';
import { loadProcess } from './load-process.ts';
import { findLetterhead } from './life/find-letterhead.ts';

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

  it('stands with the CNPJ on the signature page and in the evidence, both under the name, logo and colour of the sender’s company', async () => {
    const company = await app.call(api.companies.create, { token: ana.token, body: { name: 'Padaria São Bento', cnpj: '11222333000181' } });
    const params = { id: company.body.id };
    await app.call(api.patchCompany, { token: ana.token, params, body: { brandColor: '#7a1f3d', version: company.body.version } });
    await app.call(api.setCompanyLogo, { token: ana.token, params, body: { image: signaturePng() } });
    const { id, signerIds, documentIds } = await startedProcess(app, ana, { signers: [bia] });
    await signElectronically(app, id, signerIds[0] ?? '');
    await app.runJobs();
    const paper = async (call: typeof api.downloadSignature | typeof api.downloadEvidence, ...pages: string[]) => {
      const { raw } = await app.call(call, { token: ana.token, params: { processId: id, documentId: documentIds[0] ?? '' } });
      const options = { input: raw.rawPayload, encoding: 'utf8' } as const;
      return {
        text: execFileSync('pdftotext', ['-layout', ...pages, '-', '-'], options),
        pictures: execFileSync('pdfimages', ['-list', ...pages, '-'], options).split('\n').length,
        pixel: execFileSync('pdftoppm', ['-r', '10', ...pages, '-singlefile'], { input: raw.rawPayload })
          .subarray(-83 * 117 * 3)
          .subarray(0, 3),
      };
    };
    const page = await paper(api.downloadSignature, '-f', '3');
    assert.match(page.text, /Lavra · Padaria São Bento/);
    assert.match(page.text, /1\. Bia Lima, pela empresa de CNPJ 12\.ABC\.345\/01DE-35/);
    const evidence = await paper(api.downloadEvidence);
    assert.match(evidence.text, /“Padaria São Bento, CNPJ 11\.222\.333\/0001-81”/);
    assert.match(evidence.text, /Representa\s+CNPJ 12\.ABC\.345\/01DE-35/);
    for (const { pictures, pixel } of [page, evidence]) {
      // The heading's two lines, the signature, the logo, and the end.
      assert.ok(pictures >= 5, `${pictures} lines of pictures`);
      assert.deepEqual([...pixel], [0x7a, 0x1f, 0x3d]);
    }
  });

  it('gets paper in the product’s looks from a sender without history, and from one who joined the company after the process began', async () => {
    const { createdAt } = await app.ctx.db
      .selectFrom('company_member')
      .select('joined_at as createdAt')
      .where('user_id', '=', ana.id)
      .executeTakeFirstOrThrow();
    const of = async (account: TestAccount, at: Date) => {
      const loaded = await loadProcess(app.ctx, (await createDraft(app, account)).id);
      return findLetterhead(app.ctx, { ...loaded, createdAt: at });
    };
    assert.equal((await of(ana, createdAt))?.name, 'Padaria São Bento');
    assert.equal(await of(ana, new Date(createdAt.getTime() - 1)), null);
    const eva = await signedInAccount(app, { firstName: 'Eva' });
    await app.call(api.companies.create, { token: eva.token, body: { name: 'Banco Central' } });
    assert.equal(await of(eva, app.clock.now()), null);
  });
});
