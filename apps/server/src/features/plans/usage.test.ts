import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@lavra/api';
import { limits } from '@lavra/domain';
import { sql } from 'kysely';
import { compose, type Installation } from '../../compose.ts';
import { mailedInvitation, signedInAccount, signIn, type TestAccount } from '../../testing/accounts.ts';
import { type CallAnswer, makeCall, startTestApp, type TestApp } from '../../testing/app.ts';
import { until } from '../../testing/certificate-acts.ts';
import { contractOf, countedByEvents, countedOn, type Quotas } from '../../testing/contracts.ts';
import { createDraft, samplePdf, sendElectronically, type TestDraft, upload } from '../../testing/processes.ts';
import { removeFilesOfProcess } from '../documents/removed-files.ts';
import { checkUsageJob } from '../processes/reading/check-usage.job.ts';
import { sweepDraftsJob } from '../processes/creation/sweep-drafts.job.ts';
import { expireProcessesJob } from '../processes/life/expire-processes.job.ts';

const bia = { name: 'Bia Lima', email: 'bia@exemplo.com.br', order: 0 };
const caio = { name: 'Caio Reis', email: 'caio@exemplo.com.br', order: 0 };
const davi = { name: 'Davi Melo', email: 'davi@exemplo.com.br', order: 0 };

describe('the usage of a contract', () => {
  let app: TestApp;
  let admin: TestAccount;
  let bytes: Buffer;
  before(async () => {
    app = await startTestApp();
    admin = await signedInAccount(app);
    bytes = await samplePdf(1);
  });
  after(() => app.close());

  interface Covered {
    ana: TestAccount;
    contract: { id: number; typeId: number };
  }
  /** Somebody with a contract of these quotas. */
  async function covered(quotas: Quotas = {}): Promise<Covered> {
    const ana = await signedInAccount(app);
    return { ana, contract: await contractOf(app, admin, ana, quotas) };
  }
  /** The one before, with another contract in the place of theirs. */
  async function coveredAnew({ ana, contract }: Covered, quotas: Quotas): Promise<Covered> {
    assert.equal((await app.call(api.contracts.remove, { token: admin.token, params: { id: contract.id } })).status, 204);
    return { ana, contract: await contractOf(app, admin, ana, quotas) };
  }
  const draftOf = (ana: TestAccount, signers = [bia], dueDate: string | null = null) => createDraft(app, ana, { signers, dueDate, bytes });
  const start = ({ token }: TestAccount, { id }: { id: string }) => app.call(api.startSignatureProcess, { token, params: { id } });
  const cancel = ({ token }: TestAccount, { id }: { id: string }) => app.call(api.cancelProcess, { token, params: { id } });
  const reject = (draft: TestDraft) =>
    app.call(api.createSignatureRejected, { body: { processId: draft.id, signerId: draft.signerIds[0] ?? '', rejectCause: 'Não é isto' } });
  const act = (draft: Pick<TestDraft, 'id' | 'signerIds'>, index = 0, { name } = bia) =>
    sendElectronically(app, draft.id, draft.signerIds[index] ?? '', { name });
  const paramsOf = ({ raw }: CallAnswer<api.Call>) => raw.json<{ params: object }>().params;
  const nothing = { documents: 0, digital: 0, electronic: 0, storage: 0, digitalReserved: 0, electronicReserved: 0 };

  it('is documents uploaded, bytes stored and signatures finished, each once; a save begins anew; every night it is what the events tell', async () => {
    const { ana, contract } = await covered();
    const counted = () => countedOn(app, contract.id);
    const dueDate = new Date(app.clock.now().getTime() + 2 * 86_400_000).toISOString();
    const [signed, canceled, rejected, expired] = [
      await draftOf(ana, [bia, caio, davi]),
      await draftOf(ana, [bia, caio]),
      await draftOf(ana),
      await draftOf(ana, [bia], dueDate),
    ];
    for (const draft of [signed, canceled, rejected, expired]) assert.equal((await start(ana, draft)).status, 204);
    assert.equal((await start(ana, signed)).status, 204, 'told again, nothing is reserved again');
    const reserved = await counted();
    assert.deepEqual(reserved, { ...nothing, documents: 4, storage: 4 * bytes.length, electronicReserved: 7 });
    await app.runJobs();
    const prepared = await counted();
    assert.ok(prepared.storage > reserved.storage, 'pages and fields are stored too');

    assert.deepEqual([(await act(signed)).status, (await act(canceled)).status], [204, 204]);
    await app.runJobs();
    await cancel(ana, canceled);
    assert.equal((await reject(rejected)).status, 204);
    const acted = await counted();
    assert.deepEqual(
      [acted.documents, acted.electronic, acted.electronicReserved],
      [4, 2, 3],
      'what was signed stays; what ended without is free again',
    );
    assert.deepEqual(acted, await countedByEvents(app, [ana]));
    const shown = await app.call(api.contracts.get, { token: admin.token, params: { id: contract.id } });
    assert.deepEqual([shown.body.uploadedDocuments, shown.body.eletronicSinaturesDone, shown.body.storageUsed > 0], [4, 2, true]);

    await app.ctx.transaction((tx) => removeFilesOfProcess(tx, canceled.id));
    const removed = await counted();
    assert.deepEqual(removed, await countedByEvents(app, [ana]));
    assert.ok(
      removed.storage < acted.storage && removed.documents === 4,
      'what is kept no longer takes no space; it was uploaded all the same',
    );

    await breakUsage(contract.id, { ended: canceled.id, running: signed.id });
    await checkUsageJob.run(app.ctx, {});
    assert.deepEqual(await counted(), removed);
    for (let again = 0; again < 2; again += 1) {
      const { body } = await app.call(api.listAuditEvents, { token: admin.token, query: { kind: 'contract.recounted' } });
      assert.deepEqual(
        body.items.map(({ subject, details }) => [subject, details?.['documents']]),
        [[`contracts/${contract.id}`, { from: 40, to: 4 }]],
        'once: what is right is left alone',
      );
      await checkUsageJob.run(app.ctx, {});
    }

    const saved = await app.call(api.contracts.update, {
      token: admin.token,
      params: { id: contract.id },
      body: { validity: '2099-01-31T15:00:00.000Z' },
    });
    assert.equal(saved.status, 200, saved.raw.body);
    assert.deepEqual(await counted(), { ...nothing, electronicReserved: 3 });
    assert.equal((await act(signed, 1, caio)).status, 204);
    await app.runJobs();
    app.clock.advance({ days: 3 });
    await expireProcessesJob.run(app.ctx, {});
    const renewed = await counted();
    assert.deepEqual(renewed, { ...nothing, electronic: 1, electronicReserved: 1 }, 'reserved before, signed now: it counts now');
    await checkUsageJob.run(app.ctx, {});
    assert.deepEqual(await counted(), renewed);
    admin.token = await signIn(app, admin);
  });

  /** By hand: counters that are no sums, and acts that stand otherwise than they happened, or not at all. */
  async function breakUsage(contractId: number, { ended, running }: { ended: string; running: string }): Promise<void> {
    const { db } = app.ctx;
    await sql`update contract_usage set state = 'reserved' where signature_process_id = ${ended}`.execute(db);
    await sql`update contract_usage set state = 'released' where signature_process_id = ${running}`.execute(db);
    await sql`update contract_usage set amount = amount + 5 where contract_id = ${contractId} and kind = 'storage'`.execute(db);
    await sql`delete from contract_usage where subject_id = (
      select subject_id from contract_usage where signature_process_id = ${running} limit 1)`.execute(db);
    await sql`
      update contract set uploaded_documents = 40, electronic_signatures_done = 0, storage_used = 7, electronic_reserved = 1
      where id = ${contractId}`.execute(db);
  }

  it('counts no document that is thrown away unused, and none that a refused file never became', async () => {
    const { ana, contract } = await covered();
    await upload(app, ana.token, [{ name: 'um.pdf', bytes }]);
    assert.equal((await upload(app, ana.token, [{ name: 'nada.pdf', bytes: Buffer.from('nada') }])).status, 400);
    assert.deepEqual(await countedOn(app, contract.id), { ...nothing, documents: 1, storage: bytes.length });
    app.clock.advance({ hours: limits.draftLifetimeHours + 1 });
    await sweepDraftsJob.run(app.ctx, {});
    assert.deepEqual(await countedOn(app, contract.id), nothing);
    admin.token = await signIn(app, admin);
  });

  it('is held to the plan: no document, byte or signature more than it has, with a sentence that says what is left', async () => {
    const { ana, contract } = await covered({ documents: '2', storage: '1' });
    assert.equal((await upload(app, ana.token, [{ name: 'um.pdf', bytes }])).status, 200);
    const two = ['dois.pdf', 'três.pdf'].map((name) => ({ name, bytes }));
    const many = await upload(app, ana.token, two);
    assert.deepEqual([many.status, many.code, paramsOf(many)], [409, 'contract.documentsUsedUp', { max: 2, left: 1, asked: 2 }]);
    assert.match(many.raw.json<{ detail: string }>().detail, /é 2: restam 1, e este envio precisa de 2/);
    const long = await upload(app, ana.token, [{ name: 'longo.pdf', bytes: Buffer.concat([bytes, Buffer.alloc(1024 * 1024, '\n')]) }]);
    assert.deepEqual([long.status, long.code, paramsOf(long)], [409, 'contract.storageUsedUp', { max: 1, left: 0, asked: 2 }]);
    assert.equal((await upload(app, ana.token, [{ name: 'dois.pdf', bytes }])).status, 200, 'and nothing of those was counted');
    const few = await coveredAnew({ ana, contract }, { eletronicSignatures: '1' });
    const draft = await draftOf(few.ana, [bia, caio]);
    const refused = await start(few.ana, draft);
    assert.deepEqual(
      [refused.status, refused.code, paramsOf(refused)],
      [409, 'contract.electronicSignaturesUsedUp', { max: 1, left: 1, asked: 2 }],
    );
    const row = await app.ctx.db.selectFrom('signature_process').select('status').where('id', '=', draft.id).executeTakeFirst();
    assert.equal(row?.status, 'DRAFT', 'it stays a draft, and nothing of it is reserved');
    assert.equal((await countedOn(app, few.contract.id)).electronicReserved, 0);

    const { id } = (await coveredAnew(few, { digitalSignatures: '1', eletronicSignatures: '0' })).contract;
    const [one, other] = [await draftOf(ana), await draftOf(ana)];
    await app.ctx.db.updateTable('signature_process').set({ modality: 'digital' }).where('id', 'in', [one.id, other.id]).execute();
    assert.equal((await start(ana, one)).status, 204);
    assert.equal((await start(ana, other)).code, 'contract.digitalSignaturesUsedUp');
    await markSigned(one.id);
    const { digital, digitalReserved, electronic } = await countedOn(app, id);
    assert.deepEqual([digital, digitalReserved, electronic], [1, 0, 0], 'signatures with certificates have a quota of their own');
  });

  /** What every way to sign writes in its transaction, alone. */
  const markSigned = (processId: string) =>
    app.ctx.db.updateTable('signature').set({ status: 'SIGNED' }).where('signature_process_id', '=', processId).execute();

  it('counts a signature once, however often it is told, and none is lost to a save at the same moment', async () => {
    const { ana, contract } = await covered();
    const draft = await draftOf(ana, [bia, caio]);
    await start(ana, draft);
    let signing: Promise<unknown> = Promise.resolve();
    await app.ctx.db.transaction().execute(async (saving) => {
      await sql`select from contract where id = ${contract.id} for update`.execute(saving);
      signing = markSigned(draft.id);
      await until(waitingActs, (waiting) => waiting > 0);
      await sql`
        update contract set uploaded_documents = 0, electronic_signatures_done = 0, storage_used = 0, period = period + 1
        where id = ${contract.id}`.execute(saving);
    });
    await signing;
    const counted = { ...nothing, electronic: 2 };
    assert.deepEqual(await countedOn(app, contract.id), counted, 'it waited, and counts in the period that the save began');
    await app.ctx.db.updateTable('signature').set({ status: 'SENT' }).where('signature_process_id', '=', draft.id).execute();
    await markSigned(draft.id);
    assert.deepEqual(await countedOn(app, contract.id), counted);
  });
  async function waitingActs(): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(app.ctx.db);
    return rows[0]?.n ?? 0;
  }

  it('is shared by the people of a company: their signatures are counted together, and all are warned from 80 % of the plan, and over it', async () => {
    const { ana } = await covered({ eletronicSignatures: '5', digitalSignatures: '100' });
    const eva = await signedInAccount(app, { email: `eva.${ana.id}@empresa.com.br` });
    await app.call(api.companies.create, { token: ana.token, body: { name: 'Empresa' } });
    await app.call(api.inviteCompany, { token: ana.token, body: { emails: [eva.email] } });
    const alert = ({ token }: TestAccount) => app.call(api.checkUsageAlert, { token }).then(({ body }) => body);
    assert.deepEqual(await alert(eva), { shouldAlert: false, currentSignatures: 0, planSignatures: null, type: null });
    await app.call(api.acceptInviteCompany, { token: eva.token, params: await mailedInvitation(app, eva.email) });
    const quiet = { shouldAlert: false, currentSignatures: 2, planSignatures: 5, type: 'ELETRONIC_SIGNATURE' as const };
    assert.equal((await start(ana, await draftOf(ana, [bia, caio]))).status, 204);
    assert.deepEqual([await alert(ana), await alert(eva)], [quiet, quiet]);
    const last = await draftOf(eva, [bia, caio]);
    await start(eva, last);
    const loud = { ...quiet, shouldAlert: true, currentSignatures: 4 };
    assert.deepEqual([await alert(ana), await alert(eva)], [loud, loud]);
    const over = await draftOf(ana, [bia, caio]);
    assert.equal((await start(ana, over)).code, 'contract.electronicSignaturesUsedUp');
    await cancel(eva, last);
    assert.equal((await start(ana, over)).status, 204);
  });

  it('is told as used up to who repeats a start by its key, too, and nothing is started', async () => {
    const { ana } = await covered({ eletronicSignatures: '1' });
    const { id } = await draftOf(ana, [bia, caio]);
    for (const _ of [1, 2]) {
      const headers = { 'Idempotency-Key': `start ${id}` };
      const { code } = await app.call(api.startSignatureProcess, { token: ana.token, params: { id }, headers });
      assert.equal(code, 'contract.electronicSignaturesUsedUp');
    }
  });

  it('is told by mail to who left a draft to start by itself, once, with the numbers', async () => {
    const { ana } = await covered({ eletronicSignatures: '1' });
    await draftOf(ana, [bia, caio]);
    for (const _ of [1, 2]) {
      app.clock.advance({ seconds: 61 });
      await sweepDraftsJob.run(app.ctx, {});
      await app.runJobs();
    }
    const told = (await app.mailbox.list()).filter(
      ({ to, subject }) => to === ana.email && subject.startsWith('Precisamos da sua atenção'),
    );
    assert.equal(told.length, 1);
    assert.match(told[0]?.text ?? '', /contrato da sua empresa é 1: restam 1, e este processo precisa de 2/);
  });

  it('leaves places for so many users as the plan has: nobody more is asked in, and of two who come for the last one gets it', async () => {
    const { ana, contract } = await covered({ accountUsersLimit: '3' });
    const addressOf = (name: string) => ({ email: `${name}.${contract.id}@empresa.com.br` });
    const [eva, gil] = [await signedInAccount(app, addressOf('eva')), await signedInAccount(app, addressOf('gil'))];
    const rui = addressOf('rui');
    await app.call(api.companies.create, { token: ana.token, body: { name: 'Três lugares' } });
    const invite = (...who: { email: string }[]) =>
      app.call(api.inviteCompany, { token: ana.token, body: { emails: who.map(({ email }) => email) } });
    const three = await invite(eva, gil, rui);
    assert.deepEqual([three.status, three.code, paramsOf(three)], [409, 'contract.accountUsersUsedUp', { max: 3, left: 2, asked: 3 }]);
    assert.equal((await invite(eva, gil)).status, 200);
    // One mail after the other: the newest is the one that counts.
    await app.runJobs();
    assert.equal((await invite(gil)).status, 200, 'who was asked is asked again');
    assert.equal((await invite(rui)).code, 'contract.accountUsersUsedUp');
    const lower = { id: contract.typeId, name: `Dois lugares ${contract.id}`, accountUsersLimit: '2' };
    await app.call(api.contractTypes.update, { token: admin.token, params: { id: contract.typeId }, body: lower });
    const asked: { who: TestAccount; params: Awaited<ReturnType<typeof mailedInvitation>> }[] = [];
    for (const who of [eva, gil]) asked.push({ who, params: await mailedInvitation(app, who.email) });
    const came = await Promise.all(asked.map(({ who, params }) => app.call(api.acceptInviteCompany, { token: who.token, params })));
    assert.deepEqual(came.map(({ status, code }) => `${status} ${code ?? ''}`).toSorted(), ['200 ', '409 invitation.companyFull']);
  });

  describe('over two programs', () => {
    let second: Installation;
    let nodes: Pick<TestApp, 'call' | 'inject'>[];
    before(async () => {
      const { config, publicUrl } = app.ctx;
      const here = { config: { ...config }, connection: app.connection, publicUrl, clock: app.clock, timestamps: null };
      second = await compose({ ...here, mailboxUrl: null, background: true });
      nodes = [app.installation, second].map(({ app: node }) => {
        const inject: TestApp['inject'] = (request) => node.inject(request);
        return { inject, call: (call, input = {}) => makeCall(inject, call, input) };
      });
    });
    after(() => second.close());
    const nodeOf = (n: number) => nodes[n % 2] ?? assert.fail();
    const drainBoth = () => Promise.all([app.installation.queue.drain(app.ctx), second.queue.drain(second.ctx)]);

    /** A program that has too much to do says so; whoever asked comes again. */
    async function comingAgain<A extends { code: string | undefined }>(ask: () => Promise<A>): Promise<A> {
      return until(ask, ({ code }) => code !== 'server.busy');
    }

    it('never passes the plan, and is what happened, however many act at once and on which: uploads, starts, signatures, ends', async () => {
      const { ana, contract } = await covered({ documents: '4', eletronicSignatures: '6' });
      const { token } = ana;
      const uploads = await Promise.all(
        [0, 1, 2, 3, 4, 5].map((n) => comingAgain(() => upload(nodeOf(n), token, [{ name: `${n}.pdf`, bytes }]))),
      );
      const kept = uploads.flatMap(({ status, body }) => (status === 200 ? body : []));
      assert.equal(kept.length, 4, 'six came for four places');
      assert.deepEqual(new Set(uploads.flatMap(({ code }) => code ?? [])), new Set(['contract.documentsUsedUp']));
      const drafts = await Promise.all(kept.map(({ id }, n) => openDraft(nodeOf(n), token, id)));
      const started = await Promise.all(
        drafts.map(({ id }, n) => nodeOf(n + 1).call(api.startSignatureProcess, { token, params: { id } })),
      );
      const [one, two, three, ...others] = drafts.filter((_, n) => started[n]?.status === 204);
      assert.ok(one && two && three && others.length === 0, 'four with two signatures each came for six');
      assert.deepEqual(new Set(started.flatMap(({ code }) => code ?? [])), new Set(['contract.electronicSignaturesUsedUp']));
      await drainBoth();
      await Promise.all([
        act(one).then(drainBoth),
        act(two).then(() => nodeOf(1).call(api.cancelProcess, { token, params: { id: two.id } })),
        reject({ ...three, documentIds: [] }),
      ]);
      await drainBoth();
      const counted = await countedOn(app, contract.id);
      assert.deepEqual(counted, await countedByEvents(app, [ana]));
      assert.deepEqual([counted.documents, counted.electronicReserved], [4, 1]);
      await checkUsageJob.run(second.ctx, {});
      assert.deepEqual(await countedOn(app, contract.id), counted);
    });

    async function openDraft(node: Pick<TestApp, 'call'>, token: string, documentId: string) {
      const whole = { title: 'Contrato', dueDate: null, reminderIn: null, geolocation: 'optional' } as const;
      const { body } = await node.call(api.createSignatureProcess, {
        token,
        body: { ...whole, type: 'ELETRONIC_SIGNATURE', files: [{ id: documentId }] },
      });
      const signerIds: string[] = [];
      for (const signer of [bia, caio]) {
        const added = await node.call(api.createSigner, {
          token,
          body: { signer: { ...signer, signatureProcess: { id: body.id } }, signatureVisibleActive: false, visibleSignature: [] },
        });
        signerIds.push(added.body.id);
      }
      return { id: body.id, signerIds };
    }
  });

  it('is counted of an upload after its account, as whoever changes both holds them: neither waits for the other for ever', async () => {
    const { ana, contract } = await covered();
    const waiting = async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        app.ctx.db,
      );
      return rows[0]?.n;
    };
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = app.ctx.db.transaction().execute(async (trx) => {
      await sql`select from contract where id = ${contract.id} for no key update`.execute(trx);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    const uploaded = upload(app, ana.token, [{ name: 'contrato.pdf', bytes }]);
    for (let looks = 0; looks < 500 && (await waiting()) !== 1; looks += 1) await sleep(20);
    const changed = sql`update app_user set email = ${`outra.${ana.email}`} where id = ${ana.id}`.execute(app.ctx.db);
    for (let looks = 0; looks < 500 && (await waiting()) !== 2; looks += 1) await sleep(20);
    assert.equal(await waiting(), 2);
    released.resolve();
    const [answer] = await Promise.all([uploaded, changed, holding]);
    assert.equal(answer.status, 200, answer.raw.body);
  });
});
