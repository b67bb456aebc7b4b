import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { sendElectronically, signElectronically, startedProcess } from '../../testing/processes.ts';
import { resumeFinalizationJob } from '../sealing/finalize-process.job.ts';
import { sweepAttemptsJob } from '../signing/sweep-attempts.job.ts';
import { runAcceptClock } from '../../commands/accept-clock.ts';
import { isClockBehind, markTimeJob } from './clock-watch.ts';

const bia = { name: 'Bia Lima', email: 'bia@exemplo.com.br' };
const caio = { name: 'Caio Reis', email: 'caio@exemplo.com.br' };

describe('a clock that went back', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { firstName: 'Ana' });
  });
  after(() => app.close());

  const eventsOf = async (id: string) =>
    app.ctx.db.selectFrom('event').select(['at', 'type']).where('signature_process_id', '=', id).orderBy('seq').execute();
  const row = (id: string) =>
    app.ctx.db.selectFrom('signature_process').select(['status', 'problem']).where('id', '=', id).executeTakeFirstOrThrow();
  const statusOf = async (processId: string, signerId: string) =>
    (await app.call(api.getSignatureStatus, { params: { processId, signerId } })).body;
  const verdictsOf = async (documentId = '') => {
    const { body: entry } = await app.call(api.loginValidation, { query: { documentId, emailSigner: bia.email } });
    const { body } = await app.call(api.getValidation, { query: { documentId, ticket: entry.ticket ?? '' } });
    return [...body.signers, ...body.seals].map(({ indication }) => indication);
  };

  it('refuses to act and says so, to the signer and in readiness, and goes on when it is right again', async () => {
    const draft = await startedProcess(app, ana, { signers: [bia, caio] });
    const [first = '', second = ''] = draft.signerIds;
    await signElectronically(app, draft.id, first);
    const known = await eventsOf(draft.id);
    app.clock.advance({ hours: -2 });
    const refused = await sendElectronically(app, draft.id, second);
    assert.deepEqual([refused.status, refused.code, refused.headers['retry-after']], [503, 'server.clockBehind', '60']);
    const canceled = await app.call(api.cancelProcess, { token: ana.token, params: { id: draft.id } });
    assert.equal(canceled.code, 'server.clockBehind');
    assert.deepEqual(await eventsOf(draft.id), known);
    assert.ok(await isClockBehind(app.ctx));
    const readiness = await app.inject('/management/health/readiness');
    assert.equal(readiness.statusCode, 503);
    assert.deepEqual(readiness.json().components.clock, { status: 'DOWN', reason: 'behind' });
    app.clock.advance({ hours: 2 });
    assert.ok(!(await isClockBehind(app.ctx)));
    assert.equal((await signElectronically(app, draft.id, second)).status, 204);
    assert.equal((await row(draft.id)).status, 'FINALIZED_WITH_SUCCESS');
    assert.ok((await verdictsOf(draft.documentIds[0])).every((verdict) => verdict === 'TOTAL-PASSED'));
  });

  it('lets a signature that was asked for wait, however long, and takes it up by itself', async () => {
    const draft = await startedProcess(app, ana, { signers: [bia] });
    const [signer = ''] = draft.signerIds;
    assert.equal((await sendElectronically(app, draft.id, signer)).status, 204);
    app.clock.advance({ days: -30 });
    for (let minute = 0; minute < 10; minute += 1) {
      await app.runJobs();
      await sweepAttemptsJob.run(app.ctx, {});
    }
    const { status, reason } = await statusOf(draft.id, signer);
    assert.deepEqual([status, reason], ['SIGNING', 'server.clockBehind']);
    app.clock.advance({ days: 30 });
    await sweepAttemptsJob.run(app.ctx, {});
    await app.runJobs();
    assert.equal((await row(draft.id)).status, 'FINALIZED_WITH_SUCCESS');
    assert.ok((await verdictsOf(draft.documentIds[0])).every((verdict) => verdict === 'TOTAL-PASSED'));
  });

  it('lets the seal wait, with the reason for the owner, and seals when it is right again', async () => {
    const draft = await startedProcess(app, ana, { signers: [bia] });
    await sendElectronically(app, draft.id, draft.signerIds[0] ?? '');
    const { signElectronicJob } = await import('../signing/electronic/sign-electronic.job.ts');
    const attempt = await app.ctx.db.selectFrom('signing_attempt').select('id').where('state', '=', 'signing').executeTakeFirstOrThrow();
    await signElectronicJob.run(app.ctx, { attemptId: attempt.id });
    app.clock.advance({ hours: -2 });
    await app.runJobs();
    assert.deepEqual(await row(draft.id), { status: 'IN_PROGRESS', problem: 'server.clockBehind' });
    app.clock.advance({ hours: 2 });
    await resumeFinalizationJob.run(app.ctx, {});
    await app.runJobs();
    assert.deepEqual(await row(draft.id), { status: 'FINALIZED_WITH_SUCCESS', problem: null });
    assert.ok((await verdictsOf(draft.documentIds[0])).every((verdict) => verdict === 'TOTAL-PASSED'));
  });

  it('by a few seconds, as between two programs, is bridged: events never go back in time', async () => {
    const draft = await startedProcess(app, ana, { signers: [bia] });
    app.clock.advance({ seconds: -4 });
    assert.equal((await app.call(api.registerOpened, { params: { signerId: draft.signerIds[0] ?? '' } })).status, 204);
    const events = await eventsOf(draft.id);
    assert.equal(events.at(-1)?.type, 'signer.opened');
    assert.deepEqual(events.at(-1)?.at, events.at(-2)?.at);
    app.clock.advance({ seconds: 4 });
  });

  it('is noticed after a day without acts, and the mark is not taken back by it', async () => {
    app.clock.advance({ days: 1 });
    await markTimeJob.run(app.ctx, {});
    app.clock.advance({ hours: -1 });
    await markTimeJob.run(app.ctx, {});
    assert.ok(await isClockBehind(app.ctx));
    app.clock.advance({ hours: 1 });
  });

  it('and was ahead before holds acts back until whoever runs the server says that it is right', async () => {
    const right = app.clock.now();
    app.clock.advance({ days: 300 });
    await markTimeJob.run(app.ctx, {});
    app.clock.set(right);
    assert.equal(await isClockBehind(app.ctx), true);
    const command = async (...args: string[]) => {
      const lines: string[] = [];
      return { code: await runAcceptClock(app.ctx, args, (line) => void lines.push(line)), text: lines.join('\n') };
    };
    assert.match((await command()).text, /^Hora aceita: o relógio tinha estado 432000 min à frente/);
    assert.equal(await isClockBehind(app.ctx), false);
    const recorded = await app.ctx.db
      .selectFrom('audit_event')
      .select(['outcome', 'reason'])
      .where('kind', '=', 'clock.accepted')
      .execute();
    assert.deepEqual(recorded, [{ outcome: 'success', reason: 'command' }]);
    assert.deepEqual(await command(), { code: 0, text: 'A hora deste computador já é a certa: nada a fazer.' });
    assert.equal((await command('--help')).code, 2);
  });
});
