import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { sql } from 'kysely';
import { followLoggers } from '../../installation/follow-loggers.ts';
import { signedInAccount, type TestAccount, tokenOf } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { exhaustJobs } from '../../testing/jobs.ts';
import { blobsOf, revisionHash } from '../../testing/blobs.ts';
import { createDraft, sendElectronically, startedProcess } from '../../testing/processes.ts';
import { finalizeProcess } from '../processes/hand-over.ts';
import { signElectronicJob } from '../signing/electronic/sign-electronic.job.ts';
import { watchedEnds } from './watched-ends.ts';
import { watchExpiryJob } from './watch-expiry.job.ts';

const DAY_MS = 86_400_000;
const nobody = '00000000-0000-4000-8000-00000000dead';

describe('care for the installation', () => {
  let app: TestApp;
  let admin: TestAccount;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    admin = await signedInAccount(app);
    ana = await signedInAccount(app);
  });
  after(() => app.close());
  const asAdmin = () => ({ token: admin.token });

  it('shows a job that failed for good with a reason that names nobody, and tries it once more when asked', async () => {
    const mail = { mailId: nobody };
    await app.ctx.jobs.send({ name: 'send-mail', exclusive: true }, mail, { key: nobody });
    const message = 'no route to ana@exemplo.com.br';
    await sql`update pgboss.job set state = 'failed', completed_on = now(), output = ${JSON.stringify({ message })}::jsonb
      where name = 'send-mail' and singleton_key = ${nobody}`.execute(app.ctx.db);
    const { body } = await app.call(api.listFailedJobs, { ...asAdmin(), query: {} });
    const [job] = body.items;
    assert.deepEqual([body.total, job?.name, job?.reason], [1, 'send-mail', 'no route to <e-mail>']);
    const kinds = (await app.call(api.listJobKinds, asAdmin())).body.items;
    assert.equal(kinds.find(({ name }) => name === 'send-mail')?.failed, 1);
    assert.ok(!kinds.some(({ name }) => name.startsWith('__')));
    const retry = () => app.call(api.retryJob, { ...asAdmin(), params: { name: 'send-mail', id: job?.id ?? '' } });
    assert.equal((await retry()).status, 204);
    assert.equal((await retry()).code, 'job.notFailed', 'pressed twice, it is tried once');
    await app.runJobs();
    assert.equal((await app.call(api.listFailedJobs, { ...asAdmin(), query: {} })).body.total, 0);
    assert.equal((await app.call(api.retryJob, { ...asAdmin(), params: { name: '__pgboss__x', id: nobody } })).status, 404);
    assert.equal((await app.call(api.retryJob, { ...asAdmin(), params: { name: 'send-mail', id: 'no-uuid' } })).status, 404);
    assert.equal((await app.call(api.retryJob, { token: ana.token, params: { name: 'send-mail', id: nobody } })).status, 403);
  });

  it('does not try a failed job again beside its like that waits', async () => {
    await app.ctx.jobs.send({ name: 'send-mail', exclusive: true }, { mailId: nobody }, { key: nobody });
    await sql`update pgboss.job set state = 'failed', completed_on = now() where name = 'send-mail' and singleton_key = ${nobody}`.execute(
      app.ctx.db,
    );
    await app.ctx.jobs.send({ name: 'send-mail', exclusive: true }, { mailId: nobody }, { key: nobody });
    const [job] = (await app.call(api.listFailedJobs, { ...asAdmin(), query: {} })).body.items;
    assert.equal((await app.call(api.retryJob, { ...asAdmin(), params: { name: 'send-mail', id: job?.id ?? '' } })).code, 'job.notFailed');
    await app.runJobs();
  });

  it('shows a finalisation that is stuck with its reason, without title or file, and finishes it when asked', async () => {
    const { id, signerIds, documentIds } = await startedProcess(app, ana, { title: 'Demissão de Bia', documents: ['bia.pdf'] });
    await sendElectronically(app, id, signerIds[0] ?? '');
    const attempt = await app.ctx.db.selectFrom('signing_attempt').select('id').where('state', '=', 'signing').executeTakeFirstOrThrow();
    await signElectronicJob.run(app.ctx, { attemptId: attempt.id });
    const hash = await revisionHash(app, documentIds[0] ?? '', 'signature');
    const bytes = await blobsOf(app).read(hash);
    await blobsOf(app).lose(hash);
    await exhaustJobs(app, 'finalize-process');
    const listed = async () => (await app.call(api.listStuckProcesses, asAdmin())).body.items.find((one) => one.id === id);
    const stuck = await listed();
    assert.deepEqual([stuck?.owner, stuck?.phase, stuck?.problem, stuck?.canRetry], [ana.email, 'finalization', 'storage.damaged', true]);
    assert.doesNotMatch(JSON.stringify(stuck), /Demissão|bia\.pdf/);
    const attention = async () => (await app.call(api.getInstallationHealth, asAdmin())).body.attention;
    const told = (all: api.Attention[], kind: string, name: string) => all.find((one) => one.kind === kind && one.name === name);
    const all = await attention();
    assert.equal(told(all, 'processesStuck', 'finalization')?.count, 1);
    assert.ok((told(all, 'jobsGivenUp', 'finalize-process')?.count ?? 0) >= 1);
    await app.ctx.jobs.send(finalizeProcess, { signatureProcessId: id }, { key: 'waits' });
    await sql`update pgboss.job set start_after = now() - interval '3 minutes' where singleton_key = 'waits'`.execute(app.ctx.db);
    const waiting = told(await attention(), 'jobsWait', 'finalize-process');
    assert.ok((waiting?.ms ?? 0) >= 180_000, JSON.stringify(waiting));
    await sql`delete from pgboss.job where singleton_key = 'waits'`.execute(app.ctx.db);
    await blobsOf(app).giveBack(hash, bytes);
    const retry = (token: string) => app.call(api.retryStuckProcess, { token, params: { id } });
    assert.equal((await retry(ana.token)).status, 403);
    assert.equal((await retry(admin.token)).status, 204);
    assert.equal((await retry(admin.token)).status, 204, 'one that waits already is left to run once');
    await app.runJobs();
    assert.equal(await listed(), undefined);
    const ended = await app.call(api.getSignatureProcess, { token: ana.token, params: { id } });
    assert.equal(ended.body.status, 'FINALIZED_WITH_SUCCESS');
    assert.equal((await retry(admin.token)).code, 'process.notFound');
  });

  it('tries nothing again where people are waited for, and knows no draft', async () => {
    const open = await startedProcess(app, ana);
    const draft = await createDraft(app, ana);
    const retry = (id: string) => app.call(api.retryStuckProcess, { ...asAdmin(), params: { id } });
    assert.equal((await retry(open.id)).code, 'process.notStuck');
    assert.equal((await retry(draft.id)).code, 'process.notFound');
    assert.equal((await retry('no-uuid')).status, 404);
  });

  it('sends a test mail and says whether the server took it, or why not', async () => {
    const sent = await app.call(api.sendTestMail, asAdmin());
    assert.deepEqual([sent.body.isAccepted, sent.body.to, sent.body.reason], [true, admin.email, null]);
    const mail = (await app.mailbox.list()).find(({ to, subject }) => to === admin.email && subject.includes('Teste'));
    assert.ok(mail);
    const away = await startTestApp({ config: { smtpUrl: 'smtp://user:password@127.0.0.1:1' } });
    const other = await signedInAccount(away);
    const { body } = await away.call(api.sendTestMail, { token: other.token });
    assert.deepEqual([body.isAccepted, body.reason, body.server], [false, 'unreachable', 'smtp://127.0.0.1:1']);
    await away.close();
  });

  it('checks the storage by using it, and names the files that are at fault', async () => {
    const { body } = await app.call(api.checkStorage, asAdmin());
    assert.deepEqual([body.works, body.reason, body.kind], [true, null, 'disk']);
    assert.ok(body.files > 0 && body.bytes > 0);
    const broken = await startTestApp();
    const other = await signedInAccount(broken);
    broken.ctx.storage.probe = () => Promise.reject(new Error('no such device'));
    const answer = await broken.call(api.checkStorage, { token: other.token });
    assert.deepEqual([answer.status, answer.body.works, answer.body.reason], [200, false, 'storage.unavailable']);
    await broken.close();
  });
});

describe('ends of certificates', () => {
  let app: TestApp;
  let admin: TestAccount;
  before(async () => {
    app = await startTestApp();
    admin = await signedInAccount(app);
    await signedInAccount(app);
  });
  after(() => app.close());

  const mails = async () => {
    await app.runJobs();
    return (await app.mailbox.list()).filter(({ subject }) => subject.includes('certificado'));
  };

  it('are listed with the days that are left, and administrators are written to 60, 30 and 7 days before and at the end, once each', async () => {
    const seal = (await watchedEnds(app.ctx)).find(({ use }) => use === 'seal') ?? assert.fail('no seal');
    const counts: number[] = [];
    for (const days of [61, 59, 58, 29, 28, 6, 5, -1, -2]) {
      app.clock.set(new Date(seal.endsAt.getTime() - days * DAY_MS));
      await watchExpiryJob.run(app.ctx, {});
      await watchExpiryJob.run(app.ctx, {});
      counts.push((await mails()).length);
    }
    assert.deepEqual(counts, [0, 1, 1, 2, 2, 3, 3, 4, 4]);
    const sent = await mails();
    assert.ok(sent.every(({ to }) => to === admin.email));
    assert.match(sent.map(({ text }) => text).join('\n'), /Selo da plataforma/);
    const { token } = { token: await signInAgain() };
    const { body } = await app.call(api.listInstallationCertificates, { token });
    const told = body.items.find(({ use }) => use === 'seal');
    assert.deepEqual([told?.state, told?.daysLeft], ['ended', -2]);
    assert.equal(body.items.find(({ use }) => use === 'ownAuthority')?.state, 'good');
  });

  async function signInAgain(): Promise<string> {
    const { body } = await app.call(api.authenticate, { body: { username: admin.email, password: admin.password } });
    return tokenOf(body);
  }

  it('leave the log’s levels alone: a level that no version knows is ignored', async () => {
    await sql`insert into logger_level values ('of-a-later-version', 'debug', now()), ('jobs', 'shout', now())`.execute(app.ctx.db);
    await followLoggers(app.ctx);
    assert.equal(app.ctx.log.level, 'silent');
  });
});
