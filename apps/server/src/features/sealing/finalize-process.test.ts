import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { countOpenJobs } from '../../testing/jobs.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { sendElectronically, startedProcess } from '../../testing/processes.ts';
import { testTimestamps } from '../../testing/timestamps.ts';
import { WorkExceededError } from '../../workers/wire.ts';
import { openDocumentFile } from '../documents/document-file.ts';
import { signElectronicJob } from '../signing/electronic/sign-electronic.job.ts';
import { finalizeProcessJob } from './finalize-process.job.ts';
import { findProcess } from '../processes/aggregate.store.ts';
import { actOnProcess, holdProcess } from '../processes/life/act-on-process.ts';
import { chained } from '../processes/life/event-chain.ts';
import { listUnsealedProcesses } from '../processes/processes.store.ts';

describe('the last act', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { firstName: 'Ana' });
  });
  after(() => app.close());

  /** Everyone has signed two documents; the job of the last act has not run. */
  async function allSigned(bytes?: Buffer) {
    const draft = await startedProcess(app, ana, { documents: ['um.pdf', 'dois.pdf'], ...(bytes ? { bytes } : {}) });
    await sendElectronically(app, draft.id, draft.signerIds[0] ?? '');
    const attempt = await app.ctx.db.selectFrom('signing_attempt').select('id').where('state', '=', 'signing').executeTakeFirstOrThrow();
    await signElectronicJob.run(app.ctx, { attemptId: attempt.id });
    return draft;
  }

  const finish = (ctx: Ctx, id: string) => finalizeProcessJob.run(ctx, { signatureProcessId: id });
  const eventsOf = async (id: string) => {
    const rows = await app.ctx.db.selectFrom('event').select('type').where('signature_process_id', '=', id).orderBy('seq').execute();
    return rows.map(({ type }) => type);
  };
  const kindsOf = async (documentId = '') => {
    const rows = await app.ctx.db
      .selectFrom('document_revision')
      .select('kind')
      .where('document_id', '=', documentId)
      .orderBy('seq')
      .execute();
    return rows.map(({ kind }) => kind);
  };

  /** Separate signature pages that are recorded. */
  const pagesOf = async ({ id }: { id: string }) => {
    const rows = await app.ctx.db.selectFrom('document').select('signature_page_hash').where('signature_process_id', '=', id).execute();
    return rows.flatMap(({ signature_page_hash: hash }) => hash ?? []);
  };

  /** A file that was finished here carries signatures: the next process with it makes pages apart. */
  async function finishedFile(): Promise<Buffer> {
    const draft = await allSigned();
    await finish(app.ctx, draft.id);
    const file = await openDocumentFile(app.ctx, draft.documentIds[0] ?? '');
    return Buffer.from(await file.source.read(0, file.size));
  }

  /** What a node of an older version writes for a signer who looks at their own page after signing. */
  async function lookAsBefore({ id, signerIds }: { id: string; signerIds: readonly string[] }) {
    const held = await findProcess(app.ctx, id, 'read');
    assert.ok(held);
    const look = { type: 'link.handedOut', signerId: signerIds[0] ?? '', data: { to: 'signer-session' } } as const;
    for (const { seq, at, type, data, hash, ...record } of chained(id, held.end, app.clock.now(), [look]))
      await app.ctx.db
        .insertInto('event')
        .values({
          seq,
          at,
          type,
          data: JSON.stringify(data),
          hash,
          signature_process_id: id,
          signer_id: record.signerId,
          previous_hash: record.previousHash,
        })
        .execute();
  }

  it('that dies at any of its steps has done nothing, and the next try does everything once', async () => {
    const draft = await allSigned(await finishedFile());
    const mails = async () => (await app.ctx.db.selectFrom('mail').select('id').execute()).length;
    const mailsBefore = await mails();
    // Of the end: whoever hears of it is written to by this job.
    const announcements = () => countOpenJobs(app, 'announce-end');
    assert.equal(await announcements(), 0);
    let step = 0;
    let ended = false;
    for (let dies = 1; !ended; dies += 1) {
      step = 0;
      const mayDie = () => {
        step += 1;
        if (step === dies) throw new Error('killed');
      };
      const { storage, workers } = app.ctx;
      const dying: Ctx = {
        ...app.ctx,
        storage: { ...storage, put: async (...given) => (mayDie(), storage.put(...given)) },
        workers: {
          ...workers,
          run: (async (...given: Parameters<typeof workers.run>) => (mayDie(), workers.run(...given))) as typeof workers.run,
        },
        // Before the commit, and after everything in it was done.
        transaction: (run) =>
          app.ctx.transaction(async (tx) => {
            mayDie();
            const answer = await run(tx);
            mayDie();
            return answer;
          }),
      };
      ended = await finish(dying, draft.id).then(
        () => true,
        (error: Error) => {
          assert.equal(error.message, 'killed');
          return false;
        },
      );
      if (ended) break;
      assert.deepEqual((await eventsOf(draft.id)).slice(-1), ['signer.signed']);
      for (const id of draft.documentIds) assert.deepEqual(await kindsOf(id), ['upload', 'preparation', 'signature']);
      assert.deepEqual([await announcements(), await mails()], [0, mailsBefore]);
      assert.deepEqual(await pagesOf(draft), []);
    }
    assert.equal((await pagesOf(draft)).length, 2);
    assert.ok(step >= 5, `${step} steps were tried`);
    await finish(app.ctx, draft.id);
    assert.deepEqual((await eventsOf(draft.id)).slice(-3), ['signer.signed', 'process.sealed', 'process.finalized']);
    for (const id of draft.documentIds) assert.deepEqual(await kindsOf(id), ['upload', 'preparation', 'signature', 'seal']);
    assert.equal(await announcements(), 1);
    await app.runJobs();
    assert.equal(await mails(), mailsBefore + 2);
  });

  it('by two programs at once is recorded once', async () => {
    const draft = await allSigned();
    await Promise.allSettled([finish(app.ctx, draft.id), finish(app.ctx, draft.id)]);
    assert.equal((await eventsOf(draft.id)).filter((type) => type === 'process.finalized').length, 1);
    for (const id of draft.documentIds) assert.deepEqual(await kindsOf(id), ['upload', 'preparation', 'signature', 'seal']);
  });

  it('is not held up by a signer who looks at their page again and again', async () => {
    const draft = await allSigned();
    const looks = () =>
      app.ctx.transaction((tx) =>
        actOnProcess(tx, draft.id, { kind: 'handOutLink', signerId: draft.signerIds[0] ?? '', to: 'signer-session' }),
      );
    const { workers } = app.ctx;
    const run = (async (...given: Parameters<typeof workers.run>) => {
      await looks();
      return workers.run(...given);
    }) as typeof workers.run;
    await finish({ ...app.ctx, workers: { ...workers, run } }, draft.id);
    assert.deepEqual((await eventsOf(draft.id)).slice(-3), ['signer.signed', 'process.sealed', 'process.finalized']);
  });

  it('draws its report again when somebody writes to the process meanwhile', async () => {
    const draft = await allSigned();
    let drawn = 0;
    const { workers } = app.ctx;
    const run = (async (...given: Parameters<typeof workers.run>) => {
      if (given[1] === 'drawSealedReport' && (drawn += 1) === 1) await lookAsBefore(draft);
      return workers.run(...given);
    }) as typeof workers.run;
    await finish({ ...app.ctx, workers: { ...workers, run } }, draft.id);
    assert.equal(drawn, 2);
    assert.deepEqual((await eventsOf(draft.id)).slice(-3), ['link.handedOut', 'process.sealed', 'process.finalized']);
  });

  it('draws no report in vain for what somebody wrote to the process while its documents were sealed: each is one timestamp more', async () => {
    const draft = await allSigned();
    const works: unknown[] = [];
    const { workers } = app.ctx;
    const run = (async (...given: Parameters<typeof workers.run>) => {
      if (works.length === 0) await lookAsBefore(draft);
      works.push(given[1]);
      return workers.run(...given);
    }) as typeof workers.run;
    await finish({ ...app.ctx, workers: { ...workers, run } }, draft.id);
    assert.equal(works.filter((name) => name === 'drawSealedReport').length, 1);
    assert.deepEqual((await eventsOf(draft.id)).slice(-3), ['link.handedOut', 'process.sealed', 'process.finalized']);
  });

  it('holds no transaction open and locks nobody out while a timestamp authority does not answer', async () => {
    const draft = await allSigned();
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    let hangUp = (_reason: Error) => {};
    const timestamps = {
      timestamp: () => {
        asked();
        return new Promise<Uint8Array>((_resolve, reject) => (hangUp = reject));
      },
      anchors: [],
      material: null,
    };
    const waiting = finish({ ...app.ctx, timestamps }, draft.id).catch(() => 'refused');
    await isAsked;
    await app.ctx.transaction((tx) => holdProcess(tx, draft.id));
    const { rows } = await sql`
      select pid from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`.execute(app.ctx.db);
    assert.deepEqual(rows, []);
    hangUp(new Error('connection lost'));
    assert.equal(await waiting, 'refused');
  });

  it('and a signature of many documents ask for the timestamps of all but the first at once', { timeout: 60_000 }, async () => {
    const draft = await startedProcess(app, ana, { documents: ['um.pdf', 'dois.pdf', 'tres.pdf', 'quatro.pdf'] });
    await sendElectronically(app, draft.id, draft.signerIds[0] ?? '');
    const attempt = await app.ctx.db.selectFrom('signing_attempt').select('id').where('state', '=', 'signing').executeTakeFirstOrThrow();
    const outside = await testTimestamps(app.clock);
    /** Its second answer comes when the fourth is asked for. */
    const patient = () => {
      let asked = 0;
      const { promise: fourth, resolve } = Promise.withResolvers<void>();
      return {
        ...outside,
        async timestamp(request: Uint8Array) {
          asked += 1;
          if (asked === 4) resolve();
          if (asked > 1) await fourth;
          return outside.timestamp(request);
        },
      };
    };
    await signElectronicJob.run({ ...app.ctx, timestamps: patient() }, { attemptId: attempt.id });
    for (const id of draft.documentIds) assert.deepEqual(await kindsOf(id), ['upload', 'preparation', 'signature']);
    // A seal alone: its archive would ask for a second one.
    await finish({ ...app.ctx, timestamps: { ...patient(), anchors: [] } }, draft.id);
    for (const id of draft.documentIds) assert.deepEqual(await kindsOf(id), ['upload', 'preparation', 'signature', 'seal']);
  });

  it('takes no turn of a signer who acts, however much of the same account waits to be prepared or sealed', async () => {
    const turns: Record<string, string | undefined> = {};
    const run: Ctx['workers']['run'] = (file, name, input, placing) => {
      turns[name] = placing?.caller;
      return app.ctx.workers.run(file, name, input, placing);
    };
    const ctx = { ...app.ctx, workers: { ...app.ctx.workers, run } };
    const draft = await startedProcess(app, ana);
    await sendElectronically(app, draft.id, draft.signerIds[0] ?? '');
    const attempt = await app.ctx.db.selectFrom('signing_attempt').select('id').where('state', '=', 'signing').executeTakeFirstOrThrow();
    await signElectronicJob.run(ctx, { attemptId: attempt.id });
    await finish(ctx, draft.id);
    const { prepareSignatureOf: act, sealBytes: seal, drawSealedReport: report } = turns;
    assert.ok(act && seal && act !== seal);
    assert.equal(report, seal);
  });

  it('that takes more than a worker may is tried once an hour, not at once again, and the owner is told which document it is', async () => {
    const draft = await allSigned();
    const workers = { ...app.ctx.workers, run: () => Promise.reject(new WorkExceededError('its watch ended it')) };
    await finish({ ...app.ctx, workers }, draft.id);
    const row = await app.ctx.db.selectFrom('signature_process').selectAll().where('id', '=', draft.id).executeTakeFirstOrThrow();
    assert.deepEqual([row.status, row.problem, row.problem_params], ['IN_PROGRESS', 'document.tooComplex', { name: 'um.pdf' }]);
    const later = new Date(app.clock.now().getTime() + 86_400_000);
    const isDue = async (hourly: boolean) => (await listUnsealedProcesses(app.ctx, later, hourly)).some(({ id }) => id === draft.id);
    assert.deepEqual([await isDue(false), await isDue(true)], [false, true]);
    await finish(app.ctx, draft.id);
    assert.ok((await kindsOf(draft.documentIds[0])).includes('seal'));
  });
});

describe('inside a transaction', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  it('the network is shut, for whoever was handed the whole context too, and open again after it', async () => {
    const ask = (ctx: Ctx) => ctx.storage.readRange('0'.repeat(64), { offset: 0, length: 1 });
    await assert.rejects(
      app.ctx.transaction(() => ask(app.ctx)),
      /inside a transaction/,
    );
    await assert.rejects(
      app.ctx.transaction((tx) => tx.transaction(() => ask(app.ctx))),
      /inside a transaction/,
    );
    let later: Promise<unknown> = Promise.resolve();
    await app.ctx.transaction(async () => {
      later = new Promise((resolve) => setTimeout(resolve, 50)).then(() => ask(app.ctx));
    });
    await assert.rejects(later, (error: Error) => !error.message.includes('inside a transaction'));
    // @ts-expect-error the transaction's own context has no storage
    await assert.rejects(app.ctx.transaction((tx) => tx.storage.readRange('', { offset: 0, length: 1 })));
  });
});
