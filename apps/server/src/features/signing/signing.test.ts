import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@lavra/api';
import { DAY_MS } from '@lavra/domain';
import { compose } from '../../compose.ts';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { frozenClock } from '../../testing/clock.ts';
import { countFailedTries, countOpenJobs, dropJobs, exhaustJobs } from '../../testing/jobs.ts';
import { sendElectronically, signElectronically, startedProcess, type TestDraft } from '../../testing/processes.ts';
import { findSignatures, opensslFault } from '../../testing/signatures.ts';
import { type TestTimestamps, testTimestamps } from '../../testing/timestamps.ts';
import { loadAuthority } from '../authority/authority.ts';
import { archiveSource } from '../authority/revocation-sources.ts';
import { loadToSeal } from '../sealing/sealing.store.ts';
import { x509 } from '../authority/x509.ts';
import { resumeFinalizationJob } from '../sealing/finalize-process.job.ts';
import { sweepAttemptsJob } from './sweep-attempts.job.ts';

const bia = { name: 'Bia Lima', email: 'bia@exemplo.com.br' };
const caio = { name: 'Caio Reis', email: 'caio@exemplo.com.br' };

let app: TestApp;
let ana: TestAccount;
let timestamps: TestTimestamps;

async function open(background = false): Promise<void> {
  const clock = frozenClock();
  timestamps = await testTimestamps(clock);
  app = await startTestApp({ clock, timestamps, background });
  ana = await signedInAccount(app);
}

const statusOf = (processId: string, signerId = '') => app.call(api.getSignatureStatus, { params: { processId, signerId } });
const inDays = (days: number) => new Date(app.clock.now().getTime() + days * DAY_MS).toISOString();
const revisionKinds = async (documentId = '') =>
  (await app.ctx.db.selectFrom('document_revision').select('kind').where('document_id', '=', documentId).orderBy('seq').execute()).map(
    ({ kind }) => kind,
  );
const signedFile = async (draft: TestDraft, document = 0) =>
  (
    await app.call(api.downloadSignature, {
      params: { processId: draft.id, documentId: draft.documentIds[document] ?? '' },
      query: { user: draft.signerIds[0] },
    })
  ).raw.rawPayload;

describe('a timestamp authority that is away while a signer signs', () => {
  before(() => open());
  after(() => app.close());

  it('is told to the signer by its own code, leaves nothing half signed, and the signer can try again', async () => {
    const draft = await startedProcess(app, ana, { signers: [bia], documents: ['um.pdf', 'dois.pdf'] });
    const [signer = ''] = draft.signerIds;
    timestamps.available = false;
    assert.equal((await signElectronically(app, draft.id, signer)).status, 204);
    assert.equal((await statusOf(draft.id, signer)).body.status, 'SIGNING');
    await exhaustJobs(app, 'sign-electronic');
    const told = await statusOf(draft.id, signer);
    assert.deepEqual(told.body, { status: 'ERROR_WHILE_SIGNING', reason: 'signing.timestampUnavailable', finalized: false });
    for (const id of draft.documentIds) assert.deepEqual(await revisionKinds(id), ['upload', 'preparation']);
    timestamps.available = true;
    assert.equal((await signElectronically(app, draft.id, signer)).status, 204);
    assert.equal((await statusOf(draft.id, signer)).body.status, 'SIGNED');
    for (const id of draft.documentIds)
      assert.deepEqual(await revisionKinds(id), ['upload', 'preparation', 'signature', 'seal', 'extension']);
  });

  it('keeps an attempt whose job was lost: the job is sent again, and one that waits is not doubled', async () => {
    const draft = await startedProcess(app, ana, { signers: [bia] });
    const [signer = ''] = draft.signerIds;
    await sendElectronically(app, draft.id, signer);
    app.clock.advance({ minutes: 11 });
    await sweepAttemptsJob.run(app.ctx, {});
    assert.equal(await countOpenJobs(app, 'sign-electronic'), 1);
    await dropJobs(app, 'sign-electronic');
    await sweepAttemptsJob.run(app.ctx, {});
    await app.runJobs();
    assert.equal((await statusOf(draft.id, signer)).body.status, 'SIGNED');
  });
});

describe('a timestamp authority that is away when everyone has signed', () => {
  before(() => open());
  after(() => app.close());

  it('delays the seal however long, shows the owner that it goes on, and never a failure', async () => {
    const draft = await startedProcess(app, ana, { signers: [bia] });
    await sendElectronically(app, draft.id, draft.signerIds[0] ?? '');
    // Away from the moment that the signature has its timestamp.
    timestamps.afterwards = () => (timestamps.available = false);
    await app.runJobs();
    const problem = async () => {
      const { body } = await app.call(api.getSubDataProcess, { token: ana.token, params: { processId: draft.id } });
      return body.problem;
    };
    assert.equal((await statusOf(draft.id, draft.signerIds[0])).body.status, 'SIGNED');
    for (let quarter = 0; quarter < 12; quarter += 1) {
      await exhaustJobs(app, 'finalize-process');
      assert.equal(await problem(), 'process.finalizationDelayed');
      assert.equal(await countOpenJobs(app, 'finalize-process'), 0, 'this job is given up');
      app.clock.advance({ minutes: 15 });
      await resumeFinalizationJob.run(app.ctx, {});
      await resumeFinalizationJob.run(app.ctx, {});
      assert.equal(await countOpenJobs(app, 'finalize-process'), 1, 'another follows, one at a time');
    }
    timestamps.available = true;
    await app.runJobs();
    const { body } = await app.call(api.getSignatureProcess, { token: ana.token, params: { id: draft.id } });
    assert.equal(body.status, 'FINALIZED_WITH_SUCCESS');
    assert.equal(await problem(), null);
    await resumeFinalizationJob.run(app.ctx, {});
    assert.equal(await countOpenJobs(app, 'finalize-process'), 0);
  });
});

describe('the certificate of an electronic signature', () => {
  before(() => open());
  after(() => app.close());

  const endOf = async (signerId = '') =>
    (await app.ctx.db.selectFrom('issued_certificate').select('not_after').where('signer_id', '=', signerId).executeTakeFirstOrThrow())
      .not_after;

  it('is issued by the statement of the act, once; another one where the process has other deadlines when it is signed', async () => {
    const draft = await startedProcess(app, ana, { dueDate: inDays(5), signers: [bia, caio].map((one) => ({ ...one, order: 0 })) });
    const [first = '', second = ''] = draft.signerIds;
    await sendElectronically(app, draft.id, first);
    const issued = await certificatesOf(first);
    assert.equal(issued.length, 1, 'before any job runs');
    await app.runJobs();
    assert.deepEqual(await certificatesOf(first), issued);
    await sendElectronically(app, draft.id, second, { name: 'Caio Reis' });
    const later = new Date(inDays(30));
    await app.ctx.db.updateTable('signature_process').set({ due_date: later }).where('id', '=', draft.id).execute();
    await app.runJobs();
    const ends = await app.ctx.db.selectFrom('issued_certificate').select('not_after').where('signer_id', '=', second).execute();
    assert.ok(ends.length === 2 && ends.some(({ not_after: end }) => end > later));
  });

  it('has its key forgotten a minute after an act whose job nobody here has run, and another one issued then', async (t) => {
    const draft = await startedProcess(app, ana);
    const [signer = ''] = draft.signerIds;
    const usual = globalThis.setTimeout;
    const aMinuteLater: (() => void)[] = [];
    t.mock.method(globalThis, 'setTimeout', (act: () => void, ms: number, ...given: unknown[]) => {
      if (ms === 60_000) aMinuteLater.push(act);
      return Reflect.apply(usual, globalThis, [act, ms, ...given]) as NodeJS.Timeout;
    });
    await sendElectronically(app, draft.id, signer);
    t.mock.restoreAll();
    assert.equal((await certificatesOf(signer)).length, 1);
    for (const act of aMinuteLater) act();
    await app.runJobs();
    assert.equal((await certificatesOf(signer)).length, 2);
  });

  it('reaches past the last deadline of the whole process, whichever signer it belongs to', async () => {
    const last = inDays(900);
    const individual = await startedProcess(app, ana, {
      signers: [
        { ...bia, dueDate: inDays(2) },
        { ...caio, dueDate: last },
      ],
    });
    await signElectronically(app, individual.id, individual.signerIds[0] ?? '');
    assert.ok((await endOf(individual.signerIds[0])) > new Date(Date.parse(last) + 15 * DAY_MS));
    const open = await startedProcess(app, ana, { signers: [{ ...bia, dueDate: inDays(2) }, caio] });
    await signElectronically(app, open.id, open.signerIds[0] ?? '');
    assert.ok((await endOf(open.signerIds[0])) > new Date(inDays(5 * 365)), 'a signer without a deadline may come late');
  });

  it('may end before a deadline that was extended: the process is sealed, and each signature holds at its timestamp', async () => {
    const draft = await startedProcess(app, ana, { dueDate: inDays(5), signers: [bia, caio] });
    const signedAt = app.clock.now();
    await signElectronically(app, draft.id, draft.signerIds[0] ?? '');
    await app.ctx.db
      .updateTable('signature_process')
      .set({ due_date: inDays(3000) })
      .where('id', '=', draft.id)
      .execute();
    app.clock.advance({ days: 2000 });
    assert.ok((await endOf(draft.signerIds[0])) < app.clock.now());
    await signElectronically(app, draft.id, draft.signerIds[1] ?? '', { name: 'Caio Reis' });
    assert.deepEqual(await revisionKinds(draft.documentIds[0]), ['upload', 'preparation', 'signature', 'signature', 'seal', 'extension']);
    const { root } = await loadAuthority(app.ctx);
    const [first, second] = findSignatures(await signedFile(draft));
    assert.ok(first && second);
    assert.equal(await opensslFault(first, root.der, signedAt), '');
    assert.match(await opensslFault(first, root.der, app.clock.now()), /expired/, 'only the timestamp carries it beyond its certificate');
    assert.equal(await opensslFault(second, root.der, app.clock.now()), '');
  });

  it('outlives the list of revoked certificates that is stored with it', async () => {
    // Nobody's session lasts the years that the test before lets pass.
    ana = await signedInAccount(app);
    const draft = await startedProcess(app, ana, { signers: [bia] });
    const [signer = ''] = draft.signerIds;
    await signElectronically(app, draft.id, signer);
    app.clock.set(new Date((await endOf(signer)).getTime() - 60_000));
    const source = await archiveSource(app.ctx, (await loadToSeal(app.ctx, draft.id)).certificates);
    const { people } = await loadAuthority(app.ctx);
    const { crls } = await source.material([people.der, ...(await certificatesOf(signer))]);
    const ends = crls.map((der) => new x509.X509Crl(Buffer.from(der))).filter((crl) => crl.issuer === people.certificate.subject);
    assert.equal(ends.length, 1);
    assert.deepEqual(ends[0]?.nextUpdate, await endOf(signer));
  });

  const certificatesOf = async (signerId: string) =>
    (await app.ctx.db.selectFrom('issued_certificate').select('certificate').where('signer_id', '=', signerId).execute()).map(
      ({ certificate }) => new Uint8Array(certificate),
    );
});

describe('signers of one order', () => {
  before(() => open(true));
  after(() => app.close());

  it('sign side by side, twelve at once, over two programs: no two on one revision, and nobody is told an error', async () => {
    const signers = Array.from({ length: 12 }, (_, index) => ({
      name: `Pessoa ${'ABCDEFGHIJKL'[index]}`,
      email: `lado${index}@exemplo.com.br`,
      order: 0,
    }));
    const draft = await startedProcess(app, ana, { signers, documents: ['um.pdf', 'dois.pdf'] });
    const { config, publicUrl } = app.ctx;
    const { connection, clock } = app;
    const here = { config: { ...config }, connection, publicUrl, clock, timestamps, mailboxUrl: null };
    const second = await compose({ ...here, background: true });
    try {
      const answers = await Promise.all(
        draft.signerIds.map((id, index) => sendElectronically(app, draft.id, id, { name: signers[index]?.name ?? '' })),
      );
      assert.deepEqual(new Set(answers.map(({ status, code }) => `${status} ${code}`)), new Set(['204 undefined']));
      await Promise.all([app.installation.queue.work(app.ctx), second.queue.work(second.ctx)]);
      const statuses = new Set<string>();
      for (let waited = 0; waited < 60_000; waited += 100) {
        const all = await Promise.all(draft.signerIds.map((id) => statusOf(draft.id, id)));
        for (const { body } of all) statuses.add(body.status);
        if (all.every(({ body }) => body.status === 'SIGNED' && body.finalized)) break;
        await sleep(100);
      }
      assert.deepEqual(
        [...statuses].filter((status) => status !== 'SIGNING'),
        ['SIGNED'],
      );
      for (const id of draft.documentIds) {
        assert.deepEqual(await revisionKinds(id), ['upload', 'preparation', ...signers.map(() => 'signature'), 'seal', 'extension']);
      }
      const { root } = await loadAuthority(app.ctx);
      for (const document of [0, 1]) {
        const found = findSignatures(await signedFile(draft, document));
        for (const signature of found.slice(0, 13)) assert.equal(await opensslFault(signature, root.der, app.clock.now()), '');
        assert.equal(found.length, 14, 'twelve signers, the seal, the document timestamp');
      }
      const { body } = await app.call(api.getSubDataProcess, { token: ana.token, params: { processId: draft.id } });
      assert.equal(body.problem, null);
      assert.equal(await countFailedTries(app, 'sign-electronic'), 0, 'no try was spent on another signer');
    } finally {
      await second.close();
    }
  });
});
