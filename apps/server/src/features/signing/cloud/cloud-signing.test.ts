import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signedInAccount, signIn } from '../../../testing/accounts.ts';
import { holderOf, openPdf, parseCertificate, verifyPdf } from '@lavra/pades';
import { configurePscs, createPscClient } from '@lavra/psc';
import { type MakeBelievePscId, makeBelievePscs, type PscBehaviour } from '@lavra/make-believe';
import { sql } from 'kysely';
import {
  askLeave,
  attemptOf,
  bia,
  caio,
  type CloudStory,
  comeBack,
  digitalProcess,
  giveLeave,
  pressAt,
  signInCloud,
  startCloudStory,
  statusOf,
} from '../../../testing/cloud.ts';
import { countOpenJobs, dropJobs, exhaustJobs, hurryJobs } from '../../../testing/jobs.ts';
import type { TestDraft } from '../../../testing/processes.ts';
import { committedDuring } from '../../../testing/statements.ts';
import type { BlobStore } from '../../../storage/blob-store.ts';
import { openDocumentFile } from '../../documents/document-file.ts';
import { loadProcess } from '../../processes/load-process.ts';
import { sweepAttemptsJob } from '../sweep-attempts.job.ts';
import { failAttempt } from '../digital/fail-attempt.ts';
import { claimAttempt } from './cloud.store.ts';
import { signCloudJob } from './sign-cloud.job.ts';
import { sha256Hex } from './state-hash.ts';

let story: CloudStory;
// Inside: hooks beside it would run when the whole program ends, with every installation open until then.
describe('cloud signing', () => {
  before(async () => {
    story = await startCloudStory();
  });
  after(() => story.close());

  const signed = (finalized = true) => ({ status: 'SIGNED', reason: 'signer.alreadySigned', finalized });
  const failed = (reason: string) => ({ status: 'ERROR_WHILE_SIGNING', reason, finalized: false });

  /** Nothing is left of an attempt but its row: no token, no prepared documents, no hold on them. */
  async function assertNothingKept(draft: TestDraft): Promise<void> {
    const { db } = story.app.ctx;
    const attempts = await db.selectFrom('signing_attempt').selectAll().where('signature_process_id', '=', draft.id).execute();
    for (const { id, secret } of attempts) {
      assert.equal(secret, null);
      assert.deepEqual(await db.selectFrom('prepared_signature').select('seq').where('attempt_id', '=', id).execute(), []);
    }
    assert.deepEqual(await db.selectFrom('signing_lease').select('attempt_id').where('signature_process_id', '=', draft.id).execute(), []);
  }

  /** What our own verifier says of every document, signature by signature. */
  async function verdicts(draft: TestDraft) {
    const { ctx } = story.app;
    const crls = await story.world.pki.revocationLists();
    return Promise.all(
      draft.documentIds.map(async (id) => {
        const { source } = await openDocumentFile(ctx, id);
        const revocations = { material: async () => ({ certificates: [], crls, ocsps: [] }) };
        const report = await verifyPdf(await openPdf(source), { trust: ctx.icpBrasil, at: ctx.clock.now(), revocations });
        return report.signatures.map(({ indication, policy, signer }) => [indication, policy?.hash, signer?.cpf]);
      }),
    );
  }

  const asked = (psc: MakeBelievePscId, call: string) => story.world.pscs[psc].asked.filter((one) => one === call).length;

  it('says one time in every document and everywhere else, however long it takes', async () => {
    const { clock } = story.app.ctx;
    const { now } = clock;
    const draft = await digitalProcess(story, { documents: ['um.pdf', 'dois.pdf'] });
    let looks = 0;
    clock.now = () => new Date(now().getTime() + 70 * looks++);
    try {
      assert.equal((await signInCloud(story, draft, { cpf: bia.cpf })).status, 'SIGNED');
    } finally {
      // What was recorded is not before the clock again.
      const ahead = 70 * looks;
      clock.now = () => new Date(now().getTime() + ahead);
    }
    const { signers } = await loadProcess(story.app.ctx, draft.id);
    for (const id of draft.documentIds) {
      const { signatures } = await verifyPdf(await openPdf((await openDocumentFile(story.app.ctx, id)).source), {
        trust: story.app.ctx.icpBrasil,
        at: clock.now(),
      });
      assert.deepEqual(
        signatures.map(({ claimedTime }) => claimedTime && new Date(claimedTime)),
        [signers[0]?.finalizedAt],
      );
    }
  });

  describe('signing with a cloud certificate', () => {
    it('ends its job in the statement of its act', async () => {
      const draft = await digitalProcess(story);
      const asked: string[] = [];
      await committedDuring(
        async () => assert.deepEqual(await signInCloud(story, draft), signed()),
        (text) => asked.push(text),
      );
      const ending = asked.filter((text) => /completed_on = pgboss/i.test(text));
      assert.deepEqual([ending.length > 0, ending.filter((text) => /^\s*with results\b/i.test(text))], [true, []]);
    });

    for (const psc of makeBelievePscs.filter((id) => id !== 'VIDAAS')) {
      it(`signs two documents in one authorisation at ${psc}`, async () => {
        const draft = await digitalProcess(story);
        story.world.reset();
        assert.deepEqual(await signInCloud(story, draft, { psc }), signed());
        assert.deepEqual(story.world.pscs[psc].asked, ['authorize', 'token', 'certificate-discovery', 'signature']);
        assert.deepEqual(await verdicts(draft), Array(2).fill([['TOTAL-PASSED', 'matches', bia.cpf]]));
        await assertNothingKept(draft);
      });
    }

    it('asks a provider as often as its maximum makes necessary, in one authorisation', async () => {
      const draft = await digitalProcess(story, { documents: Array.from({ length: 6 }, (_, index) => `documento ${index + 1}.pdf`) });
      story.world.reset();
      assert.deepEqual(await signInCloud(story, draft, { psc: 'NEOID' }), signed());
      assert.equal(asked('NEOID', 'authorize'), 1);
      assert.equal(asked('NEOID', 'signature'), 2);
      assert.deepEqual(await verdicts(draft), Array(6).fill([['TOTAL-PASSED', 'matches', bia.cpf]]));
    });

    it('shows the signer’s page that the holder is being waited for, then that it signs, then that it is signed', async () => {
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      assert.equal((await statusOf(story, draft)).status, 'SENT');
      const { body, browser } = await askLeave(story, draft);
      assert.deepEqual([body.mode, body.secondsLeft], ['redirect', 90]);
      assert.deepEqual(await statusOf(story, draft), { status: 'AUTHORIZING', reason: null, finalized: false });
      const finished = await comeBack(story, await pressAt(body.url), browser);
      assert.deepEqual(finished.body, { statusCode: 200, processId: draft.id, signerId: draft.signerIds[0] });
      assert.equal((await statusOf(story, draft)).status, 'SIGNING');
      await story.app.runJobs();
      assert.deepEqual(await statusOf(story, draft), signed());
    });

    it('takes the specification’s GET as well, with the creator’s model as the stamp', async () => {
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      const acting = { processId: draft.id, signerId: draft.signerIds[0] ?? '' };
      const { body: seen } = await story.app.call(api.getRequisitionInformation, {
        params: { processId: draft.id },
        query: { user: acting.signerId },
      });
      const { body } = await story.app.call(api.createUrlAuthorize, {
        query: {
          ...acting,
          userLegalIdentifier: bia.cpf,
          userPsc: 'SAFEID',
          browser: sha256Hex('guardado no navegador'),
          consentHash: seen.consent.hash,
        },
      });
      assert.equal((await comeBack(story, await pressAt(body.url), 'guardado no navegador')).status, 200);
      await story.app.runJobs();
      assert.deepEqual(await statusOf(story, draft), signed());
    });

    it('takes findCertificates, createUrlAuthorize and the callback as the specification writes them, from a session of the signer’s own (187–189)', async () => {
      const own = await signedInAccount(story.app, { email: 'bia.com.conta@exemplo.com.br' });
      const draft = await digitalProcess(story, { documents: ['um.pdf'], signers: [{ ...bia, email: own.email }] });
      const [processId, { token }] = [draft.id, own];
      const params = { cpf: bia.cpf };
      const found = await story.app.call(api.findCertificates, { token, params, query: { processId } });
      assert.ok(found.body.availablePscs.includes('SAFEID'), found.raw.body);
      const { body: seen } = await story.app.call(api.getRequisitionInformation, {
        params: { processId },
        query: { user: draft.signerIds[0] },
      });
      const query = { userLegalIdentifier: bia.cpf, userPsc: 'SAFEID', processId, consentHash: seen.consent.hash };
      for (const [who, code] of [
        [{}, 'request.unauthorized'],
        [{ token: story.creator.token }, 'signer.notFound'],
      ] as const) {
        assert.equal((await story.app.call(api.findCertificates, { ...who, params, query: { processId } })).code, code);
        assert.equal((await story.app.call(api.createUrlAuthorize, { ...who, query })).code, code);
      }
      const byLink = await story.app.call(api.createUrlAuthorize, { query: { ...query, signerId: draft.signerIds[0] } });
      assert.equal(byLink.code, 'request.invalid', 'neither a browser’s secret nor a session: nothing to bind it to');
      const { body } = await story.app.call(api.createUrlAuthorize, { token, query });
      const { state, code } = await pressAt(body.url);
      const back = { state, code, id: 'psc', image: null };
      const other = await signIn(story.app, own);
      assert.equal((await story.app.call(api.createAuthorizeTransactionCallback, { body: back })).code, 'request.invalid');
      for (const stranger of [other, story.creator.token])
        assert.equal(
          (await story.app.call(api.createAuthorizeTransactionCallback, { token: stranger, body: back })).code,
          'signing.authorizationUnknown',
        );
      assert.equal((await story.app.call(api.createAuthorizeTransactionCallback, { token, body: back })).status, 200);
      await story.app.runJobs();
      assert.deepEqual(await statusOf(story, draft), signed());
      const told = await story.app.ctx.db
        .selectFrom('event')
        .select('data')
        .where('signature_process_id', '=', processId)
        .where('type', '=', 'link.handedOut')
        .execute();
      assert.deepEqual(
        told.map(({ data }) => (data as { to: unknown }).to),
        ['signer-session'],
        'that the session acts as the link is told, once',
      );
    });

    it('lets two signers of one order sign at the same time, one revision each', async () => {
      const draft = await digitalProcess(story, {
        signers: [
          { ...bia, order: 0 },
          { ...caio, order: 0 },
        ],
      });
      assert.equal((await giveLeave(story, draft, { psc: 'SYN' })).status, 200);
      assert.equal((await giveLeave(story, draft, { psc: 'BIRDID', signer: 1 })).status, 200);
      await story.app.runJobs();
      assert.deepEqual([(await statusOf(story, draft, 0)).status, (await statusOf(story, draft, 1)).status], ['SIGNED', 'SIGNED']);
      for (const found of await verdicts(draft)) assert.deepEqual(found.map(([, , cpf]) => cpf).toSorted(), [caio.cpf, bia.cpf]);
    });
  });

  type Switches = Partial<PscBehaviour>;

  describe('a provider or a certificate that says no', () => {
    let draft: TestDraft;
    before(async () => {
      draft = await digitalProcess(story);
    });
    beforeEach(() => {
      story.world.reset();
      // A revocation list that was fetched just before would not know yet.
      story.app.clock.advance({ minutes: 11 });
    });

    const atTheWindow: [string, Switches, string, number][] = [
      ['the code is too old', { codes: 'expired' }, 'signing.authorizationExpired', 409],
      ['somebody else authorised', { holder: 'other' }, 'certificate.otherHolder', 400],
      ['the right to sign is not given', { scope: 'identification-only' }, 'signing.providerMisconfigured', 502],
      ['the token call fails with status 200', { fails: { token: 'error-200' } }, 'signing.providerUnavailable', 503],
      ['the token call refuses with status 200', { fails: { token: 'status-200' } }, 'signing.providerFault', 502],
      ['the token call answers a page', { fails: { token: 'not-json' } }, 'signing.providerFault', 502],
      ['the provider is out of order', { fails: { token: 'server-error' } }, 'signing.providerUnavailable', 503],
    ];
    for (const [name, switches, code, status] of atTheWindow) {
      it(`tells the window by a code when ${name}`, async () => {
        Object.assign(story.world.pscs.BIRDID.behaviour, switches);
        const finished = await giveLeave(story, draft);
        assert.deepEqual([finished.code, finished.status], [code, status]);
        assert.deepEqual(await statusOf(story, draft), failed(code));
        await assertNothingKept(draft);
      });
    }

    it('tells the window when the holder refused', async () => {
      const { body, browser } = await askLeave(story, draft);
      const finished = await comeBack(story, await pressAt(body.url, 'refuse'), browser);
      assert.equal(finished.code, 'signing.authorizationRefused');
      assert.deepEqual(await statusOf(story, draft), failed('signing.authorizationRefused'));
      await assertNothingKept(draft);
    });

    it('tells the window when the provider went away', async () => {
      const { body, browser } = await askLeave(story, draft);
      const back = await pressAt(body.url);
      story.world.pscs.BIRDID.behaviour.reachable = false;
      assert.equal((await comeBack(story, back, browser)).code, 'signing.providerUnavailable');
      assert.deepEqual(await statusOf(story, draft), failed('signing.providerUnavailable'));
    });

    const whileSigning: [string, Switches, string][] = [
      ['the token is over', { tokens: 'expired' }, 'signing.authorizationExpired'],
      ['the certificate is of another CPF', { certificate: 'other-cpf' }, 'certificate.otherHolder'],
      ['the certificate is revoked', { certificate: 'revoked' }, 'certificate.revoked'],
      ['the certificate is not ICP-Brasil’s', { certificate: 'not-icp-brasil' }, 'certificate.notIcpBrasil'],
      ['there is no certificate', { certificate: 'none' }, 'certificate.notFound'],
      ['the certificate cannot be read', { certificate: 'garbage' }, 'signing.providerFault'],
      ['a signature is missing', { hashes: 'one-less' }, 'signing.providerFault'],
      ['there is a signature too many', { hashes: 'one-more' }, 'signing.providerFault'],
      ['the signatures are of other documents', { hashes: 'wrong-id' }, 'signing.providerFault'],
      ['the signatures are of another key', { signatures: 'other-key' }, 'signing.valueInvalid'],
      ['the signatures cannot be read', { signatures: 'garbage' }, 'signing.providerFault'],
      ['the signing is refused with status 200', { fails: { signature: 'status-200' } }, 'signing.providerFault'],
      ['the signing answers a page', { fails: { signature: 'not-json' } }, 'signing.providerFault'],
    ];
    for (const [name, switches, reason] of whileSigning) {
      it(`tells the signer by a code when ${name}`, async () => {
        Object.assign(story.world.pscs.BIRDID.behaviour, switches);
        assert.deepEqual(await signInCloud(story, draft), failed(reason));
        await assertNothingKept(draft);
      });
    }

    it('tells the signer since when and until when a certificate was valid that has ended', async () => {
      story.world.pscs.BIRDID.behaviour.certificate = 'expired';
      const { reason, reasonParams } = await signInCloud(story, draft);
      assert.equal(reason, 'certificate.notValid');
      assert.match(`${reasonParams?.['from']} ${reasonParams?.['to']}`, /^\d\d\/\d\d\/\d{4}.+\d\d\/\d\d\/\d{4}/);
    });

    it('tells who is corrected nothing of what failed for who was invited before', async () => {
      const corrected = await digitalProcess(story);
      story.world.pscs.BIRDID.behaviour.certificate = 'expired';
      const { status, reasonParams } = await signInCloud(story, corrected);
      assert.deepEqual([status, typeof reasonParams], ['ERROR_WHILE_SIGNING', 'object']);
      const params = { id: corrected.id, signerId: corrected.signerIds[0] ?? '' };
      const body = { name: 'Dora Certa', email: 'dora.certa@exemplo.com.br' };
      assert.equal((await story.app.call(api.correctSigner, { token: story.creator.token, params, body })).status, 204);
      await story.app.runJobs();
      assert.deepEqual(await statusOf(story, corrected), { status: 'SENT', reason: null, finalized: false });
    });

    for (const fault of ['server-error', 'too-many-requests'] as const) {
      it(`tries again while the provider is away (${fault}), and then tells the signer`, async () => {
        story.world.pscs.BIRDID.behaviour.fails = { signature: fault };
        assert.equal((await giveLeave(story, draft)).status, 200);
        await story.app.runJobs();
        assert.deepEqual(await statusOf(story, draft), { status: 'SIGNING', reason: 'signing.providerUnavailable', finalized: false });
        await exhaustJobs(story.app, 'sign-cloud');
        assert.equal(asked('BIRDID', 'signature'), 5);
        assert.deepEqual(await statusOf(story, draft), failed('signing.providerUnavailable'));
        await assertNothingKept(draft);
      });
    }

    it('goes on with the same authorisation when the provider comes back', async () => {
      const other = await digitalProcess(story);
      story.world.pscs.BIRDID.behaviour.fails = { signature: 'server-error' };
      assert.equal((await giveLeave(story, other)).status, 200);
      await story.app.runJobs();
      story.world.pscs.BIRDID.behaviour.fails = {};
      await exhaustJobs(story.app, 'sign-cloud');
      assert.deepEqual(await statusOf(story, other), signed());
      assert.equal(asked('BIRDID', 'token'), 1);
    });

    it('refuses a company’s certificate with a code of its own', async () => {
      const certificate = await story.world.pki.issueCompany({ name: 'Alfa Ltda', cnpj: '11222333000181', responsible: bia });
      story.world.pscs.SYN.state.holders.set('11144477735', { number: '11144477735', name: 'Alfa Ltda', certificate });
      assert.deepEqual(await signInCloud(story, draft, { psc: 'SYN', cpf: '11144477735' }), failed('certificate.company'));
    });

    it('can be followed by a signature on the same process', async () => {
      assert.deepEqual(await signInCloud(story, draft), signed());
      assert.deepEqual(await verdicts(draft), Array(2).fill([['TOTAL-PASSED', 'matches', bia.cpf]]));
    });
  });

  describe('a signer who represents a company', () => {
    const company = { name: 'Padaria São Bento Ltda', cnpj: '12ABC34501DE35', responsible: bia };
    const representing = { documents: ['um.pdf'], signers: [{ ...bia, companyIdentifier: company.cnpj }] };
    const searched = (draft: TestDraft) =>
      story.app.call(api.findCertificatesByPost, { body: { processId: draft.id, signerId: draft.signerIds[0] ?? '', cpf: bia.cpf } });
    before(async () => {
      story.world.reset();
      story.app.clock.advance({ minutes: 1 });
      await story.world.enrolCompany(company, ['SAFEID']);
    });

    it('finds the company’s certificate where its CNPJ has one, and nobody else finds it', async () => {
      const { body } = await searched(await digitalProcess(story, representing));
      assert.deepEqual(body.companyPscs, ['SAFEID']);
      assert.ok(body.availablePscs.includes('BIRDID'));
      assert.deepEqual((await searched(await digitalProcess(story))).body.companyPscs, []);
    });

    it('signs with it, asked for by its CNPJ, where the signer is who is responsible for it', async () => {
      const draft = await digitalProcess(story, representing);
      const { body } = await askLeave(story, draft, { psc: 'SAFEID', holder: 'company' });
      assert.equal(new URL(body.url ?? '').searchParams.get('login_hint'), company.cnpj);
      assert.deepEqual(await signInCloud(story, draft, { psc: 'SAFEID', holder: 'company' }), signed());
      const { certificate } = await story.app.ctx.db
        .selectFrom('signature_evidence')
        .select('certificate')
        .where('signer_id', '=', draft.signerIds[0] ?? '')
        .where('certificate', 'is not', null)
        .executeTakeFirstOrThrow();
      assert.equal(holderOf(parseCertificate(new Uint8Array(certificate ?? []))).cnpj, company.cnpj);
    });

    it('is refused the company’s where they were registered for none, before any provider hears of it', async () => {
      const draft = await digitalProcess(story);
      story.world.reset();
      const refused = await askLeave(story, draft, { psc: 'SAFEID', holder: 'company' });
      assert.deepEqual([refused.status, refused.code], [400, 'certificate.company']);
      assert.deepEqual(story.world.pscs.SAFEID.asked, []);
    });

    it('does not sign with a company’s certificate that somebody else is responsible for', async () => {
      const other = { name: 'Alfa Ltda', cnpj: '11222333000181', responsible: caio };
      await story.world.enrolCompany(other, ['SYN']);
      const draft = await digitalProcess(story, { ...representing, signers: [{ ...bia, companyIdentifier: other.cnpj }] });
      assert.deepEqual(await signInCloud(story, draft, { psc: 'SYN', holder: 'company' }), failed('certificate.otherHolder'));
    });
  });

  describe('the way back from the provider', () => {
    beforeEach(() => {
      story.world.reset();
      story.app.clock.advance({ minutes: 1 });
    });

    it('is used once: a replayed callback says so, and changes nothing', async () => {
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      const { body, browser } = await askLeave(story, draft);
      const back = await pressAt(body.url);
      assert.equal((await comeBack(story, back, browser)).status, 200);
      assert.equal((await comeBack(story, back, browser)).code, 'signing.authorizationUsed');
      assert.equal(asked('BIRDID', 'token'), 1);
      await story.app.runJobs();
      assert.deepEqual(await statusOf(story, draft), signed());
      assert.equal((await comeBack(story, back, browser)).code, 'signing.authorizationUsed');
    });

    it('is taken once of two that come at the same time', async () => {
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      const { body, browser } = await askLeave(story, draft);
      const back = await pressAt(body.url);
      const answers = await Promise.all([comeBack(story, back, browser), comeBack(story, back, browser)]);
      assert.deepEqual(answers.map(({ code }) => code).toSorted(), ['signing.authorizationUsed', undefined]);
      await story.app.runJobs();
      assert.deepEqual(await statusOf(story, draft), signed());
    });

    it('that has just been taken does not give way to a new request', async () => {
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      await askLeave(story, draft);
      const { id } = await attemptOf(story, draft);
      const { ctx } = story.app;
      const asking = await ctx.transaction(async (tx) => {
        assert.ok(await claimAttempt(tx, id, new Date(ctx.clock.now().getTime() + 60_000)));
        const other = askLeave(story, draft);
        const isHeld = sql<{ held: boolean }>`select exists (select from pg_locks where not granted) as held`;
        while (!(await isHeld.execute(ctx.db)).rows[0]?.held);
        return { other };
      });
      assert.equal((await asking.other).code, 'signing.underWay');
      assert.equal((await attemptOf(story, draft)).state, 'signing');
    });

    it('whose program died before it had a token gives way to a new request as soon as its time is over, before any job has run', async () => {
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      await askLeave(story, draft);
      const { id } = await attemptOf(story, draft);
      const { ctx, clock } = story.app;
      assert.ok(await claimAttempt(ctx, id, new Date(clock.now().getTime() + 20_000)));
      clock.advance({ seconds: 19 });
      assert.equal((await askLeave(story, draft)).code, 'signing.underWay');
      clock.advance({ seconds: 1 });
      assert.equal((await askLeave(story, draft)).code, undefined);
      const first = await ctx.db.selectFrom('signing_attempt').select(['state', 'reason']).where('id', '=', id).executeTakeFirst();
      assert.deepEqual(first, { state: 'expired', reason: 'signing.authorizationExpired' });
    });

    it('is nobody’s but the browser’s that asked: a stranger neither ends nor uses it', async () => {
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      const { body, browser } = await askLeave(story, draft);
      const back = await pressAt(body.url);
      for (const [callback, secret] of [
        [back, 'outro navegador'],
        [{ ...back, code: null, error: 'access_denied' }, 'outro navegador'],
        [{ ...back, code: null, error: 'access_denied' }, ''],
        [{ ...back, state: 'nunca existiu' }, browser],
        [{ ...back, state: '' }, browser],
      ] as const) {
        assert.equal((await comeBack(story, callback, secret)).code, 'signing.authorizationUnknown');
      }
      assert.equal((await statusOf(story, draft)).status, 'AUTHORIZING');
      assert.equal((await comeBack(story, back, browser)).status, 200);
    });

    it('with the state of another process does nothing to it', async () => {
      const [mine, other] = [
        await digitalProcess(story, { documents: ['um.pdf'] }),
        await digitalProcess(story, { documents: ['um.pdf'] }),
      ];
      const ours = await askLeave(story, mine);
      const theirs = await askLeave(story, other);
      const back = await pressAt(ours.body.url);
      const { state } = await pressAt(theirs.body.url);
      assert.equal((await comeBack(story, { ...back, state }, ours.browser)).code, 'signing.authorizationUnknown');
      assert.equal((await statusOf(story, other)).status, 'AUTHORIZING');
      assert.equal((await comeBack(story, back, ours.browser)).status, 200);
    });

    it('with another authorisation’s code is refused by the provider, which knows whose it is', async () => {
      const [mine, other] = [
        await digitalProcess(story, { documents: ['um.pdf'] }),
        await digitalProcess(story, { documents: ['um.pdf'] }),
      ];
      const ours = await askLeave(story, mine);
      const theirs = await askLeave(story, other);
      const { state } = await pressAt(ours.body.url);
      const { code } = await pressAt(theirs.body.url);
      assert.equal((await comeBack(story, { state, code, error: null }, ours.browser)).code, 'signing.authorizationExpired');
    });

    it('comes too late after 90 s: nobody is signed for, and another try begins anew', async () => {
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      const { body, browser } = await askLeave(story, draft);
      const back = await pressAt(body.url);
      story.app.clock.advance({ seconds: 89 });
      assert.equal((await statusOf(story, draft)).status, 'AUTHORIZING');
      story.app.clock.advance({ seconds: 1 });
      assert.deepEqual(await statusOf(story, draft), failed('signing.authorizationExpired'));
      assert.equal((await comeBack(story, back, browser)).code, 'signing.authorizationExpired');
      assert.equal((await comeBack(story, back, browser)).code, 'signing.authorizationExpired');
      assert.equal(asked('BIRDID', 'token'), 0);
      await assertNothingKept(draft);
      story.app.clock.advance({ seconds: 1 });
      assert.deepEqual(await signInCloud(story, draft), signed());
    });

    it('is not waited for without end: the sweep closes what nobody came back for', async () => {
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      await askLeave(story, draft);
      story.app.clock.advance({ seconds: 90 });
      await sweepAttemptsJob.run(story.app.ctx, {});
      const { state, reason, secret } = await attemptOf(story, draft);
      assert.deepEqual({ state, reason, secret }, { state: 'expired', reason: 'signing.authorizationExpired', secret: null });
      assert.deepEqual(await statusOf(story, draft), failed('signing.authorizationExpired'));
    });

    it('of an attempt that a newer one replaced leads nowhere', async () => {
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      const first = await askLeave(story, draft);
      story.app.clock.advance({ seconds: 1 });
      const second = await askLeave(story, draft, { psc: 'SYN' });
      assert.equal((await comeBack(story, await pressAt(first.body.url), first.browser)).code, 'signing.canceled');
      assert.equal((await comeBack(story, await pressAt(second.body.url), second.browser)).status, 200);
    });

    it('is not waited for when the signer gave up; what is being signed goes on', async () => {
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      const acting = { processId: draft.id, signerId: draft.signerIds[0] ?? '' };
      const cancel = () => story.app.call(api.cancelSigningAttempt, { body: acting });
      assert.equal((await cancel()).status, 204, 'nothing to give up');
      const { body, browser } = await askLeave(story, draft);
      assert.equal((await cancel()).status, 204);
      assert.deepEqual(await statusOf(story, draft), { status: 'SENT', reason: null, finalized: false });
      assert.equal((await comeBack(story, await pressAt(body.url), browser)).code, 'signing.canceled');
      await assertNothingKept(draft);
      story.app.clock.advance({ seconds: 1 });
      assert.equal((await giveLeave(story, draft)).status, 200);
      assert.equal((await cancel()).status, 204);
      await story.app.runJobs();
      assert.deepEqual(await statusOf(story, draft), signed());
      const stranger = await story.app.call(api.cancelSigningAttempt, { body: { ...acting, processId: crypto.randomUUID() } });
      assert.equal(stranger.code, 'signer.notFound');
    });
  });

  /** A program that dies at a call: what it had done so far stays. */
  const dies = () => Promise.reject(new Error('the program died here'));

  describe('a signing that is interrupted', () => {
    let draft: TestDraft;
    let attemptId: string;
    /** An attempt of somebody else. */
    let stranger: string;
    before(async () => {
      const other = await digitalProcess(story, { documents: ['um.pdf'] });
      await askLeave(story, other);
      stranger = (await attemptOf(story, other)).id;
    });
    beforeEach(async () => {
      story.world.reset();
      story.app.clock.advance({ minutes: 1 });
      draft = await digitalProcess(story);
      assert.equal((await giveLeave(story, draft)).status, 200);
      attemptId = (await attemptOf(story, draft)).id;
    });
    const holdDocuments = async (seconds: number) => {
      const expires_at = new Date(story.app.clock.now().getTime() + seconds * 1000);
      const lease = { signature_process_id: draft.id, attempt_id: stranger, expires_at };
      await story.app.ctx.db.insertInto('signing_lease').values(lease).execute();
    };
    const withPut = (put: BlobStore['put']) => {
      const get = (target: BlobStore, name: string | symbol) => (name === 'put' ? put : Reflect.get(target, name));
      return new Proxy(story.app.ctx.storage, { get });
    };
    const run = (ctx = story.app.ctx) => signCloudJob.run(ctx, { attemptId, wait: 0 });

    it('acts once when its job runs twice', async () => {
      await run();
      await run();
      await story.app.runJobs();
      assert.deepEqual(await statusOf(story, draft), signed());
      assert.equal(asked('BIRDID', 'signature'), 1);
      for (const found of await verdicts(draft)) assert.equal(found.length, 1);
    });

    it('records what the provider signed without asking it again, when the program died before it was recorded', async () => {
      await assert.rejects(run({ ...story.app.ctx, storage: withPut(dies) }));
      assert.equal((await statusOf(story, draft)).status, 'SIGNING');
      await story.app.runJobs();
      assert.deepEqual(await statusOf(story, draft), signed());
      assert.equal(asked('BIRDID', 'signature'), 1);
      await assertNothingKept(draft);
    });

    it('lets the signer try again when the program died with the values: the authorisation is used up, nothing is signed', async () => {
      const { psc } = story.app.ctx;
      const signHashes: typeof psc.signHashes = async (...asks) => {
        await psc.signHashes(...asks);
        return dies();
      };
      await assert.rejects(run({ ...story.app.ctx, psc: { ...psc, signHashes } }));
      await story.app.runJobs();
      assert.deepEqual(await statusOf(story, draft), failed('signing.authorizationExpired'));
      await assertNothingKept(draft);
      story.app.clock.advance({ seconds: 1 });
      assert.deepEqual(await signInCloud(story, draft), signed());
    });

    it('keeps the values of the other run when two overlap and the authorisation serves one of them', async () => {
      const { psc } = story.app.ctx;
      const signHashes: typeof psc.signHashes = async (...asks) => {
        await assert.rejects(run({ ...story.app.ctx, storage: withPut(dies) }));
        return psc.signHashes(...asks);
      };
      await assert.rejects(run({ ...story.app.ctx, psc: { ...psc, signHashes } }), { code: 'PSC_EXPIRED' });
      await story.app.runJobs();
      assert.deepEqual(await statusOf(story, draft), signed());
      for (const found of await verdicts(draft)) assert.equal(found.length, 1);
    });

    it('waits for a slow provider no longer than a deadline, and tries again', async () => {
      const { world, app } = story;
      const impatient = createPscClient(configurePscs(world.settings), { fetch, now: app.clock.now, random: randomBytes }, { callMs: 300 });
      world.pscs.BIRDID.behaviour.delayMs = 60_000;
      await assert.rejects(run({ ...app.ctx, psc: { ...impatient, ids: ['BIRDID'] } }), { code: 'PSC_TIMEOUT' });
      assert.deepEqual(await statusOf(story, draft), { status: 'SIGNING', reason: 'signing.providerUnavailable', finalized: false });
      world.pscs.BIRDID.behaviour.delayMs = 0;
      await app.runJobs();
      assert.deepEqual(await statusOf(story, draft), signed());
    });

    it('is taken up again when its job was lost', async () => {
      await dropJobs(story.app, 'sign-cloud');
      story.app.clock.advance({ seconds: 200 });
      await sweepAttemptsJob.run(story.app.ctx, {});
      assert.equal(await countOpenJobs(story.app, 'sign-cloud'), 0, 'its token still lives');
      story.app.clock.advance({ seconds: 101 });
      await sweepAttemptsJob.run(story.app.ctx, {});
      await story.app.runJobs();
      assert.deepEqual(await statusOf(story, draft), failed('signing.authorizationExpired'));
    });

    it('waits a moment while another signer holds the documents', async () => {
      await holdDocuments(60);
      await story.app.runJobs();
      assert.deepEqual(await statusOf(story, draft), { status: 'SIGNING', reason: 'signing.documentBusy', finalized: false });
      await hurryJobs(story.app, 'sign-cloud');
      assert.deepEqual((await statusOf(story, draft)).reason, 'signing.documentBusy');
      assert.equal(asked('BIRDID', 'signature'), 0);
      story.app.clock.advance({ seconds: 61 });
      await hurryJobs(story.app, 'sign-cloud');
      assert.deepEqual(await statusOf(story, draft), signed());
      assert.equal(asked('BIRDID', 'token'), 1);
    });

    it('does not wait longer for the documents than its authorisation lives', async () => {
      await holdDocuments(900);
      story.app.clock.advance({ seconds: 298 });
      await story.app.runJobs();
      assert.deepEqual(await statusOf(story, draft), failed('signing.documentBusy'));
      await story.app.ctx.db.deleteFrom('signing_lease').where('attempt_id', '=', stranger).execute();
    });

    it('records nothing when the attempt was ended while the documents were written', async () => {
      const { storage } = story.app.ctx;
      const put: typeof storage.put = async (...given) => {
        await failAttempt(story.app.ctx, attemptId, 'signing.canceled');
        return storage.put(...given);
      };
      await run({ ...story.app.ctx, storage: withPut(put) });
      await story.app.runJobs();
      assert.equal((await statusOf(story, draft)).status, 'SENT');
      for (const found of await verdicts(draft)) assert.deepEqual(found, []);
      await assertNothingKept(draft);
    });

    it('records nothing when the process was cancelled meanwhile', async () => {
      const canceled = await story.app.call(api.cancelProcess, { token: story.creator.token, params: { id: draft.id } });
      assert.ok(canceled.status < 300, canceled.raw.body);
      await story.app.runJobs();
      assert.equal((await statusOf(story, draft)).status, 'CANCELED');
      assert.equal(asked('BIRDID', 'signature'), 0);
      await assertNothingKept(draft);
    });
  });
});
