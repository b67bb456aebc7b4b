import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { limits } from '@lavra/domain';
import { sql } from 'kysely';
import { signedInAccount, type TestAccount, tokenOf } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createDraft, signElectronically, startedProcess } from '../../../testing/processes.ts';

const title = 'Sua conta foi bloqueada: acesse https://evil.example/ agora';

describe('an account without history', () => {
  let app: TestApp;
  let eva: TestAccount;
  before(async () => {
    app = await startTestApp();
    await signedInAccount(app);
    eva = await signedInAccount(app, { firstName: 'Evil evil.example' });
  });
  after(() => app.close());

  const people = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({ name: 'Bia Lima', email: `alvo${from + index}@exemplo.com.br`, order: 0 }));
  const start = (id: string) => app.call(api.startSignatureProcess, { token: eva.token, params: { id } });
  const mailsTo = async (domain: string) => (await app.mailbox.list()).filter(({ to }) => to.endsWith(domain) && to.startsWith('alvo'));

  it('calls no more people than a person would, in one process and in many at once, and is told so at the start', async () => {
    const max = limits.peoplePerHourNewSender;
    const tooMany = await createDraft(app, eva, { title, signers: people(max + 1) });
    const refused = await start(tooMany.id);
    assert.deepEqual([refused.status, refused.code, refused.raw.json().params], [429, 'process.tooManyInvitations', { max }]);
    const drafts = [];
    for (let from = 0; from < max + 20; from += 20) drafts.push(await createDraft(app, eva, { title, signers: people(20, from) }));
    const started = await Promise.all(drafts.map(({ id }) => start(id)));
    assert.equal(started.filter(({ status }) => status === 204).length, Math.floor(max / 20));
    await app.runJobs();
    assert.equal((await mailsTo('@exemplo.com.br')).length, Math.floor(max / 20) * 20);
    app.clock.advance({ hours: 1, seconds: 1 });
    const later = started.findIndex(({ status }) => status === 429);
    assert.equal((await start(drafts[later]?.id ?? '')).status, 204);
  });

  it('is counted the same where a version that did not write down how many it called has started some', async () => {
    const counted = async () => {
      const { rows } = await sql<{ people: number; written: number }>`
        select people_called(${eva.id}, '-infinity', gen_random_uuid()) as people,
          (select count(called)::int from signature_process where owner_id = ${eva.id}) as written`.execute(app.ctx.db);
      return rows[0] ?? { people: 0, written: 0 };
    };
    const before = await counted();
    const started = await app.ctx.db.selectFrom('signature_process').select('id').where('started_at', 'is not', null).execute();
    assert.deepEqual(before, { people: started.length * 20, written: started.length });
    await sql`update signature_process set called = null where id = ${started[0]?.id}`.execute(app.ctx.db);
    assert.deepEqual(await counted(), { people: before.people, written: before.written - 1 });
  });

  it('has no words of its own in the subject, nor any link but ours in what is sent for it', async () => {
    await app.runJobs();
    const { id } = await app.ctx.db
      .selectFrom('signature_process')
      .select('id')
      .where('status', '=', 'IN_PROGRESS')
      .limit(1)
      .executeTakeFirstOrThrow();
    assert.equal((await app.call(api.cancelProcess, { token: eva.token, params: { id } })).status, 204);
    await app.runJobs();
    const mails = await mailsTo('@exemplo.com.br');
    assert.deepEqual(
      new Set(mails.map(({ subject }) => subject)),
      new Set(['Um documento espera sua assinatura', 'Um processo de assinatura foi cancelado']),
    );
    for (const { html, text } of mails) {
      for (const [address] of html.matchAll(/https?:\/\/[^"<\s]+/g)) assert.ok(address.startsWith('http://lavra.test/'), address);
      assert.doesNotMatch(text.replaceAll('http://lavra.test', ''), /https?:\/\/|\bevil\.example/);
      assert.ok(text.replaceAll('\u2060', '').includes(title), 'it is still read');
    }
  });

  it('names its document in the subject when it has a history', async () => {
    const ana = await signedInAccount(app, { email: 'ana@exemplo.com.br' });
    for (let finished = 0; finished < limits.newSenderFinishedProcesses; finished += 1) {
      const draft = await startedProcess(app, ana);
      await signElectronically(app, draft.id, draft.signerIds[0] ?? '');
    }
    app.clock.advance({ days: limits.newSenderDays });
    const { token } = await signedInAgain(ana);
    await startedProcess(app, { ...ana, token }, { title: 'Contrato de obra', signers: people(1, 900) });
    const mail = (await app.mailbox.list()).find(({ to }) => to === 'alvo900@exemplo.com.br');
    assert.match(mail?.subject ?? '', /Contrato de obra$/);
  });

  async function signedInAgain(account: TestAccount) {
    const { body } = await app.call(api.authenticate, { body: { username: account.email, password: account.password } });
    return { token: tokenOf(body) };
  }

  it('leaves its address, and nobody’s, in no job', async () => {
    await app.call(api.requestPasswordReset, { body: eva.email });
    await app.runJobs();
    const { rows } = await sql<{ data: unknown }>`select data from pgboss.job`.execute(app.ctx.db);
    assert.ok(rows.length > 0);
    assert.deepEqual(
      rows.filter(({ data }) => JSON.stringify(data ?? '').includes('@')),
      [],
    );
  });
});
