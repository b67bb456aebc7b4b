import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { terminalWords } from '../../language/terminal.ts';
import { system } from '../../access/actor.ts';
import { type TestAccount, signedInAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { blobsOf, revisionHash } from '../../testing/blobs.ts';
import { until } from '../../testing/certificate-acts.ts';
import { exhaustJobs } from '../../testing/jobs.ts';
import { sendElectronically, signElectronically, samplePdf, startedProcess, upload } from '../../testing/processes.ts';
import { blobEntries, countStorageFaults, noteFault, noteStored } from '../../storage/blobs.store.ts';
import { blobKey } from '../../storage/blob-place.ts';
import { putBytes, putFresh } from '../../storage/blob-store.ts';
import { healthComponents } from '../management/health-components.ts';
import { prepareDocumentsJob } from '../signing/prepare-documents.job.ts';
import { auditFaults, auditSlice } from './audit-blobs.ts';
import { writeAuditReport } from './write-audit-report.ts';
import { removeForgotten } from './remove-forgotten.ts';
import { auditStorageJob, watchStorageFaultsJob } from './stored-files.job.ts';
import { findInventoryRow, whileForgotten } from './stored-files.store.ts';

let app: TestApp;
let ana: TestAccount;
// Inside: hooks beside it would run when the whole program ends, with every installation open until then.
describe('stored files', () => {
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  const healthOf = (name: string) =>
    healthComponents(app.ctx, { ping: () => Promise.resolve(), proxyMisfit: () => null, listsCopy: null })
      .find((one) => one.name === name)
      ?.check();

  /** Faults that nothing holds up any more are over; one that was just met is noted a moment later. */
  async function allHealed(): Promise<void> {
    for (let round = 0; round < 50; round += 1) {
      await auditFaults(app.ctx);
      if ((await countStorageFaults(app.ctx)) === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.fail('a fault stays');
  }

  /** What its owner is shown of a process that does not go on. */
  const problemOf = async (id: string) =>
    (await app.call(api.getSubDataProcess, { token: ana.token, params: { processId: id } })).body.problem;
  const processOf = async (id: string) => (await app.call(api.getSignatureProcess, { token: ana.token, params: { id } })).body;
  const statusOf = async (processId: string, signerId: string) =>
    (await app.call(api.getSignatureStatus, { params: { processId, signerId } })).body;

  describe('a stored file that is missing or was changed', () => {
    for (const harm of ['flip', 'cut', 'lose'] as const) {
      it(`is never signed (${harm}): signer and owner see why, and it goes on by itself when the file is given back`, async () => {
        const { id, signerIds, documentIds } = await startedProcess(app, ana);
        const [signer = '', document = ''] = [signerIds[0], documentIds[0]];
        const hash = await revisionHash(app, document, 'preparation');
        const bytes = await blobsOf(app).read(hash);
        await blobsOf(app)[harm](hash);
        assert.equal((await sendElectronically(app, id, signer)).status, 204);
        await app.runJobs();
        assert.deepEqual(await statusOf(id, signer).then(({ status, reason }) => [status, reason]), ['SIGNING', 'storage.damaged']);
        // Whoever met it does not wait for the books.
        await until(
          () => problemOf(id),
          (problem) => problem === 'storage.damaged',
        );
        const kinds = await app.ctx.db.selectFrom('document_revision').select('kind').where('document_id', '=', document).execute();
        assert.deepEqual(kinds.map(({ kind }) => kind).toSorted(), ['preparation', 'upload']);
        await blobsOf(app).giveBack(hash, bytes);
        await watchStorageFaultsJob.run(app.ctx, {});
        assert.equal(await problemOf(id), null);
        await exhaustJobs(app, 'sign-electronic');
        assert.equal((await statusOf(id, signer)).status, 'SIGNED');
        assert.equal((await processOf(id)).status, 'FINALIZED_WITH_SUCCESS');
      });
    }

    it('is neither prepared nor sealed, and neither shown, downloaded, packed nor verified: each says so with its own code', async () => {
      const finished = await startedProcess(app, ana, { signers: [{ name: 'Bia Lima', email: 'bia@exemplo.com.br' }] });
      await signElectronically(app, finished.id, finished.signerIds[0] ?? '');
      const documentId = finished.documentIds[0] ?? '';
      const hash = await revisionHash(app, documentId, 'signature');
      const { evidence_report_hash: report } = await app.ctx.db
        .selectFrom('signature_process')
        .select('evidence_report_hash')
        .where('id', '=', finished.id)
        .executeTakeFirstOrThrow();
      const { token } = ana;
      const entered = await app.call(api.loginValidation, { query: { documentId, emailSigner: 'bia@exemplo.com.br' } });
      const ticket = entered.body.ticket ?? '';
      const reads = () =>
        Promise.all([
          app.call(api.viewDocument, { token, params: { documentId } }),
          app.call(api.downloadSignature, { token, params: { processId: finished.id, documentId } }),
          app.call(api.downloadSelection, { token, params: { processId: finished.id }, query: { items: `${documentId},evidence` } }),
          app.call(api.getValidation, { query: { documentId, ticket } }),
          app.call(api.downloadValidated, { query: { documentId, ticket } }),
        ]);
      for (const { status } of await reads()) assert.equal(status, 200);
      await blobsOf(app).flip(hash, 10);
      for (const { status, code, raw } of await reads()) {
        assert.deepEqual([status, code], [500, 'storage.damaged']);
        assert.doesNotMatch(raw.json().detail, /storage\./);
      }
      assert.equal((await app.call(api.downloadOriginal, { token, params: { id: documentId } })).status, 200);
      const copy = await blobsOf(app).read(report ?? '');
      await blobsOf(app).lose(report ?? '');
      const evidence = await app.call(api.downloadEvidence, { token, params: { processId: finished.id, documentId: finished.id } });
      assert.equal(evidence.code, 'storage.damaged');
      await blobsOf(app).flip(hash, 10);
      await blobsOf(app).giveBack(report ?? '', copy);
      await allHealed();
    });

    it('stops the preparation with its reason, and the seal, whose picture it may be as well', async () => {
      const draft = await startedProcess(app, ana);
      await app.ctx.db.updateTable('signature_process').set({ prepared_at: null }).where('id', '=', draft.id).execute();
      const uploaded = await revisionHash(app, draft.documentIds[0] ?? '', 'upload');
      const bytes = await blobsOf(app).read(uploaded);
      await blobsOf(app).flip(uploaded, 20);
      await assert.rejects(prepareDocumentsJob.run(app.ctx, { signatureProcessId: draft.id }), /a stored file is damaged/);
      await blobsOf(app).giveBack(uploaded, bytes);

      const signed = await startedProcess(app, ana);
      await sendElectronically(app, signed.id, signed.signerIds[0] ?? '');
      const { image_hash: picture } = await app.ctx.db
        .selectFrom('signature_evidence')
        .select('image_hash')
        .where('signer_id', '=', signed.signerIds[0] ?? '')
        .executeTakeFirstOrThrow();
      const drawn = await blobsOf(app).read(picture ?? '');
      await blobsOf(app).cut(picture ?? '');
      await app.runJobs();
      assert.equal((await statusOf(signed.id, signed.signerIds[0] ?? '')).reason, 'storage.damaged');
      await blobsOf(app).giveBack(picture ?? '', drawn);
      await exhaustJobs(app, 'sign-electronic');
      assert.equal((await processOf(signed.id)).status, 'FINALIZED_WITH_SUCCESS');
      await auditFaults(app.ctx);
    });

    it('is whole again when the same bytes are uploaded again', async () => {
      for (const harm of ['flip', 'cut', 'lose'] as const) {
        const bytes = await samplePdf(3);
        const first = await upload(app, ana.token, [{ name: 'a.pdf', bytes }]);
        const [document] = first.body;
        await blobsOf(app)[harm](document?.hash ?? '');
        const again = () => app.call(api.downloadOriginal, { token: ana.token, params: { id: document?.id ?? '' } });
        assert.equal((await again()).code, 'storage.damaged', harm);
        assert.equal((await upload(app, ana.token, [{ name: 'b.pdf', bytes }])).status, 200);
        assert.deepEqual((await again()).raw.rawPayload, bytes, harm);
      }
    });

    it('is told to the administrators, once, in a mail that names it by the beginning of its hash', async () => {
      const bytes = await samplePdf(4);
      const { body } = await upload(app, ana.token, [{ name: 'x.pdf', bytes }]);
      const hash = body[0]?.hash ?? '';
      await app.ctx.db
        .updateTable('app_user')
        .set({ authorities: ['ROLE_USER', 'ROLE_ADMIN'] })
        .where('id', '=', ana.id)
        .execute();
      await auditFaults(app.ctx);
      await watchStorageFaultsJob.run(app.ctx, {});
      await app.runJobs();
      const mails = async () => (await app.mailbox.list()).filter(({ subject }) => subject.includes('Arquivos guardados com problema'));
      const before = (await mails()).length;
      await blobsOf(app).lose(hash);
      await app.call(api.downloadOriginal, { token: ana.token, params: { id: body[0]?.id ?? '' } });
      for (let times = 0; times < 3; times += 1) {
        await watchStorageFaultsJob.run(app.ctx, {});
        await app.runJobs();
      }
      assert.equal((await healthOf('storage'))?.status, 'DEGRADED');
      const [mail] = await mails();
      assert.equal((await mails()).length, before + 1);
      assert.ok(JSON.stringify(mail).includes(hash.slice(0, 12)) && !JSON.stringify(mail).includes(hash));
      await blobsOf(app).giveBack(hash, bytes);
      await allHealed();
    });
  });

  describe('the inventory of stored files', () => {
    it('has every file that a row refers to, entered in the same transaction, and cannot lose one', async () => {
      const { id, signerIds } = await startedProcess(app, ana, { documents: ['um.pdf', 'dois.pdf'] });
      await signElectronically(app, id, signerIds[0] ?? '');
      const kinds = await app.ctx.db.selectFrom('blob').select('kind').distinct().where('kind', 'is not', null).execute();
      assert.deepEqual(kinds.map(({ kind }) => kind).toSorted(), ['image', 'preparation', 'report', 'seal', 'signature', 'upload']);
      const { rows } = { rows: await app.ctx.db.selectFrom('document_revision').select(['blob_hash', 'size']).execute() };
      for (const row of rows) {
        const blob = await app.ctx.db.selectFrom('blob').select('size').where('hash', '=', row.blob_hash).executeTakeFirst();
        assert.equal(Number(blob?.size), Number(row.size));
        await assert.rejects(app.ctx.db.deleteFrom('blob').where('hash', '=', row.blob_hash).execute(), /foreign key/);
      }
    });

    it('is checked to its end, past a file that cannot be read at all, which is told as damaged', async () => {
      await auditFaults(app.ctx);
      const { body } = await upload(app, ana.token, [{ name: 'a.pdf', bytes: await samplePdf(8) }]);
      const hash = body[0]?.hash ?? '';
      const bytes = await blobsOf(app).read(hash);
      await blobsOf(app).lose(hash);
      const path = join(app.dataDir, 'blobs', blobKey(hash));
      await mkdir(path);
      const { count } = await app.ctx.db
        .selectFrom('blob')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      assert.equal(await auditSlice(app.ctx, 1024 ** 3), Number(count));
      assert.equal(await countStorageFaults(app.ctx), 1);
      await rmdir(path);
      await blobsOf(app).giveBack(hash, bytes);
      await allHealed();
    });

    it('is checked whole by the command’s report, which names what is missing, damaged, of another size and unknown', async () => {
      await auditFaults(app.ctx);
      const said: string[] = [];
      const report = { write: (line: string) => void said.push(line), say: terminalWords('pt-br') };
      assert.equal(await writeAuditReport(app.ctx, system, report), 0);
      const pdf = await samplePdf(5);
      const { body } = await upload(app, ana.token, [
        { name: 'a.pdf', bytes: pdf },
        { name: 'b.pdf', bytes: await samplePdf(6) },
        { name: 'c.pdf', bytes: await samplePdf(7) },
      ]);
      const [a = '', b = '', c = ''] = body.map(({ hash }) => hash);
      const stranger = randomBytes(100);
      const strangerHash = createHash('sha256').update(stranger).digest('hex');
      await blobsOf(app).giveBack(strangerHash, stranger);
      const copies = await Promise.all([a, b].map((hash) => blobsOf(app).read(hash)));
      await blobsOf(app).lose(a);
      await blobsOf(app).flip(b, 5);
      await app.ctx.db.updateTable('blob').set({ size: 1 }).where('hash', '=', c).execute();
      said.length = 0;
      assert.equal(await writeAuditReport(app.ctx, system, report), 3);
      const text = said.join('\n');
      for (const [hash, fault] of [
        [a, 'faltando'],
        [b, 'alterado'],
        [c, 'outro tamanho'],
      ] as const)
        assert.match(text, new RegExp(`${hash} +upload +${fault}`));
      assert.match(text, /sem registro +1 +100/);
      assert.equal(await countStorageFaults(app.ctx), 3);
      await Promise.all([a, b].map((hash, index) => blobsOf(app).giveBack(hash, copies[index] ?? Buffer.alloc(0))));
      await app.ctx.db
        .updateTable('blob')
        .set({ size: (await blobsOf(app).read(c)).length })
        .where('hash', '=', c)
        .execute();
      await allHealed();
    });

    it('is checked by night in slices that go on where the last one ended', async () => {
      const all = (await app.ctx.db.selectFrom('blob').select('hash').execute()).length;
      app.clock.advance({ minutes: 1 });
      const since = app.clock.now();
      let checked = 0;
      for (let night = 0; night < all; night += 1) {
        app.clock.advance({ minutes: 1 });
        checked += await auditSlice(app.ctx, 64 * 1024 * 5);
        const left = await app.ctx.db
          .selectFrom('blob')
          .select('hash')
          .where((eb) => eb.or([eb('checked_at', 'is', null), eb('checked_at', '<', since)]))
          .execute();
        if (left.length === 0) break;
        assert.ok(checked > 0);
      }
      const unchecked = await app.ctx.db.selectFrom('blob').select('hash').where('checked_at', 'is', null).execute();
      assert.deepEqual(unchecked, []);
    });
  });

  describe('a file that nobody refers to', () => {
    beforeEach(() => removeForgotten(app.ctx));
    const has = (hash: string) => app.ctx.storage.has(hash);
    const day = { hours: 24, minutes: 1 };

    it('is removed after a day and no sooner; one that is referred to stays', async () => {
      const { sha256 } = await putBytes(app.ctx.storage, randomBytes(500));
      const { body } = await upload(app, ana.token, [{ name: 'fica.pdf', bytes: await samplePdf(8) }]);
      await removeForgotten(app.ctx);
      assert.equal(await has(sha256), true);
      app.clock.advance(day);
      await removeForgotten(app.ctx);
      assert.deepEqual([await has(sha256), await has(body[0]?.hash ?? '')], [false, true]);
    });

    it('and that a storage lost before it was told as stored is nobody’s fault to mend', async () => {
      const blob = { sha256: createHash('sha256').update(randomBytes(9)).digest('hex'), size: 9 };
      await noteStored(app.ctx.db, app.ctx.clock, blob);
      await noteFault(app.ctx.db, app.ctx.clock, { hash: blob.sha256, fault: 'missing' });
      assert.equal(await countStorageFaults(app.ctx), 1);
      await watchStorageFaultsJob.run(app.ctx, {});
      assert.equal(await countStorageFaults(app.ctx), 0);
    });

    it('of before the inventory is entered at night, and has its day', async () => {
      const bytes = randomBytes(333);
      const hash = createHash('sha256').update(bytes).digest('hex');
      await blobsOf(app).giveBack(hash, bytes);
      await auditStorageJob.run(app.ctx, {});
      await removeForgotten(app.ctx);
      assert.equal(await has(hash), true);
      app.clock.advance(day);
      await removeForgotten(app.ctx);
      assert.equal(await has(hash), false);
    });

    it('that bears a signature of this moment is in no book until somebody refers to it; where its maker died, the night enters it', async () => {
      const { sha256 } = await putFresh(app.ctx.storage, randomBytes(350));
      const booked = async () => (await findInventoryRow(app.ctx, sha256)) !== undefined;
      app.clock.advance(day);
      await removeForgotten(app.ctx);
      assert.deepEqual([await booked(), await has(sha256)], [false, true]);
      await auditStorageJob.run(app.ctx, {});
      await removeForgotten(app.ctx);
      assert.deepEqual([await booked(), await has(sha256)], [true, true]);
      app.clock.advance(day);
      await removeForgotten(app.ctx);
      assert.deepEqual([await booked(), await has(sha256)], [false, false]);
    });

    it('counts as fresh when the same bytes are stored again', async () => {
      const bytes = randomBytes(400);
      const { sha256 } = await putBytes(app.ctx.storage, bytes);
      app.clock.advance(day);
      await putBytes(app.ctx.storage, bytes);
      await removeForgotten(app.ctx);
      assert.equal(await has(sha256), true);
    });

    it('is not removed under a transaction that is about to refer to it', async () => {
      const bytes = randomBytes(410);
      const { sha256 } = await putBytes(app.ctx.storage, bytes);
      app.clock.advance(day);
      const referred = Promise.withResolvers<void>();
      const looked = Promise.withResolvers<void>();
      const referring = app.ctx.transaction(async (tx) => {
        await blobEntries(tx, [{ sha256, size: bytes.length, kind: 'image' }]).execute(tx.db);
        referred.resolve();
        await looked.promise;
      });
      await referred.promise;
      await removeForgotten(app.ctx);
      assert.equal(await has(sha256), true);
      looked.resolve();
      await referring;
    });

    it('and is being removed makes who stores the same bytes wait, and then they are there', async () => {
      const bytes = randomBytes(420);
      const { sha256 } = await putBytes(app.ctx.storage, bytes);
      app.clock.advance(day);
      const order: string[] = [];
      let storing: Promise<unknown> = Promise.resolve();
      await whileForgotten(app.ctx, sha256, async () => {
        storing = putBytes(app.ctx.storage, bytes).then(() => order.push('stored'));
        await new Promise((resolve) => setTimeout(resolve, 100));
        await app.ctx.storage.delete(sha256);
        order.push('removed');
      });
      await storing;
      assert.deepEqual(order, ['removed', 'stored']);
      assert.deepEqual([await has(sha256), await app.ctx.storage.check(sha256)], [true, bytes.length]);
      const row = await app.ctx.db.selectFrom('blob').select('hash').where('hash', '=', sha256).executeTakeFirst();
      assert.ok(row);
    });

    it('and what is referred to are told apart under load: twenty uploads of the same ten files while the sweep runs, and none is lost', async () => {
      const files = await Promise.all(Array.from({ length: 10 }, (_, index) => samplePdf(10 + index)));
      await Promise.all(files.map((bytes) => putBytes(app.ctx.storage, bytes)));
      app.clock.advance(day);
      const { token } = await signedInAccount(app);
      let isDone = false;
      const sweeping = (async () => {
        while (!isDone) await removeForgotten(app.ctx);
      })();
      // Who is told that the server is busy comes again, as their browser's person would.
      const uploaded = async (bytes: Buffer): Promise<Awaited<ReturnType<typeof upload>>> => {
        const answer = await upload(app, token, [{ name: 'f.pdf', bytes }]);
        return answer.code === 'server.busy' ? uploaded(bytes) : answer;
      };
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => uploaded(files[index % 10] ?? Buffer.alloc(0))));
      isDone = true;
      await sweeping;
      for (const { status, body } of answers) {
        assert.equal(status, 200);
        assert.equal(await app.ctx.storage.check(body[0]?.hash ?? ''), body[0]?.size);
      }
    });
  });
});
