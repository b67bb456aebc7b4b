import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { configurePscs, createPscClient } from '@lavra/psc';
import { pressButton } from '@lavra/make-believe';
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
import { countOpenJobs, hurryJobs } from '../../../testing/jobs.ts';
import { startedProcess, type TestDraft } from '../../../testing/processes.ts';
import { startTestApp } from '../../../testing/app.ts';
import { mailedKeys } from '../../../access/signer-links.store.ts';
import { beginCloudAuthorization } from './begin-cloud-authorization.ts';
import { findCertificates } from './find-certificates.ts';
import { pollPushAuthorizationJob } from './poll-push-authorization.job.ts';

let story: CloudStory;
// Inside: hooks beside it would run when the whole program ends, with every installation open until then.
describe('cloud providers', () => {
  before(async () => {
    story = await startCloudStory();
  });
  after(() => story.close());
  /** In every suite, not at the root: there it would move the clock before the tests of all other files too. */
  function startAnew(): void {
    story.world.reset();
    story.app.clock.advance({ minutes: 16 });
  }

  const holderOf = async (signerId = '') =>
    ({
      kind: 'signerLink',
      key: (await mailedKeys(story.app.ctx, [signerId])).get(signerId) ?? '',
      signerId,
      channel: 'mailed',
      signedInAs: null,
      from: { ip: '203.0.113.30', userAgent: '', langKey: 'pt-br' },
    }) as const;
  const failed = (reason: string) => ({ status: 'ERROR_WHILE_SIGNING', reason, finalized: false });

  describe('looking for certificates by CPF', () => {
    beforeEach(startAnew);
    let draft: TestDraft;
    before(async () => {
      draft = await digitalProcess(story, { documents: ['um.pdf'], signers: [bia, { ...caio, order: 1 }] });
    });
    const find = (change: { cpf?: string; signerId?: string; processId?: string; ip?: string } = {}) =>
      story.app.call(api.findCertificatesByPost, {
        ip: change.ip ?? '203.0.113.30',
        body: {
          processId: change.processId ?? draft.id,
          signerId: change.signerId ?? draft.signerIds[0] ?? '',
          cpf: change.cpf ?? '529.982.247-25',
        },
      });

    it('names every provider that has one, and LAVRA_SIGNER last', async () => {
      const all = ['BIRDID', 'NEOID', 'REMOTEID', 'SAFEID', 'VIDAAS', 'DSCLOUD', 'SYN', 'LAVRA_SIGNER'];
      assert.deepEqual((await find()).body, { availablePscs: all, companyPscs: [], unanswered: [] });
      const query = { processId: draft.id, signerId: draft.signerIds[0] ?? '' };
      const byGet = await story.app.call(api.findCertificates, { params: { cpf: bia.cpf }, query });
      assert.deepEqual(byGet.body, { availablePscs: all, companyPscs: [], unanswered: [] });
      assert.deepEqual((await find({ cpf: '11144477735' })).body, { availablePscs: ['LAVRA_SIGNER'], companyPscs: [], unanswered: [] });
    });

    it('tells who could not say, because "none" is then not certain', async () => {
      story.world.pscs.SYN.behaviour.reachable = false;
      story.world.pscs.NEOID.behaviour.fails = { 'user-discovery': 'status-200' };
      const { body } = await find();
      assert.deepEqual(body.unanswered, ['NEOID', 'SYN']);
      assert.deepEqual(body.availablePscs, ['BIRDID', 'REMOTEID', 'SAFEID', 'VIDAAS', 'DSCLOUD', 'LAVRA_SIGNER']);
    });

    it('does not wait for a slow one longer than a deadline', async () => {
      const { app, world } = story;
      const outside = { fetch, now: app.clock.now, random: randomBytes };
      const impatient = createPscClient(configurePscs(world.settings), outside, { discoveryMs: 1_000 });
      world.pscs.SAFEID.behaviour.delayMs = 60_000;
      const asked = { signatureProcessId: draft.id, cpf: bia.cpf };
      const actor = await holderOf(draft.signerIds[0]);
      const found = await findCertificates({ ...app.ctx, psc: { ...impatient, ids: app.ctx.psc.ids } }, actor, asked);
      assert.ok(found.unanswered.includes('SAFEID'));
      assert.ok(!found.availablePscs.includes('SAFEID') && found.availablePscs.includes('LAVRA_SIGNER'));
    });

    it('checks the CPF by its digits before anybody is asked', async () => {
      for (const cpf of ['529.982.247-26', '111.111.111-11', '123', '']) {
        assert.equal((await find({ cpf })).code, 'evidence.cpfInvalid', cpf);
      }
      assert.deepEqual(story.world.pscs.BIRDID.asked, []);
    });

    it('is for a signer of the process whose turn it is, in a digital process', async () => {
      assert.equal((await find({ signerId: draft.signerIds[1] ?? '' })).code, 'signer.notYourTurn');
      assert.equal((await find({ signerId: crypto.randomUUID() })).code, 'signer.notFound');
      assert.equal((await find({ processId: crypto.randomUUID() })).code, 'signer.notFound');
      const electronic = await startedProcess(story.app, story.creator, { signers: [bia] });
      const signerId = electronic.signerIds[0] ?? '';
      assert.equal((await find({ processId: electronic.id, signerId })).code, 'process.otherModality');
      const asked = await askLeave(story, electronic);
      assert.equal(asked.code, 'process.otherModality');
      assert.deepEqual(story.world.pscs.BIRDID.asked, []);
    });

    it('asks for nobody but the CPF that the creator registered', async () => {
      const registered = await digitalProcess(story, { documents: ['um.pdf'] });
      const signerId = registered.signerIds[0] ?? '';
      await story.app.ctx.db.updateTable('signer').set({ legal_identifier: bia.cpf }).where('id', '=', signerId).execute();
      const refused = await find({ processId: registered.id, signerId, cpf: caio.cpf });
      assert.deepEqual([refused.code, refused.status], ['signer.otherCpf', 400]);
      assert.equal((await askLeave(story, registered, { cpf: caio.cpf })).code, 'signer.otherCpf');
      assert.deepEqual(story.world.pscs.BIRDID.asked, []);
      assert.equal((await find({ processId: registered.id, signerId })).status, 200);
    });

    it('is asked for few people by one link: it does not tell of a list of CPFs who has a certificate', async () => {
      const fresh = await digitalProcess(story, { documents: ['um.pdf'] });
      const signerId = fresh.signerIds[0] ?? '';
      const others = ['11144477735', '39053344705', '12345678909', '98765432100'];
      const ask = (cpf: string) => find({ processId: fresh.id, signerId, cpf });
      for (const cpf of [bia.cpf, ...others, bia.cpf, ...others]) assert.equal((await ask(cpf)).status, 200, cpf);
      story.world.reset();
      for (const { code } of await Promise.all([ask('11122233396'), ask('11122233396')])) assert.equal(code, 'request.tooMany');
      assert.equal((await askLeave(story, fresh, { cpf: '11122233396' })).code, 'request.tooMany');
      assert.deepEqual(story.world.pscs.BIRDID.asked, []);
      assert.equal((await ask(bia.cpf)).status, 200, 'who was asked for already');
    });

    it('is not answered often, for one signer or for one address', async () => {
      const codes = [];
      for (let time = 0; time < 31; time += 1) codes.push((await find({ cpf: '1', ip: `203.0.113.${time}` })).code);
      assert.deepEqual(new Set(codes.slice(0, 30)), new Set(['evidence.cpfInvalid']));
      assert.equal(codes[30], 'request.tooMany');
      const strangers = [];
      for (let time = 0; time < 121; time += 1) strangers.push((await find({ signerId: crypto.randomUUID(), ip: '198.51.100.1' })).code);
      assert.deepEqual(new Set(strangers.slice(0, 120)), new Set(['signer.notFound']));
      assert.equal(strangers[120], 'request.tooMany');
    });
  });

  describe('asking a provider for the holder’s leave', () => {
    beforeEach(startAnew);
    it('is refused before the provider hears of it when the act does not hold', async () => {
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      for (const [change, code] of [
        [{ consentHash: '00' }, 'evidence.consentRequired'],
        [{ cpf: '52998224726' }, 'evidence.cpfInvalid'],
        [{ psc: 'LAVRA_SIGNER' as 'VIDAAS' }, 'signing.providerUnknown'],
        [{ psc: 'toString' as 'VIDAAS' }, 'signing.providerUnknown'],
      ] as const) {
        const answer = await askLeave(story, draft, { psc: 'VIDAAS', ...change });
        assert.equal(answer.code, code);
      }
      assert.deepEqual(story.world.pscs.VIDAAS.asked, []);
      assert.equal((await statusOf(story, draft)).status, 'SENT');
    });

    it('is refused while an earlier leave is being used', async () => {
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      assert.equal((await giveLeave(story, draft)).status, 200);
      const second = await askLeave(story, draft, { psc: 'VIDAAS' });
      assert.deepEqual([second.code, second.status], ['signing.underWay', 409]);
      assert.deepEqual(story.world.pscs.VIDAAS.asked, []);
      await story.app.runJobs();
      assert.equal((await statusOf(story, draft)).status, 'SIGNED');
    });

    it('leads nowhere when the signer gave up before the provider answered', async () => {
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      const { app } = story;
      const acting = { processId: draft.id, signerId: draft.signerIds[0] ?? '' };
      const beginAuthorization: typeof app.ctx.psc.beginAuthorization = async (request) => {
        const pending = await app.ctx.psc.beginAuthorization(request);
        await app.call(api.cancelSigningAttempt, { body: acting });
        return pending;
      };
      const { body: seen } = await app.call(api.getRequisitionInformation, {
        params: { processId: draft.id },
        query: { user: acting.signerId },
      });
      const act = {
        signatureProcessId: draft.id,
        cpf: bia.cpf,
        psc: 'VIDAAS',
        holder: 'person',
        browser: { hash: '0'.repeat(64) },
        consentHash: seen.consent.hash,
        appearance: { style: 'model', image: null },
      } as const;
      const ctx = { ...app.ctx, psc: { ...app.ctx.psc, beginAuthorization } };
      await assert.rejects(beginCloudAuthorization(ctx, await holderOf(acting.signerId), act), { code: 'signing.canceled' });
      const { state, secret } = await attemptOf(story, draft);
      assert.deepEqual({ state, secret }, { state: 'failed', secret: null });
      assert.equal(await countOpenJobs(app, 'poll-push-authorization'), 0);
    });

    it('is told when the telephone cannot be reached, and leaves nothing waiting', async () => {
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      story.world.pscs.VIDAAS.behaviour.reachable = false;
      const answer = await askLeave(story, draft, { psc: 'VIDAAS' });
      assert.deepEqual([answer.code, answer.status], ['signing.providerUnavailable', 503]);
      assert.deepEqual(await statusOf(story, draft), failed('signing.providerUnavailable'));
    });
  });

  describe('a provider that asks on the telephone', () => {
    beforeEach(startAnew);
    let draft: TestDraft;
    beforeEach(async () => {
      draft = await digitalProcess(story);
      const answer = await askLeave(story, draft, { psc: 'VIDAAS' });
      assert.deepEqual([answer.body.mode, answer.body.url, answer.body.secondsLeft], ['push', null, 90]);
    });
    const poll = () => hurryJobs(story.app, 'poll-push-authorization');
    const polls = () => story.world.pscs.VIDAAS.asked.filter((call) => call === 'poll').length;

    it('is asked until the person has answered, and then signs two documents', async () => {
      await poll();
      await poll();
      assert.equal(polls(), 2);
      assert.equal((await statusOf(story, draft)).status, 'AUTHORIZING');
      await pressButton(story.world.telephone, 'approve');
      await poll();
      assert.deepEqual(await statusOf(story, draft), { status: 'SIGNED', reason: 'signer.alreadySigned', finalized: true });
      assert.equal(await countOpenJobs(story.app, 'poll-push-authorization'), 0);
    });

    it('has refused when the person refuses', async () => {
      await pressButton(story.world.telephone, 'refuse');
      await poll();
      assert.deepEqual(await statusOf(story, draft), failed('signing.authorizationRefused'));
      assert.equal(await countOpenJobs(story.app, 'poll-push-authorization'), 0);
      story.app.clock.advance({ seconds: 1 });
      assert.equal((await signInCloud(story, draft)).status, 'SIGNED');
    });

    it('is asked no longer than 90 s', async () => {
      await poll();
      story.app.clock.advance({ seconds: 90 });
      await poll();
      assert.deepEqual(await statusOf(story, draft), failed('signing.authorizationExpired'));
      assert.equal((await attemptOf(story, draft)).state, 'expired');
      assert.equal(await countOpenJobs(story.app, 'poll-push-authorization'), 0);
    });

    it('is asked again when it was away for a moment', async () => {
      story.world.pscs.VIDAAS.behaviour.fails = { poll: 'server-error' };
      await poll();
      story.world.pscs.VIDAAS.behaviour.fails = {};
      await pressButton(story.world.telephone, 'approve');
      await poll();
      assert.equal((await statusOf(story, draft)).status, 'SIGNED');
    });

    it('is asked by one row of questions however often one of them is tried', async () => {
      const { id } = await attemptOf(story, draft);
      await poll();
      for (const again of [0, 0, 0]) await pollPushAuthorizationJob.run(story.app.ctx, { attemptId: id, poll: again });
      assert.equal(await countOpenJobs(story.app, 'poll-push-authorization'), 1);
    });

    it('is asked no more when the signer gave up', async () => {
      await story.app.call(api.cancelSigningAttempt, { body: { processId: draft.id, signerId: draft.signerIds[0] ?? '' } });
      await poll();
      assert.equal(polls(), 0);
      assert.equal(await countOpenJobs(story.app, 'poll-push-authorization'), 0);
    });
  });

  describe('what is kept and logged of an authorisation', () => {
    beforeEach(startAnew);
    it('has no CPF, code, token or secret in it, whatever happened', async () => {
      const { app, world } = story;
      const draft = await digitalProcess(story, { documents: ['um.pdf'] });
      const acting = { processId: draft.id, signerId: draft.signerIds[0] ?? '' };
      const secrets: string[] = [];
      await app.call(api.findCertificates, { params: { cpf: bia.cpf }, query: acting });
      await app.inject(`/api/findCertificates/${bia.cpf}`);
      await app.inject(`/api/findCertificates/${bia.cpf}/x?cpf=${bia.cpf}`);
      for (const switches of [
        { fails: { 'user-discovery': 'status-200' }, codes: 'expired' },
        { fails: { token: 'server-error' } },
        { fails: { signature: 'status-200' } },
        { fails: { 'certificate-discovery': 'server-error' } },
        {},
      ] as const) {
        for (const psc of ['BIRDID', 'SYN'] as const) Object.assign(world.pscs[psc].behaviour, { fails: {}, codes: 'good' }, switches);
        app.clock.advance({ seconds: 1 });
        await app.call(api.findCertificates, { params: { cpf: bia.cpf }, query: acting });
        const { body, browser } = await askLeave(story, draft);
        const back = await pressAt(body.url);
        const { secret } = await attemptOf(story, draft);
        secrets.push(browser, back.state, back.code ?? '');
        assert.ok(secret && !secret.toString('latin1').includes(back.state), 'kept encrypted');
        await comeBack(story, back, browser);
        await app.runJobs();
        await hurryJobs(app, 'sign-cloud');
        if ((await statusOf(story, draft)).status === 'SIGNING')
          await app.ctx.db
            .updateTable('signing_attempt')
            .set({ state: 'failed' })
            .where('signer_id', '=', acting.signerId)
            .where('state', '=', 'signing')
            .execute();
      }
      world.pscs.VIDAAS.behaviour.reachable = false;
      const other = await digitalProcess(story, { documents: ['um.pdf'] });
      await askLeave(story, other, { psc: 'VIDAAS' });
      assert.equal((await statusOf(story, draft)).status, 'SIGNED');
      const tokens = Object.values(world.pscs).flatMap(({ state }) => [...state.tokens.keys(), ...state.codes.keys()]);
      const credentials = Object.values(world.settings).map(({ clientSecret }) => clientSecret);
      const log = story.logged();
      assert.match(log, /a signing attempt failed/, 'the log was read');
      assert.match(log, /findCertificates\/:cpf/);
      for (const forbidden of [bia.cpf, '529.982.247-25', caio.cpf, '982.247', ...secrets, ...tokens, ...credentials]) {
        assert.ok(forbidden.length > 5 && !log.includes(forbidden), `${forbidden} stands in the log`);
      }
    });
  });

  describe('the providers of an installation', () => {
    beforeEach(startAnew);
    it('are the make-believe ones only while none is configured', async () => {
      const { BIRDID } = story.world.settings;
      const certificates = { pscs: story.world.settings, allowedPrivateHosts: [] };
      const configured = await startTestApp({ certificates, config: { pscs: { BIRDID } } });
      try {
        assert.deepEqual(configured.ctx.psc.ids, ['BIRDID']);
        assert.equal(story.app.ctx.psc.ids.length, 7);
      } finally {
        await configured.close();
      }
    });
  });
});
