import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { listedRevocations, memorySource, openPdf, parseCertificate, verifyPdf } from '@lavra/pades';
import { createRoot, type IssuedCertificate } from '@lavra/make-believe';
import { compose } from '../../compose.ts';
import { signedInAccount } from '../../testing/accounts.ts';
import type { TestApp } from '../../testing/app.ts';
import { signLocally } from '../../testing/certificate-acts.ts';
import { type CertificateTestApp, startCertificateApp } from '../../testing/certificates.ts';
import { startedProcess } from '../../testing/processes.ts';

const bia = { name: 'Bia Lima', cpf: '52998224725', email: 'bia@exemplo.com.br' };

interface Signed {
  documentId: string;
  file: Uint8Array;
  own: IssuedCertificate;
}

let app: CertificateTestApp;
/** What the world outside was asked for. */
const published: string[] = [];
// Inside: hooks beside it would run when the whole program ends, with every installation open until then.
describe('listed revocations', () => {
  before(async () => {
    app = await startCertificateApp();
    const { pki } = app;
    const publication = pki.publication.bind(pki);
    pki.publication = (path) => (published.push(path), publication(path));
  });
  after(() => app.close());

  async function signed(tree: 'v5' | 'v12' = 'v5'): Promise<Signed> {
    // Nobody's session lasts the days that some of these tests let pass.
    const ana = await signedInAccount(app);
    const process = await startedProcess(app, ana, { type: 'DIGITAL_SIGNATURE', signers: [bia] });
    const own = await app.pki.issuePerson(bia, { tree });
    await signLocally(app, process, 0, { cpf: bia.cpf, source: 'file', certificate: own.certificate, key: own.key });
    await app.runJobs();
    const [documentId = ''] = process.documentIds;
    const answer = await app.call(api.downloadSignature, { token: ana.token, params: { processId: process.id, documentId } });
    assert.equal(answer.status, 200);
    return { documentId, file: new Uint8Array(answer.raw.rawPayload), own };
  }

  async function byIdentifier({ documentId }: Signed) {
    const { body: entry } = await app.call(api.loginValidation, { query: { documentId, emailSigner: bia.email } });
    const { body } = await app.call(api.getValidation, { query: { documentId, ticket: entry.ticket ?? '' } });
    return body.signers.map(({ indication, reasons, level }) => ({ indication, reasons, level }));
  }

  /** As the page does: what the site hands out, and nothing else. */
  async function inBrowser({ file }: Signed, site: Pick<TestApp, 'call' | 'inject'> = app) {
    const { body } = await site.call(api.getTrust);
    const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
    const asked: string[] = [];
    const revocations = listedRevocations(body.crls.map(bytes), async (url, issuer) => {
      const key = await api.revocationListKey(issuer, url);
      if (!body.lists.includes(key)) return null;
      asked.push(key);
      const answer = await site.inject({ url: `/api/validation/lists/${key}` });
      return answer.statusCode === 200 ? new Uint8Array(answer.rawPayload) : null;
    });
    const trust = {
      anchors: body.anchors.map((anchor) => ({ ...anchor, certificate: bytes(anchor.certificate) })),
      intermediates: body.intermediates.map(bytes),
    };
    const report = await verifyPdf(await openPdf(memorySource(file)), { trust, at: app.clock.now(), revocations });
    const verdicts = report.signatures.map(({ indication, reasons, level }) => ({ indication, reasons: [...reasons], level }));
    return { verdicts, asked, offered: body.lists };
  }

  const passed = [{ indication: 'TOTAL-PASSED', reasons: [], level: 'B-B' }];
  const unknown = [{ indication: 'INDETERMINATE', reasons: ['REVOCATION_UNKNOWN'], level: 'B-B' }];

  describe('a document signed with a certificate, without long-term evidence', () => {
    let document: Signed;
    before(async () => {
      document = await signed();
      app.clock.advance({ minutes: 2 });
    });

    it('has the same verdict in the browser as by identifier', async () => {
      assert.deepEqual(await byIdentifier(document), passed);
      const { verdicts, asked } = await inBrowser(document);
      assert.deepEqual(verdicts, passed);
      assert.equal(asked.length, 3, 'the lists of three authorities');
    });

    it('asks by keys alone: no address, no certificate, and only for what was offered', async () => {
      const { asked, offered } = await inBrowser(document);
      assert.ok(asked.every((key) => /^[0-9a-f]{64}$/.test(key) && offered.includes(key)));
    });

    it('and nobody outside is asked again, however many visitors come, and on which node', async () => {
      const before = published.length;
      const { config, publicUrl, clock, icpBrasil } = app.ctx;
      const options = {
        config,
        connection: app.connection,
        publicUrl,
        clock,
        icpBrasil,
        timestamps: null,
        mailboxUrl: null,
        background: false,
      };
      const other = await compose(options);
      const [key = ''] = (await inBrowser(document)).asked;
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => (index % 2 ? app.installation : other).app.inject(`/api/validation/lists/${key}`)),
      );
      assert.ok(
        answers.every(({ statusCode, rawPayload }) => statusCode === 200 && rawPayload.equals(answers[0]?.rawPayload ?? Buffer.alloc(0))),
      );
      assert.equal(published.length, before);
      const [first] = answers;
      assert.equal(first?.headers['content-type'], 'application/pkix-crl');
      assert.match(String(first?.headers['cache-control']), /^public, max-age=\d+$/);
      const again = await app.inject({ url: `/api/validation/lists/${key}`, headers: { 'if-none-match': String(first?.headers['etag']) } });
      assert.deepEqual([again.statusCode, again.rawPayload.length], [304, 0]);
      await other.close();
    });

    it('is told revoked in both when it is: a list is no older than a day', async () => {
      app.pki.revoke(document.own, app.clock.now());
      app.clock.advance({ hours: 25 });
      const revoked = [{ indication: 'INDETERMINATE', reasons: ['CERTIFICATE_REVOKED'], level: 'B-B' }];
      assert.deepEqual(await byIdentifier(document), revoked);
      assert.deepEqual((await inBrowser(document)).verdicts, revoked);
    });
  });

  describe('a list that cannot be had', () => {
    it('leaves the verdict undecided in both, with its reason, and decides it when it can', async () => {
      const document = await signed('v12');
      app.clock.advance({ days: 100 });
      const { pki } = app;
      const { publication } = pki;
      pki.publication = () => Promise.resolve(null);
      assert.deepEqual(await byIdentifier(document), unknown);
      assert.deepEqual((await inBrowser(document)).verdicts, unknown);
      pki.publication = publication;
      app.clock.advance({ minutes: 1 });
      assert.deepEqual((await inBrowser(document)).verdicts, passed);
      assert.deepEqual(await byIdentifier(document), passed);
    });
  });

  describe('what visitors may ask for', () => {
    const get = (key: string, remoteAddress = '203.0.113.9') => app.inject({ url: `/api/validation/lists/${key}`, remoteAddress });
    const listed = () => app.ctx.db.selectFrom('revocation_list_address').selectAll().execute();

    it('is a key that was handed out: anything else is asked of nobody', async () => {
      const before = published.length;
      assert.equal((await get('0'.repeat(64))).statusCode, 404);
      for (const key of ['x', '0'.repeat(63), encodeURIComponent(`http://${app.pscWorld.host}/lcr/ac-nivel2-v5.crl`)])
        assert.equal((await get(key)).statusCode, 400, key);
      assert.equal(published.length, before);
    });

    it('is no list of an authority that is believed no more, and nothing that the authority has not signed', async () => {
      const stranger = await createRoot('Raiz de ninguém', app.clock.now());
      const [known] = await listed();
      assert.ok(known);
      const theirs = new Uint8Array(stranger.certificate.rawData);
      const url = `http://${app.pscWorld.host}/lcr/ac-nivel2-outside.crl`;
      const rows = [
        // Of nobody we believe.
        { key: 'a'.repeat(64), url: known.url, issuer: Buffer.from(theirs), seen_at: app.clock.now() },
        // Of one we believe, where another's list stands.
        { key: 'b'.repeat(64), url, issuer: known.issuer, seen_at: app.clock.now() },
      ];
      await app.ctx.db.insertInto('revocation_list_address').values(rows).execute();
      for (const { key } of rows) assert.equal((await get(key)).statusCode, 404, key);
      app.clock.advance({ minutes: 2 });
      const { lists } = (await app.call(api.getTrust)).body;
      assert.deepEqual([lists.includes('a'.repeat(64)), lists.includes('b'.repeat(64))], [false, true]);
      await app.ctx.db.deleteFrom('revocation_list_address').where('issuer', '=', Buffer.from(theirs)).execute();
    });

    it('names no signer: what is kept are authorities', async () => {
      for (const { issuer } of await listed()) assert.ok(parseCertificate(new Uint8Array(issuer)).isAuthority);
    });

    it('is bounded by address', async () => {
      const [known] = await listed();
      const answers = [];
      for (let index = 0; index < 250; index += 1) answers.push((await get(known?.key ?? '', '203.0.113.10')).statusCode);
      assert.deepEqual([answers.filter((code) => code === 200).length, answers.at(-1)], [240, 429]);
    });
  });
});
