import assert from 'node:assert/strict';
import { createPublicKey, sign, verify } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import * as api from '@lavra/api';
import { openPdf, readAll, verifyPdf } from '@lavra/pades';
import { type IssuedCertificate, type IssueOptions, type PscWorld, startPscWorld } from '@lavra/make-believe';
import { signedInAccount, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { frozenClock } from '../../../testing/clock.ts';
import { type DraftInput, signaturePng, startedProcess, type TestDraft } from '../../../testing/processes.ts';
import type { BlobStore } from '../../../storage/blob-store.ts';
import { openDocumentFile } from '../../documents/document-file.ts';
import { listPrepared } from '../digital/digital.store.ts';
import { judgeSigningCertificate } from '../digital/judge-certificate.ts';
import { prepareAttempt } from '../digital/prepare-attempt.ts';

const cpf = '52998224725';
const people = [
  { name: 'Bia Lima', cpf },
  { name: 'Caio Reis', cpf: '11144477735' },
  { name: 'Davi Alves', cpf: '39053344705' },
] as const;

let app: TestApp;
let ana: TestAccount;
let world: PscWorld;
// Inside: hooks beside it would run when the whole program ends, with every installation open until then.
describe('local signing', () => {
  before(async () => {
    const clock = frozenClock();
    world = await startPscWorld({ now: clock.now, redirectUris: ['http://lavra.test/callback/psc'] });
    const { roots, intermediates } = world.pki;
    const anchors = Object.entries(roots).map(([name, certificate]) => ({ certificate, name, uses: ['signature'] as const }));
    const [host = '', port = ''] = world.host.split(':');
    app = await startTestApp({
      clock,
      certificates: { icpBrasil: { anchors, intermediates }, allowedPrivateHosts: [{ hostname: host, port: Number(port) }] },
    });
    ana = await signedInAccount(app);
  });
  after(async () => {
    await app.close();
    await world.close();
  });

  const digital = (given: DraftInput = {}) =>
    startedProcess(app, ana, {
      type: 'DIGITAL_SIGNATURE',
      documents: ['contrato.pdf', 'anexo.pdf'],
      signers: people.map(({ name }, index) => ({ name, email: `p${index}@exemplo.com.br`, order: 0 })),
      ...given,
    });

  const issued = new Map<string, Promise<IssuedCertificate>>();
  function certificateOf(person: { name: string; cpf: string } = people[0], options: IssueOptions = {}): Promise<IssuedCertificate> {
    const key = JSON.stringify([person, options]);
    const made = issued.get(key) ?? world.pki.issuePerson(person, options);
    issued.set(key, made);
    return made;
  }

  async function prepare(
    process: TestDraft,
    index: number,
    own: IssuedCertificate,
    change: { cpf?: string; source?: 'LAVRA_SIGNER' } = {},
  ) {
    const signerId = process.signerIds[index] ?? '';
    const { body: seen } = await app.call(api.getRequisitionInformation, { params: { processId: process.id }, query: { user: signerId } });
    return app.call(api.prepareLocalSignature, {
      ip: '203.0.113.9',
      body: {
        processId: process.id,
        signerId,
        cpf: change.cpf ?? people[index]?.cpf ?? '',
        source: change.source ?? 'file',
        certificate: Buffer.from(own.certificate).toString('base64'),
        chain: [],
        consentHash: seen.consent.hash,
        appearance: { style: 'drawn', image: signaturePng() },
      },
    });
  }

  type Prepared = Awaited<ReturnType<typeof prepare>>['body'];

  /** What a key does that hashes by itself. */
  function values(prepared: Prepared, own: IssuedCertificate) {
    return prepared.documents.map(({ documentId, signedAttributes, digest }) => ({
      documentId,
      value: sign(digest, Buffer.from(signedAttributes, 'base64'), own.key).toString('base64'),
    }));
  }

  const complete = (process: TestDraft, index: number, prepared: Prepared, signatures: { documentId: string; value: string }[]) =>
    app.call(api.completeLocalSignature, {
      body: { processId: process.id, signerId: process.signerIds[index] ?? '', attemptId: prepared.attemptId, signatures },
    });

  async function signWith(process: TestDraft, index: number, own: IssuedCertificate) {
    const prepared = await prepare(process, index, own);
    assert.equal(prepared.status, 200, prepared.raw.body);
    return complete(process, index, prepared.body, values(prepared.body, own));
  }

  const statusOf = async (process: TestDraft, index: number) =>
    (await app.call(api.getSignatureStatus, { params: { processId: process.id, signerId: process.signerIds[index] ?? '' } })).body.status;

  describe('signing with a certificate on the signer’s computer', () => {
    it('completes a process: three AD-RB 1.3 signatures, each in its own revision, the uploaded bytes a prefix, nothing foreign added', async () => {
      const process = await digital();
      for (const [index, person] of people.entries()) {
        const answer = await signWith(process, index, await certificateOf(person));
        assert.equal(answer.status, 204, answer.raw.body);
      }
      await app.runJobs();
      assert.equal(
        (await app.call(api.getSignatureProcess, { token: ana.token, params: { id: process.id } })).body.status,
        'FINALIZED_WITH_SUCCESS',
      );
      for (const documentId of process.documentIds) {
        const file = await openDocumentFile(app.ctx, documentId);
        assert.deepEqual(
          file.parts.map(({ kind }) => kind),
          ['upload', 'preparation', 'signature', 'signature', 'signature'],
        );
        const bytes = Buffer.from(await readAll(file.source));
        const original = Buffer.from(await readAll((await openDocumentFile(app.ctx, documentId, 'original')).source));
        assert.ok(bytes.subarray(0, original.length).equals(original));
        const report = await verifyPdf(await openPdf(file.source), {
          trust: app.ctx.icpBrasil,
          at: app.clock.now(),
          revocations: { material: async () => ({ certificates: [], crls: await world.pki.revocationLists(), ocsps: [] }) },
        });
        assert.deepEqual(
          report.signatures.map(({ indication, policy, signer }) => [indication, policy?.hash, signer?.name, signer?.cpf]),
          people.map((person) => ['TOTAL-PASSED', 'matches', person.name.toUpperCase(), person.cpf]),
        );
        assert.match(await pdfsig(bytes), /(Signature Validation: Signature is Valid[\s\S]*){3}/);
        const { body: entry } = await app.call(api.loginValidation, { query: { documentId, emailSigner: 'p1@exemplo.com.br' } });
        const { body: shown } = await app.call(api.getValidation, { query: { documentId, ticket: entry.ticket ?? '' } });
        assert.deepEqual(
          shown.signers.map(({ indication, certificate }) => [indication, certificate?.type, certificate?.issuer, certificate?.policy]),
          people.map(() => ['TOTAL-PASSED', 'A3', 'AC Lavra nivel 2 v5', 'AD-RB 1.3']),
        );
        assert.deepEqual(shown.seals, []);
      }
    });

    it('refuses a certificate that is not ICP-Brasil’s, not valid, revoked or of another CPF: four messages, and the signer can sign again', async () => {
      const process = await digital();
      const day = 86_400_000;
      const ended = new Date(app.clock.now().getTime() - day);
      const revoked = await world.pki.issuePerson(people[0]);
      world.pki.revoke(revoked, ended);
      // A list that was fetched just before does not know yet.
      app.clock.advance({ minutes: 11 });
      const company = await world.pki.issueCompany({ name: 'Alfa Ltda', cnpj: '11222333000181', responsible: people[0] });
      const application = await world.pki.issueApplication({ name: 'Alfa Ltda', cnpj: '11222333000181', responsible: people[0] });
      const cases: [IssuedCertificate, string, number][] = [
        [await certificateOf(people[0], { tree: 'outside' }), 'certificate.notIcpBrasil', 400],
        [
          await certificateOf(people[0], { notBefore: new Date(ended.getTime() - 300 * day), notAfter: ended }),
          'certificate.notValid',
          400,
        ],
        [revoked, 'certificate.revoked', 400],
        [await certificateOf(people[1]), 'certificate.otherHolder', 400],
        [company, 'certificate.company', 400],
        [application, 'certificate.application', 400],
      ];
      for (const [own, code, status] of cases) {
        const answer = await prepare(process, 0, own);
        assert.deepEqual([answer.code, answer.status], [code, status]);
        assert.doesNotMatch((answer.raw.json() as { detail: string }).detail, /\{\{|undefined/);
      }
      assert.equal((await signWith(process, 0, await certificateOf())).status, 204);
      assert.equal(await statusOf(process, 0), 'SIGNED');
    });

    it('takes the e-CNPJ of the company that a signer represents, where its CNPJ and its responsible CPF are the signer’s, and no other', async () => {
      const cnpj = '12ABC34501DE35';
      const signers = [{ name: people[0].name, email: 'p0@exemplo.com.br', companyIdentifier: '12.abc.345/01de-35' }];
      const process = await digital({ documents: ['contrato.pdf'], signers });
      const company = (number: string, responsible: { name: string; cpf: string }) =>
        world.pki.issueCompany({ name: 'Padaria São Bento Ltda', cnpj: number, responsible });
      for (const [own, code] of [
        [await company('11222333000181', people[0]), 'certificate.otherCompany'],
        [await company(cnpj, people[1]), 'certificate.otherHolder'],
      ] as const)
        assert.deepEqual((await prepare(process, 0, own)).code, code);
      assert.equal((await signWith(process, 0, await company(cnpj, people[0]))).status, 204);
      assert.equal(await statusOf(process, 0), 'SIGNED');
      // The person's own certificate does as well.
      const other = await digital({ documents: ['contrato.pdf'], signers });
      assert.equal((await signWith(other, 0, await certificateOf())).status, 204);
    });

    it('refuses what ICP-Brasil issues for other ends: secrecy, seals, timestamps, authorities, a root that is not for documents', async () => {
      const process = await digital({ documents: ['um.pdf'] });
      const own = await certificateOf();
      const [authority = own.certificate] = world.pki.intermediates;
      for (const type of ['S3', 'SE-H', 'T3'] as const) {
        const answer = await prepare(process, 0, await certificateOf(people[0], { type }));
        assert.deepEqual([type, answer.code], [type, 'certificate.unsuitable']);
      }
      assert.equal((await prepare(process, 0, { ...own, certificate: authority })).code, 'certificate.unsuitable');
      const { icpBrasil } = app.ctx;
      const forTimestamps = icpBrasil.anchors.map((anchor) => ({ ...anchor, uses: ['timestamp'] as const }));
      const ctx = { ...app.ctx, icpBrasil: { ...icpBrasil, anchors: forTimestamps } };
      await assert.rejects(judgeSigningCertificate(ctx, { certificate: own.certificate, chain: own.chain, cpf, cnpj: null }), {
        code: 'certificate.notIcpBrasil',
      });
    });

    it('refuses when nobody tells whether the certificate is revoked', async () => {
      const elsewhere = await startPscWorld({ now: app.clock.now, redirectUris: ['http://lavra.test/callback/psc'] });
      const { roots, intermediates } = elsewhere.pki;
      const anchors = Object.entries(roots).map(([name, certificate]) => ({ certificate, name, uses: ['signature'] as const }));
      const other = await startTestApp({
        clock: frozenClock(),
        certificates: { icpBrasil: { anchors, intermediates }, allowedPrivateHosts: [] },
      });
      try {
        const own = await elsewhere.pki.issuePerson(people[0]);
        await assert.rejects(judgeSigningCertificate(other.ctx, { certificate: own.certificate, chain: own.chain, cpf, cnpj: null }), {
          code: 'certificate.revocationUnknown',
        });
      } finally {
        await other.close();
        await elsewhere.close();
      }
    });

    it('refuses a value that does not verify, or not one for each document; nothing is written and the signer can sign again', async () => {
      const process = await digital();
      const own = await certificateOf();
      const stranger = await certificateOf(people[1]);
      for (const spoil of [
        (good: { documentId: string; value: string }[], prepared: Prepared) => values(prepared, stranger).slice(0, good.length),
        (good: { documentId: string; value: string }[]) => good.slice(1),
        (good: { documentId: string; value: string }[]) => good.map((one) => ({ ...one, documentId: good[0]?.documentId ?? '' })),
        (good: { documentId: string; value: string }[]) => good.map((one, at) => ({ ...one, value: good[1 - at]?.value ?? '' })),
      ]) {
        const prepared = await prepare(process, 0, own);
        const answer = await complete(process, 0, prepared.body, spoil(values(prepared.body, own), prepared.body));
        assert.equal(answer.code, 'signing.valueInvalid');
        assert.equal(await statusOf(process, 0), 'ERROR_WHILE_SIGNING');
      }
      assert.equal((await openDocumentFile(app.ctx, process.documentIds[0] ?? '')).parts.length, 2);
      assert.equal((await signWith(process, 0, own)).status, 204);
    });

    it('never lets two signers prepare on the same revision: the second waits, and an abandoned hold ends', async () => {
      const process = await digital();
      const [own, other] = [await certificateOf(), await certificateOf(people[1])];
      const first = await prepare(process, 0, own);
      const second = await prepare(process, 1, other);
      assert.deepEqual([second.code, second.status], ['signing.documentBusy', 409]);
      app.clock.advance({ minutes: 4 });
      assert.equal((await signWith(process, 1, other)).status, 204);
      const late = await complete(process, 0, first.body, values(first.body, own));
      assert.equal(late.code, 'signing.prepareAgain');
      assert.equal((await signWith(process, 0, own)).status, 204);
      const seqs = (await openDocumentFile(app.ctx, process.documentIds[0] ?? '')).parts.map(({ seq }) => seq);
      assert.deepEqual(seqs, [0, 1, 2, 3]);
    });

    it('acts once when the values are sent twice, and not on another’s attempt', async () => {
      const process = await digital();
      const own = await certificateOf();
      const prepared = await prepare(process, 0, own);
      const signatures = values(prepared.body, own);
      assert.equal((await complete(process, 1, prepared.body, signatures)).code, 'signing.prepareAgain');
      const both = await Promise.all([complete(process, 0, prepared.body, signatures), complete(process, 0, prepared.body, signatures)]);
      assert.deepEqual(
        both.map(({ status }) => status),
        [204, 204],
      );
      assert.equal((await complete(process, 0, prepared.body, signatures)).status, 204);
      assert.equal((await openDocumentFile(app.ctx, process.documentIds[0] ?? '')).parts.length, 3);
    });

    it('gives LAVRA_SIGNER one-time requests that only this server can sign', async () => {
      const process = await digital();
      const signerId = process.signerIds[0] ?? '';
      const { body: first } = await app.call(api.requestLocalCertificate, { body: { processId: process.id, signerId } });
      const own = await certificateOf();
      const { body: prepared } = await prepare(process, 0, own, { source: 'LAVRA_SIGNER' });
      const { key } = (await app.call(api.getLocalSignerKey)).body;
      const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
      const [choose, signing] = [first.request, prepared.request ?? ''].map((request) => {
        const [text = '', signature = ''] = request.split('.');
        assert.ok(verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url')));
        return api.localSignerRequest.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
      });
      assert.equal(choose?.kind, 'certificate');
      assert.equal(choose.origin, 'http://lavra.test');
      assert.deepEqual(
        signing?.documents.map(({ signedAttributes }) => signedAttributes),
        prepared.documents.map(({ signedAttributes }) => signedAttributes),
      );
      assert.notEqual(choose.nonce, signing?.nonce);
    });

    it('refuses a certificate with anything behind it: the signature would be bound to bytes that no reader finds in the file', async () => {
      const process = await digital();
      const own = await certificateOf();
      const answer = await prepare(process, 0, { ...own, certificate: Buffer.concat([own.certificate, Buffer.alloc(2)]) });
      assert.deepEqual([answer.code, answer.status], ['certificate.unreadable', 400]);
      assert.equal((await signWith(process, 0, own)).status, 204);
    });

    it('holds nothing for an attempt that was given up while its documents were prepared', async () => {
      const process = await digital();
      const [processId, signerId] = [process.id, process.signerIds[0] ?? ''];
      const [own, { ctx }] = [await certificateOf(), app];
      const { attemptId } = (await prepare(process, 0, own)).body;
      await ctx.db.deleteFrom('prepared_signature').where('attempt_id', '=', attemptId).execute();
      const read: BlobStore['read'] = async function* (...given) {
        await app.call(api.cancelSigningAttempt, { body: { processId, signerId } });
        yield* ctx.storage.read(...given);
      };
      const storage = new Proxy(ctx.storage, { get: (target, name) => (name === 'read' ? read : Reflect.get(target, name)) });
      const judged = await judgeSigningCertificate(ctx, { certificate: own.certificate, chain: [], cpf, cnpj: null });
      await assert.rejects(prepareAttempt({ ...ctx, storage }, attemptId, judged), { code: 'signing.prepareAgain' });
      assert.deepEqual(await listPrepared(ctx, attemptId), []);
      assert.equal((await signWith(process, 1, await certificateOf(people[1]))).status, 204);
    });

    it('is not offered in an electronic process, nor electronic signing in a digital one', async () => {
      const electronic = await digital({ type: 'ELETRONIC_SIGNATURE' });
      assert.equal((await prepare(electronic, 0, await certificateOf())).code, 'process.otherModality');
      const { signElectronically } = await import('../../../testing/processes.ts');
      const process = await digital();
      assert.equal((await signElectronically(app, process.id, process.signerIds[0] ?? '')).code, 'process.otherModality');
    });
  });

  async function pdfsig(bytes: Uint8Array): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'lavra-pdfsig-'));
    try {
      await writeFile(join(directory, 'file.pdf'), bytes);
      return (await promisify(execFile)('pdfsig', ['-nocert', join(directory, 'file.pdf')])).stdout;
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
});
