import assert from 'node:assert/strict';
import { createHash, randomBytes, sign } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, afterEach, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import {
  type DevelopmentCertificates,
  type IssuedCertificate,
  type MakeBelievePscId,
  pressButton,
  type PscCall,
  type PscWorld,
  startDevelopmentCertificates,
} from '@lavra/make-believe';
import { signIn } from '../../../testing/accounts.ts';
import type { TestApp } from '../../../testing/app.ts';
import { statusOf, until } from '../../../testing/certificate-acts.ts';
import type { Passing } from '../../../testing/database-door.ts';
import { createDraft, soon, type TestDraft } from '../../../testing/processes.ts';
import { startTwoPrograms, type TwoPrograms, twoProgramsUrl, whileHeld } from '../../../testing/two-programs.ts';

type Index = 0 | 1;
const ana = { login: 'ana@exemplo.com.br', email: 'ana@exemplo.com.br', firstName: 'Ana', password: 'Segredo123' };
const people = [
  { name: 'Bia Lima', cpf: '52998224725', email: 'bia@exemplo.com.br', order: 0 },
  { name: 'Caio Reis', cpf: '39053344705', email: 'caio@exemplo.com.br', order: 0 },
] as const;
const model = { style: 'model', image: null } as const;

/** One program is held on its way to the database, or its provider lets it wait, while the other one acts. */
describe('signing with the signer’s own certificate at two programs', () => {
  const certificates: IssuedCertificate[] = [];
  let providers: DevelopmentCertificates;
  let world: PscWorld;
  let two: TwoPrograms;
  let token: string;
  before(async () => {
    two = await startTwoPrograms(async (dataDir) => {
      // They live on when a program dies: both find them at the address that their own data name.
      const development = join(dataDir, 'development');
      await mkdir(development);
      providers = await startDevelopmentCertificates(development, [`${twoProgramsUrl}/callback/psc`]);
    });
    world = providers.world ?? assert.fail('another node serves the providers');
    for (const { name, cpf } of people) certificates.push(await world.enrolPerson({ name, cpf }));
    await at(0).call(api.register, { body: ana });
    token = await signIn(at(0), ana);
  });
  afterEach(async () => {
    for (const psc of Object.values(world.pscs)) release(psc);
    world.reset();
    for (const index of [0, 1] as const) await two.startAgain(index);
  });
  after(async () => {
    await two[Symbol.asyncDispose]();
    await providers.close();
  });

  const at = (index: Index) => two.at(index) as TestApp;
  type Psc = PscWorld['pscs']['BIRDID'];
  /** From now on the provider lets whoever makes this call wait. */
  const letWait = ({ asked, behaviour }: Psc, call: PscCall, milliseconds: number) =>
    Object.defineProperty(behaviour, 'delayMs', { configurable: true, get: () => (asked.at(-1) === call ? milliseconds : 0) });
  const release = ({ behaviour }: Psc) => Object.defineProperty(behaviour, 'delayMs', { configurable: true, writable: true, value: 0 });
  const askedOf = (psc: MakeBelievePscId, call: PscCall) => world.pscs[psc].asked.filter((one) => one === call).length;

  const one = async <Row extends object>(text: string, id: string) => (await two.rows<Row>(text, [id]))[0];
  const standing = async ({ id }: TestDraft) =>
    (await one<{ status: string }>('select status from signature_process where id = $1', id))?.status;
  const signaturesOf = async ({ id }: TestDraft) => {
    const of = `select count(*)::int as n from document_revision r join document d on d.id = r.document_id
      where d.signature_process_id = $1 and r.kind = 'signature'`;
    const told = `select count(*)::int as n from event where signature_process_id = $1 and type = 'signer.signed'`;
    const [files, log] = await Promise.all([one<{ n: number }>(of, id), one<{ n: number }>(told, id)]);
    assert.equal(files?.n, log?.n, 'as many signatures in the files as in the log');
    return files?.n;
  };
  const attempts = async ({ id }: TestDraft) =>
    (
      await two.rows<{ kind: string; state: string; reason: string | null }>(
        'select kind, state, reason from signing_attempt where signature_process_id = $1 order by created_at',
        [id],
      )
    ).map(({ kind, state, reason }) => `${kind} ${state} ${reason ?? ''}`.trim());
  const leases = async ({ id }: TestDraft) => (await two.rows('select 1 from signing_lease where signature_process_id = $1', [id])).length;

  /** Invited; the links that were mailed stand for its signers. */
  async function invited(count = 1): Promise<TestDraft & { own: string[] }> {
    const draft = await createDraft(at(0), { token }, { type: 'DIGITAL_SIGNATURE', signers: people.slice(0, count) });
    assert.equal((await at(0).call(api.startSignatureProcess, { token, params: { id: draft.id } })).status, 204);
    const of = 'select 1 from signature_process where id = $1 and prepared_at is not null';
    await soon('prepared', async () => (await one(of, draft.id)) !== undefined);
    const keys = await Promise.all(
      draft.signerIds.map(async (id) => {
        const link = `select key from signer_link where signer_id = $1 and channel = 'mailed' and ended_at is null`;
        return (await one<{ key: string }>(link, id))?.key ?? assert.fail();
      }),
    );
    return { ...draft, own: draft.signerIds, signerIds: keys };
  }
  const consents = async (index: Index, { id, signerIds }: TestDraft, signer: number) =>
    (await at(index).call(api.getRequisitionInformation, { params: { processId: id }, query: { user: signerIds[signer] ?? '' } })).body
      .consent.hash;

  async function ask(index: Index, draft: TestDraft, { signer = 0, psc = 'BIRDID' as MakeBelievePscId } = {}) {
    const browser = randomBytes(16).toString('hex');
    const answer = await at(index).call(api.createUrlAuthorizeByPost, {
      body: {
        processId: draft.id,
        signerId: draft.signerIds[signer] ?? '',
        userLegalIdentifier: people[signer]?.cpf ?? '',
        userPsc: psc,
        browser: createHash('sha256').update(browser).digest('hex'),
        consentHash: await consents(index, draft, signer),
        appearance: model,
      },
    });
    return { answer, browser };
  }
  /** What the window comes back with, once its holder has agreed. */
  async function agreed(index: Index, draft: TestDraft, given: { signer?: number; psc?: MakeBelievePscId } = {}) {
    const { answer, browser } = await ask(index, draft, given);
    assert.equal(answer.status, 200, answer.code);
    const query = new URL((await pressButton(answer.body.url ?? '', 'approve')) ?? assert.fail()).searchParams;
    return { state: query.get('state') ?? '', code: query.get('code'), error: null, id: 'psc', browser };
  }
  type Back = Awaited<ReturnType<typeof agreed>>;
  const comeBack = (index: Index, body: Back) => at(index).call(api.createAuthorizeTransactionCallback, { body });

  async function prepare(index: Index, draft: TestDraft, signer = 0) {
    const answer = await at(index).call(api.prepareLocalSignature, {
      body: {
        processId: draft.id,
        signerId: draft.signerIds[signer] ?? '',
        cpf: people[signer]?.cpf ?? '',
        source: 'file',
        certificate: Buffer.from(certificates[signer]?.certificate ?? []).toString('base64'),
        chain: (certificates[signer]?.chain ?? []).map((der) => Buffer.from(der).toString('base64')),
        consentHash: await consents(index, draft, signer),
        appearance: model,
      },
    });
    return answer;
  }
  type Prepared = Awaited<ReturnType<typeof prepare>>['body'];
  const values = ({ documents }: Prepared, signer = 0) =>
    documents.map(({ documentId, digest, signedAttributes }) => ({
      documentId,
      value: sign(digest, Buffer.from(signedAttributes, 'base64'), certificates[signer]?.key ?? assert.fail()).toString('base64'),
    }));
  const complete = (index: Index, draft: TestDraft, prepared: Prepared, signer = 0, signatures = values(prepared, signer)) =>
    at(index).call(api.completeLocalSignature, {
      body: { processId: draft.id, signerId: draft.signerIds[signer] ?? '', attemptId: prepared.attemptId, signatures },
    });

  const writes =
    (event: string) =>
    ({ text, values: given }: Passing) =>
      text.includes('"appended"') && given.includes(event);
  const claims = ({ text, values: given }: Passing) => text.startsWith('update "signing_attempt" set "state"') && given.includes('signing');
  const keepsToken = ({ text, values: given }: Passing) =>
    text.startsWith('update "signing_attempt" set "secret"') && given.includes('signing');
  const isSigned = (index: Index, draft: TestDraft, signer = 0) =>
    until(
      () => statusOf(at(index), draft, signer),
      ({ status }) => status === 'SIGNED',
    );
  const hasEnded = (index: Index, draft: TestDraft) =>
    until(
      () => statusOf(at(index), draft, 0),
      ({ status }) => !['SIGNING', 'AUTHORIZING'].includes(status),
    );

  const cancel = (draft: TestDraft) => at(1).call(api.cancelProcess, { token, params: { id: draft.id } });
  const refuse = (draft: TestDraft, signer = 0) =>
    at(1).call(api.createSignatureRejected, {
      body: { processId: draft.id, signerId: draft.signerIds[signer] ?? '', rejectCause: 'Valor errado' },
    });
  const correct = (draft: TestDraft & { own: string[] }) =>
    at(1).call(api.correctSigner, {
      token,
      params: { id: draft.id, signerId: draft.own[0] ?? '' },
      body: { name: 'Outra Pessoa', email: 'outra@exemplo.com.br', legalIdentifier: null },
    });

  /** Kills whichever comes to such a statement. */
  async function killedAt(isIt: (statement: Passing) => boolean, act: () => Promise<unknown>): Promise<Index> {
    const { promise, resolve } = Promise.withResolvers<Index>();
    for (const index of [0, 1] as const) two.doors[index].holdNext(isIt, () => (resolve(index), new Promise(() => {})));
    const acting = act().catch(() => 'no answer');
    const killed = await Promise.race([promise, sleep(20_000, null)]);
    assert.notEqual(killed, null, 'it never came there');
    for (const door of two.doors)
      door.holdNext(
        () => false,
        () => Promise.resolve(),
      );
    await two.kill(killed ?? 0);
    await acting;
    return killed === 0 ? 1 : 0;
  }
  describe('the window that comes back from the provider', () => {
    it('goes on at another program than the one that it left from', async () => {
      const draft = await invited();
      assert.equal((await comeBack(1, await agreed(0, draft))).status, 200);
      await isSigned(1, draft);
      await until(
        () => standing(draft),
        (status) => status === 'FINALIZED_WITH_SUCCESS',
      );
      assert.equal(await signaturesOf(draft), 1);
    });

    it('comes back at both at once: its code is shown once, and it is signed once', async () => {
      const draft = await invited();
      const back = await agreed(0, draft);
      const [first, second] = await whileHeld(
        two.doors[0],
        claims,
        () => comeBack(0, back),
        () => comeBack(1, back),
      );
      assert.deepEqual([second.status, first.code], [200, 'signing.authorizationUsed']);
      await isSigned(1, draft);
      assert.equal((await comeBack(0, back)).code, 'signing.authorizationUsed');
      assert.deepEqual([askedOf('BIRDID', 'token'), askedOf('BIRDID', 'signature'), await signaturesOf(draft)], [1, 1, 1]);
    });

    it('finds nothing to go on with where the signer was corrected at the other', async () => {
      const draft = await invited();
      const back = await agreed(0, draft);
      const [answer, corrected] = await whileHeld(
        two.doors[0],
        claims,
        () => comeBack(0, back),
        () => correct(draft),
      );
      assert.deepEqual([corrected.status, answer.code], [204, 'signing.canceled']);
      assert.equal(askedOf('BIRDID', 'token'), 0);
    });

    it('of the attempt of before finds nothing to go on with where another one has begun', async () => {
      const draft = await invited();
      const back = await agreed(0, draft);
      const [answer, later] = await whileHeld(
        two.doors[0],
        claims,
        () => comeBack(0, back),
        () => agreed(1, draft),
      );
      assert.equal(answer.code, 'signing.canceled');
      assert.equal((await comeBack(0, later)).status, 200);
      await isSigned(1, draft);
    });
  });

  describe('while the provider signs', () => {
    for (const [name, act, expected, reason] of [
      ['a process that is cancelled', cancel, 204, 'process.notInProgress'],
      ['a process that the signer refuses', refuse, 204, 'signer.alreadyRejected'],
    ] as const)
      it(`${name} is not signed`, async () => {
        const draft = await invited();
        letWait(world.pscs.BIRDID, 'signature', 2_000);
        assert.equal((await comeBack(0, await agreed(0, draft))).status, 200);
        await until(
          () => askedOf('BIRDID', 'signature'),
          (n) => n === 1,
        );
        assert.equal((await act(draft)).status, expected);
        await until(
          () => attempts(draft),
          ([last]) => !last?.startsWith('cloud signing'),
        );
        assert.deepEqual([await attempts(draft), await signaturesOf(draft), await leases(draft)], [[`cloud failed ${reason}`], 0, 0]);
      });

    it('nobody is corrected', async () => {
      const draft = await invited();
      letWait(world.pscs.BIRDID, 'signature', 2_000);
      assert.equal((await comeBack(0, await agreed(0, draft))).status, 200);
      await until(
        () => askedOf('BIRDID', 'signature'),
        (n) => n === 1,
      );
      assert.equal((await correct(draft)).code, 'signing.underWay');
      await isSigned(1, draft);
    });

    it('the deadline passes, and nothing is signed after it', async () => {
      const draft = await invited();
      letWait(world.pscs.BIRDID, 'signature', 3_000);
      const back = await agreed(0, draft);
      assert.equal((await comeBack(0, back)).status, 200);
      await until(
        () => askedOf('BIRDID', 'signature'),
        (n) => n === 1,
      );
      await two.rows('update signature_process set due_date = $2 where id = $1', [draft.id, new Date()]);
      await until(
        () => attempts(draft),
        ([last]) => !last?.startsWith('cloud signing'),
      );
      assert.deepEqual([await attempts(draft), await signaturesOf(draft)], [['cloud failed signer.deadlinePassed'], 0]);
    });

    it('another signer of the same turn waits for the documents, and both have signed then', async () => {
      const draft = await invited(2);
      letWait(world.pscs.BIRDID, 'signature', 2_000);
      const backs = [await agreed(0, draft), await agreed(1, draft, { signer: 1, psc: 'SAFEID' })] as const;
      const answers = await Promise.all([comeBack(0, backs[0]), comeBack(1, backs[1])]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      );
      await isSigned(1, draft, 0);
      await isSigned(1, draft, 1);
      assert.equal(await signaturesOf(draft), 2);
    });
  });

  describe('two ways at once', () => {
    it('a window that comes back while the same signer signs with a file at the other: one of both signs', async () => {
      const draft = await invited();
      const back = await agreed(0, draft);
      const [answer, signed] = await whileHeld(
        two.doors[0],
        claims,
        () => comeBack(0, back),
        async () => complete(1, draft, (await prepare(1, draft)).body),
      );
      assert.deepEqual([signed.status, answer.code], [204, 'signing.canceled']);
      assert.deepEqual([await signaturesOf(draft), askedOf('BIRDID', 'token')], [1, 0]);
    });

    it('a file’s signature that is being recorded while the same signer begins at a provider', async () => {
      const draft = await invited();
      const prepared = (await prepare(0, draft)).body;
      const [completed, back] = await whileHeld(
        two.doors[0],
        writes('signer.signed'),
        () => complete(0, draft, prepared),
        () => agreed(1, draft),
      );
      assert.equal(completed.code, 'signing.prepareAgain');
      assert.equal((await comeBack(0, back)).status, 200);
      await isSigned(1, draft);
      assert.equal(await signaturesOf(draft), 1);
    });

    it('a file is not begun with while the provider signs', async () => {
      const draft = await invited();
      letWait(world.pscs.BIRDID, 'signature', 1_500);
      assert.equal((await comeBack(0, await agreed(0, draft))).status, 200);
      await until(
        () => askedOf('BIRDID', 'signature'),
        (n) => n === 1,
      );
      assert.equal((await prepare(1, draft)).code, 'signing.underWay');
      await isSigned(1, draft);
    });
  });

  describe('a key on the signer’s computer', () => {
    it('the same values at both at once are one signature, and both are told that it is made', async () => {
      const draft = await invited();
      const prepared = (await prepare(0, draft)).body;
      const [first, second] = await whileHeld(
        two.doors[0],
        writes('signer.signed'),
        () => complete(0, draft, prepared),
        () => complete(1, draft, prepared),
      );
      assert.deepEqual([first.status, second.status, await signaturesOf(draft)], [204, 204, 1]);
    });

    for (const [name, act, status, code] of [
      ['cancelled', cancel, 204, 'process.notInProgress'],
      ['refused', refuse, 204, 'signer.alreadyRejected'],
      ['corrected', correct, 204, 'signing.prepareAgain'],
    ] as const)
      it(`signs nothing that is ${name} at the other while its values are recorded`, async () => {
        const draft = await invited();
        const prepared = (await prepare(0, draft)).body;
        const [completed, acted] = await whileHeld(
          two.doors[0],
          writes('signer.signed'),
          () => complete(0, draft, prepared),
          async (): Promise<{ status: number }> => act(draft),
        );
        assert.deepEqual([acted.status, completed.code], [status, code]);
        assert.deepEqual([await signaturesOf(draft), await leases(draft)], [0, 0]);
      });

    it('prepares nothing by a link that is replaced at the other', async () => {
      const draft = await invited();
      const holds = ({ text }: Passing) => text.includes('signature_process') && /for (no key )?update/.test(text);
      const [prepared, corrected] = await whileHeld(
        two.doors[0],
        holds,
        () => prepare(0, draft),
        () => correct(draft),
      );
      assert.deepEqual([corrected.status, prepared.code], [204, 'signer.linkReplaced']);
    });

    it('takes no values of an attempt of before, nor of one with those of another', async () => {
      const draft = await invited();
      const before = (await prepare(0, draft)).body;
      const now = (await prepare(1, draft)).body;
      assert.equal((await complete(0, draft, before)).code, 'signing.prepareAgain');
      assert.equal((await complete(0, draft, now)).status, 204);
      const other = await invited(2);
      const mine = (await prepare(0, other)).body;
      assert.equal((await prepare(1, other, 1)).code, 'signing.documentBusy');
      assert.equal(
        (
          await complete(
            1,
            other,
            mine,
            0,
            values(now).map(({ value }, index) => ({ value, documentId: mine.documents[index]?.documentId ?? '' })),
          )
        ).code,
        'signing.valueInvalid',
      );
      assert.equal((await complete(1, other, (await prepare(1, other)).body)).status, 204);
    });

    it('signs with values that were written down by a program that died before it recorded them, once they are sent again', async () => {
      const draft = await invited();
      const prepared = (await prepare(0, draft)).body;
      const { promise: isThere, resolve: there } = Promise.withResolvers<void>();
      two.doors[0].holdNext(writes('signer.signed'), () => (there(), new Promise(() => {})));
      const unanswered = complete(0, draft, prepared).catch(() => 'no answer');
      await isThere;
      await two.kill(0);
      assert.equal(await unanswered, 'no answer');
      assert.equal((await complete(1, draft, prepared)).status, 204);
      assert.equal(await signaturesOf(draft), 1);
    });

    it('is told that it is signed when its program died with the answer', async () => {
      const draft = await invited();
      const prepared = (await prepare(0, draft)).body;
      two.doors[0].muteNext(writes('signer.signed'));
      const unanswered = complete(0, draft, prepared).catch(() => 'no answer');
      await until(
        () => signaturesOf(draft),
        (n) => n === 1,
      );
      await two.kill(0);
      assert.equal(await unanswered, 'no answer');
      assert.equal((await complete(1, draft, prepared)).status, 204);
    });
  });

  describe('a program that is killed', () => {
    const seconds = async (what: Promise<unknown>): Promise<number> => {
      const begun = performance.now();
      await what;
      return (performance.now() - begun) / 1000;
    };

    it('between the provider’s signature and its recording: the other records it, and the provider is not asked again', async () => {
      const draft = await invited();
      const back = await agreed(0, draft);
      const left = await killedAt(writes('signer.signed'), () => comeBack(0, back));
      const passed = await seconds(isSigned(left, draft));
      assert.ok(passed < 40, `${passed} s`);
      assert.deepEqual([askedOf('BIRDID', 'signature'), await signaturesOf(draft)], [1, 1]);
    });

    it('between the code and its token: the signer may begin again as soon as the provider’s time is over', async () => {
      const draft = await invited();
      const back = await agreed(0, draft);
      const left = await killedAt(keepsToken, () => comeBack(0, back));
      const { reason } = await hasEnded(left, draft);
      assert.equal(reason, 'signing.authorizationExpired');
      assert.equal((await comeBack(left, await agreed(left, draft))).status, 200);
      await isSigned(left, draft);
    });

    it('before it has kept what the provider was asked for: the signer begins again at once', async () => {
      const draft = await invited();
      const keeps = ({ text }: Passing) => text.startsWith('update "signing_attempt" set "state_hash"');
      const left = await killedAt(keeps, () => ask(0, draft));
      assert.equal((await comeBack(left, await agreed(left, draft))).status, 200);
      await isSigned(left, draft);
    });
  });

  describe('a provider that asks on the telephone', () => {
    const asked = async (draft: TestDraft) => assert.equal((await ask(0, draft, { signer: 1, psc: 'VIDAAS' })).answer.body.mode, 'push');

    it('is given up at one while the other has just heard that its holder agreed: nothing is signed', async () => {
      const draft = await invited(2);
      await asked(draft);
      const { promise: isDone, resolve: done } = Promise.withResolvers<void>();
      const { promise: isThere, resolve: there } = Promise.withResolvers<Index>();
      for (const index of [0, 1] as const) two.doors[index].holdNext(claims, () => (there(index), isDone));
      await pressButton(world.telephone, 'approve');
      const index = await isThere;
      const body = { processId: draft.id, signerId: draft.signerIds[1] ?? '' };
      assert.equal((await at(index === 0 ? 1 : 0).call(api.cancelSigningAttempt, { body })).status, 204);
      done();
      for (const door of two.doors)
        door.holdNext(
          () => false,
          () => Promise.resolve(),
        );
      await sleep(1500);
      assert.deepEqual(
        [await attempts(draft), askedOf('VIDAAS', 'token'), await signaturesOf(draft)],
        [['cloud failed signing.canceled'], 0, 0],
      );
    });

    it('is asked once more where the program that heard of it died before it took that down', async () => {
      const draft = await invited(2);
      await asked(draft);
      const left = await killedAt(claims, () => pressButton(world.telephone, 'approve'));
      await isSigned(left, draft, 1);
      assert.equal(await signaturesOf(draft), 1);
    });
  });

  it('signs once, and goes on to the end, where the answer of the database to the recording is lost', async () => {
    const draft = await invited();
    const back = await agreed(0, draft);
    for (const door of two.doors) door.muteNext(writes('signer.signed'));
    assert.equal((await comeBack(0, back)).status, 200);
    await until(
      () => standing(draft),
      (status) => status === 'FINALIZED_WITH_SUCCESS',
    );
    assert.deepEqual([await signaturesOf(draft), askedOf('BIRDID', 'signature')], [1, 1]);
  });
});
