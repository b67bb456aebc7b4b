import assert from 'node:assert/strict';
import { createHash, sign } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { createRoot, issueSignerCertificate, privateKeyOf, type Tree } from '@lavra/make-believe';
import { adRa14, memorySource, openPdf, readAll, type SignatureReport, signPdf, verifyPdf, withRevision } from '@lavra/pades';
import { compose } from '../../../compose.ts';
import { signedInAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { preparedLocally, signLocally, statusOf } from '../../../testing/certificate-acts.ts';
import { startTestCertificates, type TestCertificates } from '../../../testing/certificates.ts';
import { frozenClock, type TestClock } from '../../../testing/clock.ts';
import { exhaustJobs, hurryJobs } from '../../../testing/jobs.ts';
import { policiesFolder } from '../../../testing/policies.ts';
import { samplePdf, startedProcess, type TestDraft } from '../../../testing/processes.ts';
import { testIcpBrasilTimestamps, type TestIcpBrasilTimestamps, testTimestamps } from '../../../testing/timestamps.ts';
import { openDocumentFile } from '../../documents/document-file.ts';
import { resumeFinalizationJob } from '../../sealing/finalize-process.job.ts';
import { installationTrust } from '../../verification/installation-trust.ts';

const bia = { name: 'Bia Lima', cpf: '52998224725', email: 'bia@exemplo.com.br' };
const policies = policiesFolder();

interface Installation {
  app: TestApp;
  clock: TestClock;
  world: TestCertificates;
  act: TestIcpBrasilTimestamps;
  close(): Promise<void>;
}

interface Given {
  /** Which authority is configured. */
  act: boolean;
  foreign?: boolean;
  policiesDir?: string;
  /** Below which root it truly is. */
  tree?: Tree;
}

async function open({ act: hasAct, foreign = false, policiesDir, tree }: Given): Promise<Installation> {
  const clock = frozenClock();
  const world = await startTestCertificates(clock);
  const act = await testIcpBrasilTimestamps(world.pki, clock, tree);
  const app = await startTestApp({
    clock,
    timestamps: foreign ? await testTimestamps(clock) : null,
    icpBrasilTimestamps: hasAct ? act : null,
    certificates: world.certificates,
    ...(policiesDir ? { config: { policiesDir } } : {}),
  });
  return {
    app,
    clock,
    world,
    act,
    async close() {
      await app.close();
      await world.pscWorld.close();
    },
  };
}

async function begun({ app }: Installation): Promise<TestDraft> {
  return startedProcess(app, await signedInAccount(app), { type: 'DIGITAL_SIGNATURE', signers: [bia] });
}

async function signWithFile({ app, world }: Installation, draft: TestDraft): Promise<void> {
  const { certificate, key } = await world.pki.issuePerson(bia);
  await signLocally(app, draft, 0, { cpf: bia.cpf, source: 'file', certificate, key });
}

async function finished(installation: Installation): Promise<string> {
  const draft = await begun(installation);
  await signWithFile(installation, draft);
  await installation.app.runJobs();
  return draft.documentIds[0] ?? '';
}

async function judged({ app }: Installation, documentId: string) {
  const { body: entry } = await app.call(api.loginValidation, { query: { documentId, emailSigner: bia.email } });
  return (await app.call(api.getValidation, { query: { documentId, ticket: entry.ticket ?? '' } })).body;
}

async function partsOf({ app }: Installation, documentId: string): Promise<string[]> {
  return (await openDocumentFile(app.ctx, documentId)).parts.map(({ kind }) => kind);
}

/** By what the file alone carries. */
async function reportOf({ app, clock }: Installation, documentId: string): Promise<SignatureReport> {
  const { source } = await openDocumentFile(app.ctx, documentId);
  const trust = await installationTrust(app.ctx);
  const { signatures } = await verifyPdf(await openPdf(source), { trust, at: clock.now() });
  return signatures[0] ?? assert.fail('no signature');
}

async function stateOf({ app }: Installation, id: string) {
  const columns = ['status', 'problem'] as const;
  return app.ctx.db.selectFrom('signature_process').select(columns).where('id', '=', id).executeTakeFirstOrThrow();
}

const archived = ['upload', 'preparation', 'signature', 'extension'];
const signedOnly = ['upload', 'preparation', 'signature'];
const delayed = { status: 'IN_PROGRESS', problem: 'process.finalizationDelayed' };

describe('a document signed with a certificate where the timestamp authority is ICP-Brasil’s', () => {
  let installation: Installation;
  let documentId: string;
  before(async () => {
    installation = await open({ act: true });
    documentId = await finished(installation);
  });
  after(() => installation.close());

  it('ends at AD-RC and B-LTA: signature timestamp, DSS and document timestamp, and nothing of ours', async () => {
    assert.deepEqual(await partsOf(installation, documentId), archived);
    const { indication, reasons, level, policy, timestamps } = await reportOf(installation, documentId);
    assert.deepEqual([indication, reasons, level], ['TOTAL-PASSED', [], 'B-LTA']);
    assert.deepEqual(
      timestamps.map((one) => one.indication),
      ['TOTAL-PASSED'],
    );
    // It fits its policy in everything but the roots, which are nobody's here.
    assert.deepEqual([policy?.name, policy?.hash, policy?.reasons], ['AD-RC 1.4', 'matches', ['POLICY_ROOT']]);
    const seen = await judged(installation, documentId);
    assert.deepEqual(
      seen.seals.map(({ kind, indication: verdict }) => [kind, verdict]),
      [['timestamp', 'TOTAL-PASSED']],
    );
    assert.equal(seen.signers[0]?.certificate?.policy, 'AD-RC 1.4');
    const { parts, source, size } = await openDocumentFile(installation.app.ctx, documentId);
    const hash = createHash('sha256')
      .update(Buffer.from(await source.read(0, size)))
      .digest('hex');
    assert.deepEqual([parts.at(-1)?.fileHash, seen.signedHash], [hash, hash]);
  });

  it('asks for a timestamp for the signature, one for the archive, one for the evidence report, and no more', () => {
    assert.equal(installation.act.asked, 3);
  });

  it('has an authority for electronic documents too, where no other is named', () => {
    assert.deepEqual(installation.app.ctx.timestamps?.anchors, installation.app.ctx.icpBrasilTimestamps?.anchors);
  });

  it('ends also when the upload brought a signature that nobody knows', async () => {
    const { app } = installation;
    const stranger = await issueSignerCertificate(await createRoot('Raiz de ninguém'), 'Ninguém');
    const key = await privateKeyOf(stranger);
    const base = memorySource(new Uint8Array(await samplePdf(1)));
    const revision = await signPdf(
      await openPdf(base),
      {
        certificate: new Uint8Array(stranger.certificate.rawData),
        chain: [],
        sign: (data, digest) => Promise.resolve(new Uint8Array(sign(digest, data, key))),
      },
      { field: { name: 'alheia' }, signingTime: new Date() },
    );
    const bytes = Buffer.from(await readAll(withRevision(base, revision)));
    const draft = await startedProcess(app, await signedInAccount(app), { type: 'DIGITAL_SIGNATURE', signers: [bia], bytes });
    await signWithFile(installation, draft);
    await app.runJobs();
    assert.deepEqual(await stateOf(installation, draft.id), { status: 'FINALIZED_WITH_SUCCESS', problem: null });
    assert.deepEqual(await partsOf(installation, draft.documentIds[0] ?? ''), archived);
  });

  it('outlives its certificate: what proves the time is asked about, and nothing else', async () => {
    installation.clock.advance({ days: 4 * 365 });
    const { signers, seals } = await judged(installation, documentId);
    assert.deepEqual([signers[0]?.indication, signers[0]?.reasons, seals[0]?.indication], ['TOTAL-PASSED', [], 'TOTAL-PASSED']);
  });
});

describe('with ITI’s policy and its list of approved ones at hand', { skip: policies ? false : 'set LAVRA_POLICIES' }, () => {
  let installation: Installation;
  const folder = policies ?? '';
  before(async () => {
    installation = await open({ act: true, policiesDir: folder });
  });
  after(async () => {
    await installation.close();
    rmSync(folder, { recursive: true });
  });

  it('ends at AD-RA and B-LTA, with them in the file', async () => {
    const documentId = await finished(installation);
    const { indication, level, policy } = await reportOf(installation, documentId);
    assert.deepEqual([indication, level], ['TOTAL-PASSED', 'B-LTA']);
    assert.deepEqual([policy?.oid, policy?.name, policy?.hash, policy?.reasons], [adRa14.oid, 'AD-RA 1.4', 'matches', ['POLICY_ROOT']]);
  });

  it('waits when they have gone before the archive was made, and ends when they are back', async () => {
    const draft = await begun(installation);
    await signWithFile(installation, draft);
    const name = join(folder, 'LPA_PAdES.der');
    const list = readFileSync(name);
    rmSync(name);
    await installation.app.runJobs();
    assert.deepEqual(await stateOf(installation, draft.id), delayed);
    writeFileSync(name, list);
    await exhaustJobs(installation.app, 'finalize-process');
    await installation.app.runJobs();
    assert.deepEqual(await partsOf(installation, draft.documentIds[0] ?? ''), archived);
  });
});

describe('a document signed with a certificate where there is no timestamp authority of ICP-Brasil', () => {
  it('gets nothing foreign added, and is undecided after its certificate has ended', async () => {
    const installation = await open({ act: false, foreign: true });
    try {
      const documentId = await finished(installation);
      assert.deepEqual(await partsOf(installation, documentId), signedOnly);
      assert.equal((await judged(installation, documentId)).signers[0]?.certificate?.policy, 'AD-RB 1.3');
      await installation.world.pscWorld.close();
      installation.clock.advance({ days: 4 * 365 });
      assert.equal((await judged(installation, documentId)).signers[0]?.indication, 'INDETERMINATE');
    } finally {
      await installation.close();
    }
  });
});

describe('a timestamp authority of ICP-Brasil that is away', () => {
  let installation: Installation;
  before(async () => {
    installation = await open({ act: true });
  });
  after(() => installation.close());

  it('when somebody signs: their values are kept, the page waits, and a job ends it when it is back', async () => {
    const { app, act } = installation;
    const draft = await begun(installation);
    act.available = false;
    await signWithFile(installation, draft);
    assert.deepEqual(await statusOf(app, draft, 0), { status: 'SIGNING', reason: 'signing.timestampUnavailable', finalized: false });
    await app.runJobs();
    assert.equal((await statusOf(app, draft, 0)).status, 'SIGNING');
    act.available = true;
    await hurryJobs(app, 'complete-local');
    await app.runJobs();
    assert.equal((await statusOf(app, draft, 0)).status, 'SIGNED');
    assert.deepEqual(await partsOf(installation, draft.documentIds[0] ?? ''), archived);
  });

  it('the same values at once, sent again by a page that got no answer: both are told that they are kept', async () => {
    const { app, act, world } = installation;
    const draft = await begun(installation);
    const { certificate, key } = await world.pki.issuePerson(bia);
    const complete = await preparedLocally(app, draft, 0, { cpf: bia.cpf, source: 'file', certificate, key });
    act.available = false;
    assert.deepEqual(
      (await Promise.all([complete(), complete()])).map(({ status }) => status),
      [204, 204],
    );
    act.available = true;
    await app.runJobs();
    assert.equal((await statusOf(app, draft, 0)).status, 'SIGNED');
  });

  it('for longer: the signer is told, and may sign again', async () => {
    const { app, act } = installation;
    const draft = await begun(installation);
    act.available = false;
    await signWithFile(installation, draft);
    await exhaustJobs(app, 'complete-local');
    const told = await statusOf(app, draft, 0);
    assert.deepEqual([told.status, told.reason], ['ERROR_WHILE_SIGNING', 'signing.timestampUnavailable']);
    act.available = true;
    await signWithFile(installation, draft);
    await app.runJobs();
    assert.deepEqual(await partsOf(installation, draft.documentIds[0] ?? ''), archived);
  });

  it('when everybody has signed: the archive waits however long, and nothing less is handed out', async () => {
    const { app, act, clock } = installation;
    const draft = await begun(installation);
    await signWithFile(installation, draft);
    act.available = false;
    await exhaustJobs(app, 'finalize-process');
    assert.deepEqual(await stateOf(installation, draft.id), delayed);
    assert.deepEqual(await partsOf(installation, draft.documentIds[0] ?? ''), signedOnly);
    act.available = true;
    clock.advance({ minutes: 15 });
    await resumeFinalizationJob.run(app.ctx, {});
    await app.runJobs();
    assert.deepEqual(await partsOf(installation, draft.documentIds[0] ?? ''), archived);
  });

  it('when it has gone from the configuration: what promised an archive is not finished without one', async () => {
    const { app } = installation;
    const draft = await begun(installation);
    await signWithFile(installation, draft);
    const { config, publicUrl, clock, icpBrasil } = app.ctx;
    const options = { config, publicUrl, clock, icpBrasil, timestamps: null, mailboxUrl: null, background: false };
    const other = await compose({ ...options, connection: app.connection });
    await other.queue.drain(other.ctx);
    await other.close();
    assert.deepEqual(await stateOf(installation, draft.id), delayed);
  });
});

describe('a timestamp authority that is called ICP-Brasil’s and is below another root', () => {
  it('never gets into a document: the signer is told', async () => {
    const installation = await open({ act: true, tree: 'outside' });
    try {
      const { app } = installation;
      const draft = await begun(installation);
      await signWithFile(installation, draft);
      await exhaustJobs(app, 'complete-local');
      assert.equal((await statusOf(app, draft, 0)).reason, 'signing.timestampUnavailable');
      assert.deepEqual(await partsOf(installation, draft.documentIds[0] ?? ''), ['upload', 'preparation']);
    } finally {
      await installation.close();
    }
  });
});
