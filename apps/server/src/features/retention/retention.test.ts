import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { listedRevocations, memorySource, openPdf, verifyPdf } from '@lavra/pades';
import { system } from '../../access/actor.ts';
import { mailedInvitation, signedInAccount, signIn, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { createDraft, samplePdf, signElectronically, startedProcess, type TestDraft } from '../../testing/processes.ts';
import { isChainIntact, listProcessEvents } from '../processes/life/event-chain.ts';
import { checkListsJob } from '../processes/reading/check-lists.job.ts';
import { auditAll } from '../stored-files/audit-blobs.ts';
import { removeForgotten } from '../stored-files/remove-forgotten.ts';
import { removeFiles } from './remove-files.ts';
import { removeOldFilesJob } from './remove-old-files.job.ts';

const DAYS = 30;

/** A company whose administrator is Ana, and which keeps files for thirty days. */
async function companyApp() {
  const app = await startTestApp();
  const installation = await signedInAccount(app, { email: 'instalacao@lavra.com.br' });
  const ana = await signedInAccount(app, { firstName: 'Ana', email: 'ana@empresa.com.br' });
  await app.call(api.companies.create, { token: ana.token, body: { name: 'Empresa', maxTime: DAYS } });
  return { app, ana, installation };
}

describe('files that are kept no longer', () => {
  let app: TestApp;
  let ana: TestAccount;
  let installation: TestAccount;
  before(async () => {
    ({ app, ana, installation } = await companyApp());
  });
  after(() => app.close());

  const token = () => signIn(app, ana);
  const night = () => removeOldFilesJob.run(app.ctx, {});
  const pass = (days: number) => app.clock.advance({ days });
  const eventsOf = async (id: string) => (await listProcessEvents(app.ctx, id)).map(({ type }) => type);
  const isRemoved = async (id: string) => (await eventsOf(id)).includes('files.removed');
  /** Warned a week before, and gone. */
  const past = async () => {
    pass(DAYS - 7);
    await night();
    pass(7);
    await night();
  };
  /** A process that its sender ended at once. */
  const canceled = async (by: TestAccount = ana, bytes?: Buffer) => {
    const as = { ...by, token: await signIn(app, by) };
    const draft = await createDraft(app, as, bytes ? { bytes } : {});
    for (const call of [api.startSignatureProcess, api.cancelProcess])
      assert.equal((await app.call(call, { token: as.token, params: { id: draft.id } })).status, 204);
    return draft;
  };

  describe('of a contract that was signed', () => {
    let draft: TestDraft;
    let documentId: string;
    let signer: { user: string };
    let kept: Buffer;
    let blobs: string[];
    let verdictBefore: unknown;
    /** As the page does: with what the site hands out, and nothing else. */
    const verdictOnCopy = async (copy = kept) => {
      const { body } = await app.call(api.getTrust);
      const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
      const trust = {
        anchors: body.anchors.map(({ certificate, ...anchor }) => ({ ...anchor, certificate: bytes(certificate) })),
        intermediates: body.intermediates.map(bytes),
      };
      const revocations = listedRevocations(body.crls.map(bytes), () => Promise.resolve(null));
      const { signatures } = await verifyPdf(await openPdf(memorySource(new Uint8Array(copy))), {
        trust,
        at: app.clock.now(),
        revocations,
      });
      return signatures.map(({ indication, reasons, coversWholeFile }) => ({ indication, reasons, coversWholeFile }));
    };
    /** The mails that tell of it, by whom they went to. */
    const told = async () => {
      await app.runJobs();
      const mails = (await app.mailbox.list()).filter(({ subject }) => subject.startsWith('Arquivos assinados sairão'));
      return mails.map(({ to, text }) => [String(to), /Contrato da casa: até/.test(text)]).toSorted();
    };
    before(async () => {
      const asAna = { ...ana, token: await token() };
      draft = await startedProcess(app, asAna, { title: 'Contrato da casa' });
      [documentId = ''] = draft.documentIds;
      signer = { user: draft.signerIds[0] ?? '' };
      await signElectronically(app, draft.id, signer.user);
      const params = { processId: draft.id, documentId };
      kept = (await app.call(api.downloadSignature, { token: asAna.token, params })).raw.rawPayload;
      await app.call(api.downloadWithFooter, { token: asAna.token, params: { id: documentId } });
      const { db } = app.ctx;
      const parts = await db.selectFrom('document_revision').select('blob_hash').where('document_id', '=', documentId).execute();
      const copy = await db.selectFrom('document').select('printable_copy_hash').where('id', '=', documentId).executeTakeFirstOrThrow();
      const picture = await db.selectFrom('signature_evidence').select('image_hash').executeTakeFirstOrThrow();
      blobs = [...parts.map((part) => part.blob_hash), copy.printable_copy_hash ?? '', picture.image_hash ?? ''];
      assert.ok(blobs.length >= 5 && !blobs.includes(''));
    });

    it('go after the company’s days, a week after everybody who has them was told, each once', async () => {
      pass(DAYS - 8);
      await night();
      assert.deepEqual(await told(), []);
      pass(1);
      await Promise.all([night(), night()]);
      await night();
      assert.deepEqual(await told(), [
        [ana.email, true],
        ['bia@exemplo.com.br', true],
      ]);
      pass(6);
      await night();
      assert.equal(await isRemoved(draft.id), false);
      pass(1);
      verdictBefore = await verdictOnCopy();
      await Promise.all([night(), night()]);
      await night();
      const events = await listProcessEvents(app.ctx, draft.id);
      assert.ok(isChainIntact(events));
      assert.deepEqual(
        events.filter(({ type }) => type === 'files.removed').map(({ seq }) => seq),
        [events.length],
      );
      const [document] = (events.at(-1)?.data['documents'] ?? []) as { originalHash: string; fileHash: string; bytes: number }[];
      assert.equal(events.at(-1)?.data['reason'], 'retention');
      assert.match(document?.originalHash ?? '', /^[0-9a-f]{64}$/);
      assert.equal(document?.fileHash, createHash('sha256').update(kept).digest('hex'));
      assert.equal((await told()).length, 2);
    });

    it('really leave the storage and its inventory; the evidence report and every hash stay', async () => {
      await removeForgotten(app.ctx);
      for (const hash of blobs) assert.equal(await app.ctx.storage.has(hash), false, hash);
      assert.deepEqual(await app.ctx.db.selectFrom('blob').select('hash').where('hash', 'in', blobs).execute(), []);
      for await (const { fault } of auditAll(app.ctx)) assert.equal(fault, null);
      const evidence = await app.call(api.downloadEvidence, { token: await token(), params: { processId: draft.id, documentId } });
      assert.equal(evidence.status, 200);
      const hashes = await app.ctx.db.selectFrom('removed_file').select('blob_hash').where('document_id', '=', documentId).execute();
      const picture = await app.ctx.db.selectFrom('signature_evidence').select('removed_image_hash').executeTakeFirstOrThrow();
      const stayed = [...hashes.map((row) => row.blob_hash), picture.removed_image_hash];
      assert.deepEqual(stayed.toSorted(), blobs.toSorted());
    });

    it('are told as removed wherever a document was offered, and never as missing', async () => {
      const params = { processId: draft.id, documentId };
      const own = { token: await token() };
      for (const answer of [
        await app.call(api.downloadSignature, { ...own, params }),
        await app.call(api.downloadSignature, { params, query: signer }),
        await app.call(api.downloadOriginal, { ...own, params: { id: documentId } }),
        await app.call(api.downloadWithFooter, { ...own, params: { id: documentId } }),
        await app.call(api.downloadSignaturePage, { ...own, params }),
        await app.call(api.viewDocument, { params: { documentId }, query: signer }),
        await app.call(api.downloadSelection, { ...own, params: { processId: draft.id }, query: { items: documentId } }),
      ])
        assert.deepEqual([answer.status, answer.code], [410, 'document.removed']);
      const list = await app.call(api.getProcessesInfos, own);
      const row = list.body.signatureProcesses.find(({ id }) => id === draft.id);
      assert.ok(row?.filesRemovedDate);
      assert.equal(row.can.download, false);
      const details = await app.call(api.getSubDataProcess, { ...own, params: { processId: draft.id } });
      assert.deepEqual([details.body.filesRemovedDate, details.body.can.download], [row.filesRemovedDate, false]);
      const items = await app.call(api.getDownloadItems, { params: { processId: draft.id }, query: signer });
      assert.deepEqual(
        items.body.items.map(({ kind, available }) => [kind, available]),
        [
          ['document', false],
          ['evidence', true],
        ],
      );
      assert.equal(items.body.filesRemovedDate, row.filesRemovedDate);
      const page = await app.call(api.getRequisitionInformation, { params: { processId: draft.id }, query: signer });
      assert.deepEqual([page.status, page.body.documents, page.body.filesRemovedDate], [200, [], row.filesRemovedDate]);
      assert.deepEqual(await app.ctx.db.selectFrom('storage_fault').selectAll().execute(), []);
    });

    it('are verified by their identifier as what they were, without a verdict on bytes that nobody looked at', async () => {
      const { ticket } = (await app.call(api.loginValidation, { query: { documentId, emailSigner: 'bia@exemplo.com.br' } })).body;
      const query = { documentId, ticket: ticket ?? '' };
      const { body } = await app.call(api.getValidation, { query });
      assert.ok(body.filesRemovedDate);
      assert.deepEqual([body.signers[0]?.status, body.signers[0]?.indication, body.signedDocumentWithEvidencePage], ['SIGNED', null, null]);
      assert.equal(body.signedHash, createHash('sha256').update(kept).digest('hex'));
      assert.match(body.logsProcess.at(-1)?.message ?? '', /^Arquivos removidos/);
      assert.equal((await app.call(api.downloadValidated, { query })).code, 'document.removed');
    });

    it('are verified from the copy that somebody kept with the verdict that they had here', async () => {
      assert.deepEqual(await verdictOnCopy(), verdictBefore);
      const [spoilt, byte] = [Buffer.from(kept), kept.length >> 1];
      spoilt[byte] = (spoilt[byte] ?? 0) ^ 0xff;
      assert.notDeepEqual(await verdictOnCopy(spoilt), verdictBefore);
    });
  });

  it('stay where somebody else’s process holds the same bytes', async () => {
    const bytes = await samplePdf(4);
    const old = await canceled(ana, bytes);
    pass(DAYS - 7);
    await night();
    const young = await canceled(ana, bytes);
    pass(7);
    await night();
    await removeForgotten(app.ctx);
    assert.deepEqual([await isRemoved(old.id), await isRemoved(young.id)], [true, false]);
    const [documentId = ''] = young.documentIds;
    assert.equal((await app.call(api.viewDocument, { token: await token(), params: { documentId } })).status, 200);
  });

  it('are never those of a process that runs, however old it is', async () => {
    const running = await createDraft(app, { token: await token() });
    await app.call(api.startSignatureProcess, { token: await token(), params: { id: running.id } });
    pass(DAYS * 3);
    await night();
    pass(8);
    await night();
    assert.equal(await isRemoved(running.id), false);
    await assert.rejects(removeFiles(app.ctx, system, { signatureProcessId: running.id, reason: 'retention' }), {
      code: 'process.inProgress',
    });
    await app.call(api.cancelProcess, { token: await token(), params: { id: running.id } });
    await past();
    assert.equal(await isRemoved(running.id), true);
  });

  it('do not go before their week when the days are shortened, nor at all when they are prolonged meanwhile', async () => {
    const draft = await canceled();
    const bound = async (maxTime: number) => {
      const params = { maxDocSize: 50, maxTime };
      assert.equal((await app.call(api.retention, { token: await token(), params })).status, 200);
    };
    pass(3);
    await bound(1);
    await night();
    pass(6);
    await night();
    assert.equal(await isRemoved(draft.id), false);
    await bound(365);
    pass(1);
    await night();
    assert.equal(await isRemoved(draft.id), false);
    await bound(DAYS);
    await past();
    assert.equal(await isRemoved(draft.id), true);
  });

  it('are those that a member sent since they joined: what was before is theirs', async () => {
    const eva = await signedInAccount(app, { firstName: 'Eva', email: 'eva@empresa.com.br' });
    const own = await canceled(eva);
    app.clock.advance({ minutes: 1 });
    await app.call(api.inviteCompany, { token: await token(), body: { emails: [eva.email] } });
    await app.runJobs();
    await app.call(api.acceptInviteCompany, { token: eva.token, params: await mailedInvitation(app, eva.email) });
    const companys = await canceled(eva);
    await past();
    assert.deepEqual([await isRemoved(own.id), await isRemoved(companys.id)], [false, true]);
  });

  describe('of who belonged to the company when they sent them', () => {
    /** Somebody whom Ana, or who else is named, asked into their company, and who came. */
    const joined = async (email: string, by = ana) => {
      const account = await signedInAccount(app, { firstName: 'Fábio', email });
      app.clock.advance({ minutes: 1 });
      await app.call(api.inviteCompany, { token: await signIn(app, by), body: { emails: [email] } });
      await app.runJobs();
      await app.call(api.acceptInviteCompany, { token: account.token, params: await mailedInvitation(app, email) });
      app.clock.advance({ minutes: 1 });
      return account;
    };
    const leave = async (account: TestAccount) => {
      app.clock.advance({ minutes: 1 });
      const { company } = (await app.call(api.getAccount, { token: await signIn(app, account) })).body;
      const params = { companyId: company?.id ?? '', userId: account.id };
      assert.equal((await app.call(api.removeUser, { token: await token(), params })).status, 200);
    };

    it('go though their sender has left it, after the days that held then; what they send afterwards is theirs', async () => {
      const fabio = await joined('fabio@empresa.com.br');
      const companys = await canceled(fabio);
      await leave(fabio);
      app.clock.advance({ minutes: 1 });
      const own = await canceled(fabio);
      await past();
      assert.deepEqual([await isRemoved(companys.id), await isRemoved(own.id)], [true, false]);
    });

    it('go though their sender was erased, and whoever signed is told why they are written to', async () => {
      const gil = await joined('gil@empresa.com.br');
      const signed = await startedProcess(app, gil, { title: 'Do Gil', signers: [{ name: 'Hugo Reis', email: 'hugo@exemplo.com.br' }] });
      await signElectronically(app, signed.id, signed.signerIds[0] ?? '');
      await app.runJobs();
      app.clock.advance({ minutes: 1 });
      const erased = await app.call(api.erasePersonalData, {
        token: await signIn(app, installation),
        params: { id: gil.id },
        body: { email: gil.email },
      });
      assert.equal(erased.status, 204, erased.raw.body);
      await past();
      await app.runJobs();
      assert.equal(await isRemoved(signed.id), true);
      const [mail] = (await app.mailbox.list()).filter(({ to, text }) => to === 'hugo@exemplo.com.br' && text.includes('Do Gil: até'));
      assert.match(mail?.text ?? '', /porque participa de um processo de assinatura/);
    });

    it('go though the company is no more', async () => {
      const iris = await signedInAccount(app, { firstName: 'Íris', email: 'iris@terceira.com.br' });
      const { body } = await app.call(api.companies.create, { token: iris.token, body: { name: 'Terceira', maxTime: DAYS } });
      const draft = await canceled(iris);
      app.clock.advance({ minutes: 1 });
      const deleted = await app.call(api.companies.remove, { token: await signIn(app, installation), params: { id: body.id } });
      assert.equal(deleted.status, 204, deleted.raw.body);
      await past();
      assert.equal(await isRemoved(draft.id), true);
    });

    it('go after the days of its contract though the company is no more, whoever the contract is of', async () => {
      const owner = await signedInAccount(app, { firstName: 'Lia', email: 'lia@quarta.com.br' });
      const { body } = await app.call(api.companies.create, { token: owner.token, body: { name: 'Quarta' } });
      const people = [owner];
      for (const email of ['mario@quarta.com.br', 'nina@quarta.com.br']) people.push(await joined(email, owner));
      const asInstallation = await signIn(app, installation);
      const contract = {
        validity: '2040-01-01T00:00:00Z',
        paymentType: '1',
        storageRetentionTime: '10',
        applicationUsers: { id: owner.id },
      };
      assert.equal((await app.call(api.contracts.create, { token: asInstallation, body: contract })).status, 201);
      const drafts = [];
      for (const person of people) drafts.push(await canceled(person));
      app.clock.advance({ minutes: 1 });
      assert.equal((await app.call(api.companies.remove, { token: asInstallation, params: { id: body.id } })).status, 204);
      for (const days of [3, 7]) {
        pass(days);
        await night();
      }
      assert.deepEqual(await Promise.all(drafts.map(({ id }) => isRemoved(id))), [true, true, true]);
    });

    it('go after the days of the contract that covered the company, where they are fewer', async () => {
      const joel = await joined('joel@empresa.com.br');
      const contract = { validity: '2040-01-01T00:00:00Z', paymentType: '1', storageRetentionTime: '10', applicationUsers: { id: ana.id } };
      const { body } = await app.call(api.contracts.create, { token: await signIn(app, installation), body: contract });
      const draft = await canceled(joel);
      await leave(joel);
      await app.call(api.contracts.remove, { token: await signIn(app, installation), params: { id: body.id } });
      for (const days of [3, 7]) {
        pass(days);
        await night();
      }
      assert.equal(await isRemoved(draft.id), true);
    });
  });

  it('go when the contract that covers their owner keeps them no longer, its own days or the company’s, whichever end first', async () => {
    const rui = await signedInAccount(app, { firstName: 'Rui', email: 'rui@outra.com.br' });
    await app.call(api.contracts.create, {
      token: await signIn(app, installation),
      body: { validity: '2040-01-01T00:00:00Z', paymentType: '1', storageRetentionTime: '10', applicationUsers: { id: rui.id } },
    });
    const draft = await canceled(rui);
    pass(3);
    await night();
    pass(6);
    await night();
    assert.equal(await isRemoved(draft.id), false);
    pass(1);
    await night();
    assert.equal(await isRemoved(draft.id), true);
  });

  it('give back the room that they took of their owner’s, and leave lists, counters and log as one', async () => {
    const { db } = app.ctx;
    const room = async () => {
      const row = await db.selectFrom('upload_usage').select('total_bytes').where('user_id', '=', ana.id).executeTakeFirstOrThrow();
      return Number(row.total_bytes);
    };
    await past();
    const empty = await room();
    await canceled();
    assert.ok((await room()) > empty);
    await past();
    assert.equal(await room(), empty);
    const listed = () => db.selectFrom('listed_process').selectAll().orderBy('signature_process_id').orderBy('user_id').execute();
    const before = await listed();
    await checkListsJob.run(app.ctx, {});
    assert.deepEqual(await listed(), before);
  });
});
