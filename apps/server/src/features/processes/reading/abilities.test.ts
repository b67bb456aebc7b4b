import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signedInAccount, type TestAccount, tokenOf } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createDraft, signElectronically, startedProcess, type TestDraft } from '../../../testing/processes.ts';

let app: TestApp;
let ana: TestAccount;
let bia: TestAccount;
let caio: TestAccount;
// Inside: hooks beside it would run when the whole program ends, with every installation open until then.
describe('abilities', () => {
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { email: 'ana@exemplo.com.br' });
    bia = await signedInAccount(app, { email: 'bia@exemplo.com.br' });
    caio = await signedInAccount(app, { email: 'caio@exemplo.com.br' });
  });
  after(() => app.close());

  const started = () =>
    startedProcess(app, ana, {
      signers: [
        { name: 'Bia Lima', email: bia.email },
        { name: 'Caio Reis', email: caio.email },
      ],
    });

  /** What an account is told that it may do, which list and details tell alike. */
  async function abilities({ token }: TestAccount, { id }: TestDraft) {
    const { body: list } = await app.call(api.getProcessesInfos, { token });
    const item = list.signatureProcesses.find((one) => one.id === id);
    const { body } = await app.call(api.getSubDataProcess, { token, params: { processId: id } });
    assert.deepEqual(body.can, item?.can);
    return { ...body.can, signers: body.signers.map(({ can }) => can) };
  }

  /** Whether the calls behind them do as they were told. */
  async function isHeldTo({ token }: TestAccount, { id, signerIds, documentIds }: TestDraft, can: Awaited<ReturnType<typeof abilities>>) {
    const params = { processId: id, documentId: documentIds[0] ?? '' };
    const { signers } = (await app.call(api.getSubDataProcess, { token, params: { processId: id } })).body;
    assert.equal((await app.call(api.downloadSignature, { token, params })).status === 200, can.download);
    for (const [index, signerId] of signerIds.entries()) {
      const { status } = await app.call(api.getCurrentLinkSignature, { token, params: { processId: id }, query: { signerId } });
      assert.equal(status === 200, can.signers[index]?.handOutLink, `link of signer ${index}`);
      const body = signers[index] ?? { name: '', email: '' };
      const correction = await app.call(api.correctSigner, { token, params: { id, signerId }, body });
      // Nothing is another: only who may is told so.
      assert.equal(correction.code === 'signer.unchanged', can.signers[index]?.correct, `correction of signer ${index}`);
    }
    if (!can.cancel) assert.ok((await app.call(api.cancelProcess, { token, params: { id } })).status >= 400);
  }

  const none = { sign: false, handOutLink: false, tellAgain: false, correct: false };

  it('what the answers say may be done with a process is what the calls do, for whoever looks at it, in every state', async () => {
    const draft = await started();
    const first = await abilities(ana, draft);
    assert.deepEqual(first, {
      cancel: true,
      download: false,
      sign: false,
      repeat: false,
      signers: [
        { sign: false, handOutLink: true, tellAgain: true, correct: true },
        { ...none, correct: true },
      ],
    });
    await isHeldTo(ana, draft, first);
    const own = await abilities(bia, draft);
    assert.deepEqual(own, { cancel: false, download: false, sign: true, repeat: false, signers: [{ ...none, sign: true }, none] });
    await isHeldTo(bia, draft, own);
    assert.equal((await app.call(api.getSubDataProcess, { token: caio.token, params: { processId: draft.id } })).code, 'process.notFound');

    await signElectronically(app, draft.id, draft.signerIds[0] ?? '');
    const between = await abilities(bia, draft);
    assert.deepEqual(between, { cancel: false, download: false, sign: false, repeat: false, signers: [none, none] });
    await isHeldTo(bia, draft, between);

    await signElectronically(app, draft.id, draft.signerIds[1] ?? '', { name: 'Caio Reis' });
    for (const somebody of [ana, bia, caio]) {
      const finished = await abilities(somebody, draft);
      assert.deepEqual(finished, { cancel: false, download: true, sign: false, repeat: false, signers: [none, none] });
      await isHeldTo(somebody, draft, finished);
    }
  });

  it('a deadline that has passed is known to the buttons before the sweep comes', async () => {
    const dueDate = new Date(app.clock.now().getTime() + 2 * 86_400_000).toISOString();
    const draft = await startedProcess(app, ana, { dueDate, signers: [{ name: 'Bia Lima', email: bia.email }] });
    app.clock.advance({ minutes: 2 * 24 * 60 + 1 });
    const { body } = await app.call(api.authenticate, { body: { username: bia.email, password: bia.password } });
    const late = await abilities({ ...bia, token: tokenOf(body) }, draft);
    assert.deepEqual(late, { cancel: false, download: false, sign: false, repeat: false, signers: [none] });
  });

  it('what was cancelled offers nothing but to begin again, and the owner’s cancel is what did it', async () => {
    const { body } = await app.call(api.authenticate, { body: { username: ana.email, password: ana.password } });
    const owner = { ...ana, token: tokenOf(body) };
    const draft = await startedProcess(app, owner, { signers: [{ name: 'Bia Lima', email: bia.email }] });
    assert.equal((await app.call(api.cancelProcess, { token: owner.token, params: { id: draft.id } })).status, 204);
    const canceled = await abilities(owner, draft);
    assert.deepEqual(canceled, { cancel: false, download: false, sign: false, repeat: true, signers: [none] });
    await isHeldTo(owner, draft, canceled);
  });

  it('the signer’s link tells the same: who can sign, why somebody cannot, and nobody before the documents are prepared', async () => {
    const { body } = await app.call(api.authenticate, { body: { username: ana.email, password: ana.password } });
    const owner = { ...ana, token: tokenOf(body) };
    const draft = await createDraft(app, owner, {
      signers: [
        { name: 'Bia Lima', email: bia.email },
        { name: 'Caio Reis', email: caio.email },
      ],
    });
    const told = async (signer: number) => {
      const query = { user: draft.signerIds[signer] };
      const { me } = (await app.call(api.getRequisitionInformation, { params: { processId: draft.id }, query })).body;
      return { can: me?.can, reason: me?.reason };
    };
    const waiting = { can: { sign: false }, reason: 'signer.notYourTurn' };
    await app.call(api.startSignatureProcess, { token: owner.token, params: { id: draft.id } });
    assert.deepEqual(await told(0), waiting);
    await app.runJobs();
    assert.deepEqual([await told(0), await told(1)], [{ can: { sign: true }, reason: null }, waiting]);
    await signElectronically(app, draft.id, draft.signerIds[0] ?? '');
    assert.deepEqual(
      [await told(0), await told(1)],
      [
        { can: { sign: false }, reason: 'signer.alreadySigned' },
        { can: { sign: true }, reason: null },
      ],
    );
    await app.call(api.cancelProcess, { token: owner.token, params: { id: draft.id } });
    assert.deepEqual(await told(1), { can: { sign: false }, reason: 'process.notInProgress' });
  });
});
