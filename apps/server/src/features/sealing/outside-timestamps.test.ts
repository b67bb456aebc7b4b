import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { startTimestampWorld, type TimestampWorld } from '@lavra/make-believe';
import { readConfig } from '../../config.ts';
import { httpTimestampAuthority } from '../../http-timestamp-authority.ts';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { frozenClock } from '../../testing/clock.ts';
import { exhaustJobs } from '../../testing/jobs.ts';
import { signElectronically, startedProcess, type TestDraft } from '../../testing/processes.ts';
import { countKeptBack, resumeFinalizationJob } from './finalize-process.job.ts';

interface Story {
  world: TimestampWorld;
  app: TestApp;
  ana: TestAccount;
  directory: string;
}

type Roots = 'right' | 'wrong' | 'none';

/** An installation that is configured, by its environment, for a timestamp authority outside. */
async function open({ start, ocsp = false, roots = 'right' }: { start?: Date; ocsp?: boolean; roots?: Roots } = {}): Promise<Story> {
  const clock = frozenClock(start);
  const world = await startTimestampWorld({ now: clock.now, ocsp });
  const other = roots === 'wrong' ? await startTimestampWorld({ now: clock.now }) : null;
  await other?.close();
  const directory = mkdtempSync(join(tmpdir(), 'lavra-roots-'));
  const path = join(directory, 'roots.pem');
  writeFileSync(path, (other ?? world).root.certificate.toString('pem'));
  const { tsaUrl, tsaRoots, allowedPrivateHosts } = readConfig({
    TSA_URL: world.url,
    LAVRA_ALLOW_PRIVATE_FETCH: world.host,
    ...(roots === 'none' ? {} : { TSA_ROOTS: path }),
  });
  assert.ok(tsaUrl);
  const timestamps = httpTimestampAuthority({ url: tsaUrl }, tsaRoots, null);
  const app = await startTestApp({ clock, timestamps, config: { tsaUrl, tsaRoots, allowedPrivateHosts } });
  return { world, app, ana: await signedInAccount(app), directory };
}

async function close({ app, world, directory }: Story): Promise<void> {
  await app.close();
  await world.close();
  rmSync(directory, { recursive: true, force: true });
}

const bia = { name: 'Bia Lima', email: 'bia@exemplo.com.br' };

async function signed({ app, ana }: Story): Promise<TestDraft> {
  // Nobody's session lasts the days that some of these tests let pass.
  const owner = ana.token ? await signedInAccount(app) : ana;
  const draft = await startedProcess(app, owner, { signers: [bia], documents: ['um.pdf', 'dois.pdf'] });
  assert.equal((await signElectronically(app, draft.id, draft.signerIds[0] ?? '')).status, 204);
  return draft;
}

async function kindsOf({ app }: Story, documentId = ''): Promise<string[]> {
  const rows = await app.ctx.db
    .selectFrom('document_revision')
    .select('kind')
    .where('document_id', '=', documentId)
    .orderBy('seq')
    .execute();
  return rows.map(({ kind }) => kind);
}

async function judged({ app }: Story, documentId = '') {
  const { body: entry } = await app.call(api.loginValidation, { query: { documentId, emailSigner: bia.email } });
  const { body } = await app.call(api.getValidation, { query: { documentId, ticket: entry.ticket ?? '' } });
  return {
    signers: body.signers.map(({ indication, reasons, level }) => ({ indication, reasons, level })),
    seals: body.seals.map(({ kind, indication, reasons }) => [kind, indication, ...reasons]),
  };
}

async function stateOf({ app }: Story, id: string) {
  const { status, problem } = await app.ctx.db
    .selectFrom('signature_process')
    .select(['status', 'problem'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { status, problem };
}

const archived = ['upload', 'preparation', 'signature', 'seal', 'extension'];
const waiting = ['upload', 'preparation', 'signature'];
const delayed = { status: 'IN_PROGRESS', problem: 'process.finalizationDelayed' };
const done = { status: 'FINALIZED_WITH_SUCCESS', problem: null };
const allGood = {
  signers: [{ indication: 'TOTAL-PASSED', reasons: [], level: 'B-LTA' }],
  seals: [
    ['seal', 'TOTAL-PASSED'],
    ['timestamp', 'TOTAL-PASSED'],
  ],
};

describe('a process with a timestamp authority outside and its roots', () => {
  let story: Story;
  let draft: TestDraft;
  before(async () => {
    story = await open();
    draft = await signed(story);
  });
  after(() => close(story));

  const fetched = () => story.world.asked.filter((what) => !what.includes('/tsa')).toSorted();

  it('ends at B-LTA with what was fetched, and every signature of it holds', async () => {
    assert.deepEqual(await stateOf(story, draft.id), done);
    for (const id of draft.documentIds) {
      assert.deepEqual(await kindsOf(story, id), archived);
      assert.deepEqual(await judged(story, id), allGood);
    }
  });

  it('asks each address once, however many documents and signatures need it, and the next process none', async () => {
    assert.deepEqual(fetched(), ['GET /issuer.cer', 'GET /issuer.crl', 'GET /root.crl']);
    await signed(story);
    assert.deepEqual(fetched(), ['GET /issuer.cer', 'GET /issuer.crl', 'GET /root.crl']);
  });

  it('leaves a file of one page below 70 kB once its tokens were measured', async () => {
    const { documentIds } = await signed(story);
    for (const id of documentIds) {
      const { size } = await story.app.ctx.db
        .selectFrom('document_revision')
        .select(({ fn }) => fn.sum<number>('size').as('size'))
        .where('document_id', '=', id)
        .executeTakeFirstOrThrow();
      assert.ok(size < 70_000, `${size} bytes`);
    }
  });

  it('is verified from the file alone while the lists in it are in force, and from fetched ones after', async () => {
    const { world, app } = story;
    const [id] = draft.documentIds;
    world.available['/issuer.crl'] = world.available['/root.crl'] = false;
    app.clock.advance({ days: 6 });
    assert.deepEqual(await judged(story, id), allGood);
    app.clock.advance({ days: 2 });
    const { signers, seals } = await judged(story, id);
    assert.equal(signers[0]?.indication, 'TOTAL-PASSED', 'our own lists are always at hand');
    assert.deepEqual(seals[1], ['timestamp', 'INDETERMINATE', 'REVOCATION_UNKNOWN']);
    world.available['/issuer.crl'] = world.available['/root.crl'] = true;
    app.clock.advance({ minutes: 1 });
    assert.deepEqual(await judged(story, id), allGood);
  });
});

describe('a process whose authority’s lists cannot be fetched', () => {
  let story: Story;
  before(async () => {
    story = await open();
  });
  after(() => close(story));

  it('keeps its signatures, waits however long, buys no timestamps meanwhile, and ends at B-LTA when they can', async () => {
    const { world, app } = story;
    world.available['/issuer.crl'] = false;
    const draft = await signed(story);
    const stamped = () => world.asked.filter((what) => what === 'POST /tsa').length;
    const before = stamped();
    for (let quarter = 0; quarter < 3; quarter += 1) {
      await exhaustJobs(app, 'finalize-process');
      assert.deepEqual(await stateOf(story, draft.id), delayed);
      for (const id of draft.documentIds) assert.deepEqual(await kindsOf(story, id), waiting);
      app.clock.advance({ minutes: 15 });
      await resumeFinalizationJob.run(app.ctx, {});
    }
    assert.equal(stamped(), before);
    world.available['/issuer.crl'] = true;
    await app.runJobs();
    assert.deepEqual(await stateOf(story, draft.id), done);
    for (const id of draft.documentIds) {
      assert.deepEqual(await kindsOf(story, id), archived);
      assert.deepEqual(await judged(story, id), allGood);
    }
  });
});

describe('a timestamp authority that answers by OCSP', () => {
  it('is archived with its answers', async () => {
    // OpenSSL's responder goes by this machine's clock.
    const story = await open({ ocsp: true, start: new Date() });
    try {
      const draft = await signed(story);
      assert.deepEqual(await stateOf(story, draft.id), done);
      assert.deepEqual(await judged(story, draft.documentIds[0]), allGood);
      assert.equal(story.world.asked.filter((what) => what === 'POST /ocsp').length, 1);
    } finally {
      await close(story);
    }
  });
});

describe('a timestamp authority that turns out revoked', () => {
  it('makes no file that is called finished: it is kept back, and its owner is told why', async () => {
    const story = await open();
    try {
      story.world.revoked.push(story.world.authority.certificate.serialNumber);
      const draft = await signed(story);
      assert.deepEqual(await stateOf(story, draft.id), { status: 'IN_PROGRESS', problem: 'process.verificationFailed' });
      assert.deepEqual(await kindsOf(story, draft.documentIds[0]), waiting);
      assert.equal(await countKeptBack(story.app.ctx), 1);
      const mails = (await story.app.mailbox.list()).map(({ text }) => text);
      assert.equal(mails.filter((text) => text.includes('CERTIFICATE_REVOKED')).length, 1);
      assert.ok(mails.every((text) => !text.includes('estão prontos')));
    } finally {
      await close(story);
    }
  });
});

describe('the roots of a timestamp authority', () => {
  it('that are another’s delay the seal: nothing is called archived that is not', async () => {
    const story = await open({ roots: 'wrong' });
    try {
      const draft = await signed(story);
      assert.deepEqual(await stateOf(story, draft.id), delayed);
      assert.deepEqual(await kindsOf(story, draft.documentIds[0]), waiting);
    } finally {
      await close(story);
    }
  });

  it('that nobody names leave files at B-T, and nothing is fetched', async () => {
    const story = await open({ roots: 'none' });
    try {
      const draft = await signed(story);
      assert.deepEqual(await stateOf(story, draft.id), done);
      assert.deepEqual(await kindsOf(story, draft.documentIds[0]), ['upload', 'preparation', 'signature', 'seal']);
      const event = await story.app.ctx.db
        .selectFrom('event')
        .select('data')
        .where('type', '=', 'process.sealed')
        .executeTakeFirstOrThrow();
      assert.equal((event.data as { level?: string }).level, 'B-T');
      assert.ok(story.world.asked.every((what) => what === 'POST /tsa'));
    } finally {
      await close(story);
    }
  });
});
