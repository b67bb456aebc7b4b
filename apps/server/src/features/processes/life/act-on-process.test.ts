import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@lavra/api';
import { DomainError, type ProcessAct, type ProcessEvent, type ProcessState, replay } from '@lavra/domain';
import { sql } from 'kysely';
import { signedInAccount, signIn, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import type { Ctx } from '../../../context.ts';
import { createDraft, signElectronically, startedProcess } from '../../../testing/processes.ts';
import { setMark } from '../../clock/clock.store.ts';
import { findProcess } from '../aggregate.store.ts';
import { actAtOnce, actOnProcess } from './act-on-process.ts';
import { announceEndJob } from './announce-end.job.ts';
import { isChainIntact, listProcessEvents } from './event-chain.ts';
import { sendRemindersJob } from './send-reminders.job.ts';
import { forgetMailsTo, listMailsTo } from '../../../mail/mail.store.ts';
import { tellSignersJob } from './tell-signers.job.ts';

const bia = { name: 'Bia Lima', email: 'bia@exemplo.com.br' };
const caio = { name: 'Caio Reis', email: 'caio@exemplo.com.br' };
const davi = { name: 'Davi Melo', email: 'davi@exemplo.com.br' };

let app: TestApp;
let ana: TestAccount;
// Inside: hooks beside it would run when the whole program ends, with every installation open until then.
describe('act on process', () => {
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  const sign = (signerId = ''): ProcessAct => ({ kind: 'sign', signerId, name: 'Quem Assina', signedAt: app.ctx.clock.now(), facts: {} });

  async function stateOf(id: string): Promise<ProcessState> {
    const held = await findProcess(app.ctx, id, 'read');
    assert.ok(held);
    const { status, modality, dueDate, reminderIn, startedAt, preparedAt, finalizedAt, filesRemovedAt, signers } = held.signatureProcess;
    return {
      status,
      modality,
      dueDate,
      reminderIn,
      startedAt,
      preparedAt,
      finalizedAt,
      filesRemovedAt,
      signers: signers.map(({ id: signerId, name, order, ...rest }) => {
        const {
          status: signerStatus,
          dueDate: own,
          invitedAt,
          openedAt,
          finalizedAt: closedAt,
          rejectCause,
          remindersSent,
          toldAgainAt,
        } = rest;
        const told = { dueDate: own, invitedAt, openedAt, finalizedAt: closedAt, rejectCause, remindersSent, toldAgainAt };
        return { id: signerId, name, order, status: signerStatus, ...told };
      }),
    };
  }

  /** Both acts at once: the second waits for the row while the first has read, written, and not committed yet. */
  async function atOnce(id: string, first: ProcessAct, second: ProcessAct | (() => ProcessAct)): Promise<PromiseSettledResult<unknown>> {
    const second_ = Promise.withResolvers<PromiseSettledResult<unknown>>();
    await app.ctx.transaction(async (tx) => {
      await actOnProcess(tx, id, first);
      const acting = app.ctx.transaction((other) => actOnProcess(other, id, second));
      acting.then(
        (value) => second_.resolve({ status: 'fulfilled', value }),
        (reason: unknown) => second_.resolve({ status: 'rejected', reason }),
      );
      await waitsForRow();
    });
    return second_.promise;
  }

  async function waitsForRow(): Promise<void> {
    for (let tries = 0; tries < 1000; tries += 1) {
      const waiting = await app.ctx.db
        .selectFrom('pg_stat_activity' as never)
        .select('pid' as never)
        .where('wait_event_type' as never, '=', 'Lock' as never)
        .where('datname' as never, '=', (eb) => eb.fn('current_database', []) as never)
        .execute();
      if (waiting.length > 0) return;
      await sleep(10);
    }
    throw new Error('nobody waits');
  }

  describe('two acts on one process at the same moment', () => {
    it('queue up: the second decides on what the first has left, and whoever comes next is invited once', async () => {
      const signers = [
        { ...bia, order: 0 },
        { ...caio, order: 0 },
        { ...davi, order: 1 },
      ];
      const { id, signerIds } = await startedProcess(app, ana, { signers });
      const second = await atOnce(id, sign(signerIds[0]), sign(signerIds[1]));
      assert.equal(second.status, 'fulfilled');
      const { signers: left } = await stateOf(id);
      assert.deepEqual(
        left.map(({ status }) => status),
        ['SIGNED', 'SIGNED', 'SENT'],
      );
      const events = await listProcessEvents(app.ctx, id);
      assert.ok(isChainIntact(events));
      assert.equal(events.filter(({ type, signerId }) => type === 'signer.invited' && signerId === signerIds[2]).length, 1);
    });

    it('of which the first ends the process leave the second without effect, and it is told why', async () => {
      const { id, signerIds } = await startedProcess(app, ana, { signers: [bia] });
      const second = await atOnce(id, { kind: 'cancel', by: ana.email }, sign(signerIds[0]));
      assert.ok(second.status === 'rejected' && second.reason instanceof DomainError);
      assert.equal(second.reason.code, 'process.notInProgress');
      assert.deepEqual((await listProcessEvents(app.ctx, id)).at(-1)?.type, 'process.canceled');
    });

    it('when everybody has signed as the deadline comes, the signature stands; when the deadline was first, it does', async () => {
      const soon = () => new Date(app.clock.now().getTime() + 2 * 86_400_000).toISOString();
      const signed = await startedProcess(app, ana, { signers: [bia], dueDate: soon() });
      const expiry = await atOnce(signed.id, sign(signed.signerIds[0]), () => {
        app.clock.advance({ days: 3 });
        return { kind: 'expire' };
      });
      assert.equal(expiry.status, 'fulfilled');
      assert.equal((await listProcessEvents(app.ctx, signed.id)).at(-1)?.type, 'signer.signed');
      ana = { ...ana, token: await signIn(app, ana) };
      const late = await startedProcess(app, ana, { signers: [bia], dueDate: soon() });
      app.clock.advance({ days: 3 });
      const second = await atOnce(late.id, { kind: 'expire' }, sign(late.signerIds[0]));
      assert.ok(second.status === 'rejected' && second.reason instanceof DomainError);
      assert.equal((await listProcessEvents(app.ctx, late.id)).at(-1)?.type, 'process.expired');
    });

    it('of which one ends it with success and the other by its sender, the first stands, and the chain is whole', async () => {
      for (const [first, second, last] of [
        [{ kind: 'finish', added: null, facts: {} }, { kind: 'cancel', by: ana.email }, 'process.finalized'],
        [{ kind: 'cancel', by: ana.email }, { kind: 'finish', added: null, facts: {} }, 'process.canceled'],
      ] as const satisfies [ProcessAct, ProcessAct, string][]) {
        ana = { ...ana, token: await signIn(app, ana) };
        const { id, signerIds } = await startedProcess(app, ana, { signers: [bia] });
        await app.ctx.transaction((tx) => actOnProcess(tx, id, sign(signerIds[0])));
        const told = await atOnce(id, first, second);
        assert.ok(told.status === 'rejected' && told.reason instanceof DomainError);
        assert.equal(told.reason.code, 'process.notInProgress');
        const events = await listProcessEvents(app.ctx, id);
        assert.deepEqual([events.at(-1)?.type, isChainIntact(events)], [last, true]);
      }
    });
  });

  describe('an act in one statement', () => {
    const consent = (signerId = ''): ProcessAct => ({ kind: 'consent', signerId, facts: {} });
    const typesOf = async (id: string) => (await listProcessEvents(app.ctx, id)).map(({ type }) => type);
    /** Of a process that was read when this was called. */
    async function deciding(id: string): Promise<(act: ProcessAct) => Promise<unknown>> {
      const read = await findProcess(app.ctx, id, 'read');
      assert.ok(read);
      const touched = { as: 'touched', query: sql`update "document" set page_count = page_count + 1 where signature_process_id = ${id}` };
      return (act) => actAtOnce(app.ctx, read, act, { writes: [touched] });
    }
    async function timesTouched(id: string, pages: number): Promise<number> {
      const row = await app.ctx.db
        .selectFrom('document')
        .select('page_count')
        .where('signature_process_id', '=', id)
        .executeTakeFirstOrThrow();
      return row.page_count - pages;
    }
    const pagesOf = (id: string) => timesTouched(id, 0);

    it('is decided anew on what others have left who came between, and what belongs to it is written once', async () => {
      const { id, signerIds } = await startedProcess(app, ana, { signers: [bia, caio].map((one) => ({ ...one, order: 0 })) });
      const [act, pages] = [await deciding(id), await pagesOf(id)];
      await app.ctx.transaction((tx) => actOnProcess(tx, id, consent(signerIds[1])));
      await act(sign(signerIds[0]));
      const events = await listProcessEvents(app.ctx, id);
      assert.ok(isChainIntact(events));
      assert.deepEqual(
        events.slice(-2).map(({ type }) => type),
        ['signer.consented', 'signer.signed'],
      );
      assert.equal(await timesTouched(id, pages), 1);
    });

    it('sends its jobs by whoever writes it: those of the statement that was refused, which nobody begins, are not those of the transaction', async () => {
      const { id, signerIds } = await startedProcess(app, ana, { signers: [bia, caio].map((one) => ({ ...one, order: 0 })) });
      const read = await findProcess(app.ctx, id, 'read');
      assert.ok(read);
      await app.ctx.transaction((tx) => actOnProcess(tx, id, consent(signerIds[1])));
      const writers: boolean[] = [];
      const sends = async (by: Ctx) => {
        writers.push(by.db.isTransaction);
        return by.jobs.written(tellSignersJob, { signatureProcessId: id, told: [] });
      };
      await actAtOnce(app.ctx, read, consent(signerIds[0]), { sends });
      assert.deepEqual(writers, [false, true]);
      const { rows } = await sql<{ state: string }>`
        select state from pgboss.job where name = ${tellSignersJob.name} and data->>'signatureProcessId' = ${id} and data->'told' = '[]'`.execute(
        app.ctx.db,
      );
      assert.deepEqual(rows, [{ state: 'created' }]);
    });

    it('waits for whoever holds the process, and is decided on what they have left: refused, nothing of it is written', async () => {
      const { id, signerIds } = await startedProcess(app, ana, { signers: [bia] });
      const [act, pages] = [await deciding(id), await pagesOf(id)];
      let refused: Promise<void> | undefined;
      await app.ctx.transaction(async (tx) => {
        await actOnProcess(tx, id, { kind: 'cancel', by: ana.email });
        refused = assert.rejects(act(sign(signerIds[0])), { code: 'process.notInProgress' });
        await waitsForRow();
      });
      await refused;
      assert.equal((await typesOf(id)).at(-1), 'process.canceled');
      assert.equal(await timesTouched(id, pages), 0);
    });

    it('leaves standing what was changed without an event while it waited, and binds whom it invites', async () => {
      const dora = await signedInAccount(app, { email: 'dora@exemplo.com.br' });
      const signers = [
        { ...bia, order: 0 },
        { name: 'Dora Reis', email: dora.email, order: 1 },
      ];
      const { id, signerIds } = await startedProcess(app, ana, { signers });
      const act = await deciding(id);
      let acting: Promise<unknown> | undefined;
      await app.ctx.transaction(async (tx) => {
        await sql`update signature_process set problem = 'storage.damaged' where id = ${id}`.execute(tx.db);
        await sql`update signer set lang_key = 'es' where id = ${signerIds[1]}`.execute(tx.db);
        acting = act(sign(signerIds[0]));
        await waitsForRow();
      });
      await acting;
      const next = app.ctx.db
        .selectFrom('signer')
        .innerJoin('app_user', 'app_user.id', 'signer.user_id')
        .where('signer.id', '=', signerIds[1] ?? '');
      const { status, language, email } = await next
        .select(['signer.status', 'signer.lang_key as language', 'app_user.email'])
        .executeTakeFirstOrThrow();
      assert.deepEqual([status, language, email], ['SENT', 'es', dora.email]);
      const { problem } = await app.ctx.db.selectFrom('signature_process').select('problem').where('id', '=', id).executeTakeFirstOrThrow();
      assert.equal(problem, 'storage.damaged');
    });

    it('by many at once is written once for each, in one chain', async () => {
      const signers = [...'ABCDEFGH'].map((letter, n) => ({ name: `Pessoa ${letter}`, email: `pessoa-${n}@exemplo.com.br`, order: 0 }));
      const { id, signerIds } = await startedProcess(app, ana, { signers });
      const [acts, pages] = [await Promise.all(signerIds.map(() => deciding(id))), await pagesOf(id)];
      await Promise.all(acts.map((act, index) => act(sign(signerIds[index]))));
      const events = await listProcessEvents(app.ctx, id);
      assert.ok(isChainIntact(events));
      assert.equal(events.filter(({ type }) => type === 'signer.signed').length, 8);
      assert.equal(await timesTouched(id, pages), 8);
    });

    it('is refused by a clock that is behind what the database has seen since the process was read', async () => {
      const { id, signerIds } = await startedProcess(app, ana, { signers: [bia] });
      const [act, pages] = [await deciding(id), await pagesOf(id)];
      const { seen } = await app.ctx.db.selectFrom('clock_mark').select('seen').executeTakeFirstOrThrow();
      await setMark(app.ctx, new Date(app.ctx.clock.now().getTime() + 60_000));
      try {
        await assert.rejects(act(sign(signerIds[0])), { code: 'server.clockBehind' });
        assert.equal(await timesTouched(id, pages), 0);
      } finally {
        await setMark(app.ctx, seen);
      }
    });
  });

  describe('a process', () => {
    it('is what its draft and its log say, in every column that a decision reads', async () => {
      const draft = await createDraft(app, ana, { signers: [bia, caio], reminderIn: 1 });
      const before = await stateOf(draft.id);
      await app.call(api.startSignatureProcess, { token: ana.token, params: { id: draft.id } });
      await app.runJobs();
      await app.call(api.registerOpened, { params: { signerId: draft.signerIds[0] ?? '' } });
      app.clock.advance({ days: 1, minutes: 1 });
      await sendRemindersJob.run(app.ctx, {});
      await signElectronically(app, draft.id, draft.signerIds[0] ?? '');
      const cause = 'O valor está errado.';
      const body = { processId: draft.id, signerId: draft.signerIds[1] ?? '', rejectCause: cause };
      assert.equal((await app.call(api.createSignatureRejected, { body })).status, 204);
      const log = (await listProcessEvents(app.ctx, draft.id)) as (ProcessEvent & { at: Date })[];
      const after_ = await stateOf(draft.id);
      assert.deepEqual(replay(before, log), after_);
      assert.deepEqual(
        [after_.status, after_.signers[0]?.remindersSent, after_.signers[1]?.rejectCause],
        ['FINALIZED_BY_REJECTION', 1, cause],
      );
    });

    it('tells each of its people once, however often the jobs run that tell them, and whoever is erased meanwhile', async () => {
      ana = { ...ana, token: await signIn(app, ana) };
      const eva = { name: 'Eva Nunes', email: 'eva@exemplo.com.br' };
      const { id, signerIds } = await startedProcess(app, ana, { signers: [eva] });
      const told = [{ signerId: signerIds[0] ?? '', reminder: 0 }];
      for (let time = 0; time < 2; time += 1) {
        await tellSignersJob.run(app.ctx, { signatureProcessId: id, told });
        await app.runJobs();
        await app.ctx.transaction((tx) => forgetMailsTo(tx, eva.email));
        assert.deepEqual(await listMailsTo(app.ctx, eva.email), []);
      }
      await app.call(api.cancelProcess, { token: ana.token, params: { id } });
      await app.runJobs();
      for (let time = 0; time < 2; time += 1) {
        await announceEndJob.run(app.ctx, { signatureProcessId: id });
        await app.runJobs();
        await app.ctx.transaction((tx) => forgetMailsTo(tx, eva.email));
      }
      await tellSignersJob.run(app.ctx, { signatureProcessId: id, told: [{ signerId: signerIds[0] ?? '', reminder: 1 }] });
      await app.runJobs();
      const mails = (await app.mailbox.list()).filter(({ to }) => to === eva.email);
      assert.equal(mails.length, 2, 'the invitation and the end; whoever is no longer waited for is not reminded');
    });
  });
});
