import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DomainError } from '@lavra/domain';
import { signedInAccount, signIn, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { startedProcess } from '../../../testing/processes.ts';
import { listOverdueProcessIds, listRemindableProcessIds } from '../processes.store.ts';
import { expireProcessesJob } from './expire-processes.job.ts';
import { sendRemindersJob } from './send-reminders.job.ts';

let app: TestApp;
let ana: TestAccount;
// Inside: hooks beside it would run when the whole program ends, with every installation open until then.
describe('sweeps', () => {
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  async function three(change: { reminderIn?: number; dueDate?: string }): Promise<string[]> {
    const ids: string[] = [];
    for (const email of ['bia@exemplo.com.br', 'caio@exemplo.com.br', 'davi@exemplo.com.br'])
      ids.push((await startedProcess(app, ana, { signers: [{ name: 'Quem Assina', email }], ...change })).id);
    return ids;
  }

  /** On this one nothing can be recorded: its log ends years ahead of every clock. */
  async function breakLog(id: string): Promise<void> {
    const end = await app.ctx.db
      .selectFrom('event')
      .selectAll()
      .where('signature_process_id', '=', id)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const at = new Date(app.clock.now().getTime() + 10_000 * 86_400_000);
    await app.ctx.db
      .insertInto('event')
      .values({ ...end, data: JSON.stringify(end.data), seq: end.seq + 1, at })
      .execute();
  }

  async function rowsOf(ids: readonly string[]) {
    return app.ctx.db
      .selectFrom('signature_process')
      .innerJoin('signer', 'signer.signature_process_id', 'signature_process.id')
      .select(['signature_process.id', 'signature_process.status', 'reminders_sent as reminders'])
      .where('signature_process.id', 'in', ids)
      .execute();
  }

  const isBehind = (error: unknown) => error instanceof DomainError && error.code === 'server.clockBehind';

  describe('a process on which nothing can be recorded', () => {
    it('keeps no other from expiring, and the job shows the fault', async () => {
      const dueDate = new Date(app.clock.now().getTime() + 2 * 86_400_000).toISOString();
      const ids = await three({ dueDate });
      app.clock.advance({ days: 2, seconds: 1 });
      const [first = ''] = await listOverdueProcessIds(app.ctx, app.clock.now());
      await breakLog(first);
      await assert.rejects(async () => expireProcessesJob.run(app.ctx, {}), isBehind);
      for (const { id, status } of await rowsOf(ids)) assert.equal(status, id === first ? 'IN_PROGRESS' : 'FINALIZED_BY_EXPIRATION');
      assert.ok(ids.includes(first));
    });

    it('keeps no other from being reminded of, and the job shows the fault', async () => {
      ana = { ...ana, token: await signIn(app, ana) };
      const ids = await three({ reminderIn: 1 });
      app.clock.advance({ days: 1, minutes: 1 });
      const [first = ''] = await listRemindableProcessIds(app.ctx);
      await breakLog(first);
      await assert.rejects(async () => sendRemindersJob.run(app.ctx, {}), isBehind);
      for (const { id, reminders } of await rowsOf(ids)) assert.equal(reminders, id === first ? 0 : 1);
      assert.ok(ids.includes(first));
    });
  });

  describe('a process that everybody has signed', () => {
    it('takes no place among those that a sweep looks at because of a deadline: it waits for its seal', async () => {
      ana = { ...ana, token: await signIn(app, ana) };
      const dueDate = new Date(app.clock.now().getTime() + 2 * 86_400_000).toISOString();
      const [signed = '', open = ''] = await three({ dueDate });
      await app.ctx.db.updateTable('signer').set({ status: 'SIGNED' }).where('signature_process_id', '=', signed).execute();
      app.clock.advance({ days: 2, seconds: 1 });
      const overdue = await listOverdueProcessIds(app.ctx, app.clock.now());
      assert.deepEqual([overdue.includes(signed), overdue.includes(open)], [false, true]);
    });
  });
});
