import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@lavra/api';
import { openMail } from '../../../mail/sealed-mail.ts';
import type { Job } from '../../../jobs/queue.ts';
import { type KeptMails, type QueuedMail, mailParts } from '../../../mail/send-mail.job.ts';
import { signedInAccount, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createDraft, type DraftInput, sendElectronically, soon } from '../../../testing/processes.ts';
import { prepareDocumentsJob } from '../../signing/prepare-documents.job.ts';
import { signElectronicJob } from '../../signing/electronic/sign-electronic.job.ts';
import { findAttemptOnProcess } from '../../signing/signing.store.ts';
import { type HeldLoaded, loadToPrepare, loadTold } from '../load-process.ts';
import { announceEndJob, announcementsOf } from './announce-end.job.ts';
import { invitationsOf, tellSignersJob } from './tell-signers.job.ts';

/** The jobs run by themselves, as in an installation. */
describe('what a job is handed by the act that it follows', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp({ background: true });
    ana = await signedInAccount(app);
    await app.installation.queue.work(app.ctx);
  });
  after(() => app.close());

  /** Runs of a job, each told to `look` before it does anything. */
  function watched<Data extends object, Handed>(
    job: Job<Data, Handed>,
    look: (data: Data, handed: Handed | undefined, run: number) => Promise<void>,
  ): Disposable & { runs: number } {
    const { run } = job;
    const watch = {
      runs: 0,
      [Symbol.dispose]() {
        job.run = run;
      },
    };
    job.run = async (ctx, data, end, handed) => {
      watch.runs += 1;
      await look(data, handed, watch.runs);
      return run(ctx, data, end, handed);
    };
    return watch;
  }

  const statusOf = async (id: string) =>
    (await app.ctx.db.selectFrom('signature_process').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;
  const canSign = async (id: string, signerId: string) => {
    const signer = await app.ctx.db.selectFrom('signer').select('status').where('id', '=', signerId).executeTakeFirstOrThrow();
    const { prepared_at: prepared } = await app.ctx.db
      .selectFrom('signature_process')
      .select('prepared_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return signer.status === 'SENT' && prepared !== null;
  };
  const mailsTo = async (email: string) => (await app.mailbox.list()).filter(({ to }) => to === email).length;

  async function started(given: DraftInput): Promise<{ id: string; signerIds: string[] }> {
    const draft = await createDraft(app, ana, given);
    assert.equal((await app.call(api.startSignatureProcess, { token: ana.token, params: { id: draft.id } })).status, 204);
    return draft;
  }

  /** All but the place of its row, and the newest instant that anybody recorded. */
  const comparable = ({ signatureProcess, end }: HeldLoaded) => ({ signatureProcess, end });
  const wordsOf = (mails: KeptMails) => mails.map(({ id, to, sealed }) => ({ id, to, ...openMail(app.ctx, sealed) }));
  const asKept = async (mails: readonly QueuedMail[]) => wordsOf((await mailParts(app.ctx, mails))?.kept ?? []);

  it('is what it would have read: the process with its files and pages, the attempt with its evidence, the mails', async () => {
    const compared: string[] = [];
    using _prepare = watched(prepareDocumentsJob, async ({ signatureProcessId }, handed) => {
      const read = await loadToPrepare(app.ctx, signatureProcessId);
      assert.ok(handed);
      assert.deepEqual([comparable(handed.read), handed.keys], [comparable(read.read), read.keys]);
      compared.push('prepare');
    });
    using _tell = watched(tellSignersJob, async ({ signatureProcessId, told }, handed) => {
      if (!handed) return;
      const read = await loadTold(app.ctx, signatureProcessId);
      assert.deepEqual(wordsOf(handed), await asKept(await invitationsOf(app.ctx, read, told)));
      compared.push('tell');
    });
    using _sign = watched(signElectronicJob, async ({ attemptId, signatureProcessId = '' }, handed) => {
      const read = await findAttemptOnProcess(app.ctx, { id: attemptId, signatureProcessId });
      assert.ok(handed && read);
      assert.deepEqual([handed.attempt, comparable(handed.read)], [read.attempt, comparable(read.read)]);
      compared.push('sign');
    });
    using _announce = watched(announceEndJob, async ({ signatureProcessId }, handed) => {
      assert.ok(handed);
      const read = await loadTold(app.ctx, signatureProcessId);
      assert.deepEqual(wordsOf(handed), await asKept(await announcementsOf(app.ctx, read)));
      compared.push('announce');
    });
    const draft = await started({
      documents: ['um.pdf', 'dois.pdf'],
      signers: [
        { name: 'Bia Lima', email: 'bia@exemplo.com.br', order: 0, box: { width: 180, height: 60 } },
        { name: 'Caio Reis', email: 'caio@exemplo.com.br', order: 1 },
      ],
    });
    for (const signerId of draft.signerIds) {
      await soon('may sign', () => canSign(draft.id, signerId));
      const answer = await sendElectronically(app, draft.id, signerId, { name: 'Outro Nome', cpf: '529.982.247-25' });
      assert.equal(answer.status, 204);
    }
    await soon('finished', async () => (await statusOf(draft.id)) === 'FINALIZED_WITH_SUCCESS');
    await soon('announced', async () => compared.includes('announce'));
    assert.deepEqual(compared.toSorted(), ['announce', 'prepare', 'sign', 'sign', 'tell']);
  });

  it('is left where somebody acts before the job does: nobody is invited to what was cancelled, and nothing is signed in it', async () => {
    const cancel = async (id: string) => {
      const answer = await app.call(api.cancelProcess, { token: ana.token, params: { id } });
      assert.ok(answer.status < 300, String(answer.code));
    };
    using preparing = watched(prepareDocumentsJob, async ({ signatureProcessId }) => {
      if (preparing.runs === 1) await cancel(signatureProcessId);
    });
    const first = await started({ signers: [{ name: 'Eva Dias', email: 'eva@exemplo.com.br', order: 0 }] });
    await soon('cancelled', async () => (await statusOf(first.id)) === 'CREATOR_CANCELED');
    using _signing = watched(signElectronicJob, async ({ signatureProcessId = '' }) => cancel(signatureProcessId));
    const second = await started({ signers: [{ name: 'Davi Sá', email: 'davi@exemplo.com.br', order: 0 }] });
    const [signerId = ''] = second.signerIds;
    await soon('may sign', () => canSign(second.id, signerId));
    await sendElectronically(app, second.id, signerId);
    await soon('ended', async () => {
      const attempt = await app.ctx.db
        .selectFrom('signing_attempt')
        .select('state')
        .where('signature_process_id', '=', second.id)
        .executeTakeFirstOrThrow();
      return attempt.state === 'failed';
    });
    assert.equal(await statusOf(second.id), 'CREATOR_CANCELED');
    const kinds = await app.ctx.db
      .selectFrom('document_revision')
      .innerJoin('document', 'document.id', 'document_revision.document_id')
      .select('kind')
      .where('document.signature_process_id', 'in', [first.id, second.id])
      .execute();
    assert.deepEqual(kinds.map(({ kind }) => kind).toSorted(), ['preparation', 'upload', 'upload']);
    assert.equal(await mailsTo('eva@exemplo.com.br'), 0);
  });

  it('ends with the run that had it: a mail that was kept with its act, and not sent, goes out once, and soon', async () => {
    using telling = watched(tellSignersJob, async (_data, handed, run) => {
      if (run > 1) return assert.equal(handed, undefined);
      assert.ok(handed);
      throw new Error('the program ends here');
    });
    const begun = performance.now();
    const { id, signerIds } = await started({ signers: [{ name: 'Igor Paz', email: 'igor@exemplo.com.br', order: 0 }] });
    await soon('prepared', () => canSign(id, signerIds[0] ?? ''));
    await soon('mailed', async () => (await mailsTo('igor@exemplo.com.br')) > 0);
    assert.ok(performance.now() - begun < 30_000);
    assert.ok(telling.runs >= 2);
    await sleep(500);
    assert.equal(await mailsTo('igor@exemplo.com.br'), 1);
  });

  it('is not told to whom nobody waits for any more when its program ended before it told it: cancelled, or corrected, meanwhile', async () => {
    const waiting = async (email: string) =>
      (await app.ctx.db.selectFrom('mail').select('sent_at').where('to_address', '=', email).execute()).map(
        ({ sent_at: sent }) => sent !== null,
      );
    const after = new Map<string, (id: string, signerId: string) => Promise<{ status: number }>>([
      ['lia@exemplo.com.br', (id) => app.call(api.cancelProcess, { token: ana.token, params: { id } })],
      [
        'rui@exemplo.com.br',
        (id, signerId) =>
          app.call(api.correctSigner, {
            token: ana.token,
            params: { id, signerId },
            body: { name: 'Rui Sá', email: 'rui.sa@exemplo.com.br', legalIdentifier: null },
          }),
      ],
    ]);
    let ended = 0;
    using _telling = watched(tellSignersJob, async (_data, handed) => {
      if (!handed || ended >= after.size) return;
      ended += 1;
      throw new Error('the program ends here');
    });
    for (const [email, act] of after) {
      const { id, signerIds } = await started({ signers: [{ name: 'Rui', email, order: 0 }] });
      await soon('prepared', () => canSign(id, signerIds[0] ?? ''));
      assert.deepEqual(await waiting(email), [false], 'kept with the act');
      assert.ok((await act(id, signerIds[0] ?? '')).status < 300);
    }
    assert.equal(ended, 2);
    // Of the cancellation they hear.
    await soon('nobody is invited any more', async () =>
      (await Promise.all([...after.keys()].map(waiting))).every((mails) => !mails.includes(false)),
    );
    assert.deepEqual(
      (await app.mailbox.list()).filter(({ to, subject }) => after.has(to) && subject.includes('pediu')),
      [],
    );
    await soon('the right one is', async () => (await mailsTo('rui.sa@exemplo.com.br')) === 1);
  });
});
