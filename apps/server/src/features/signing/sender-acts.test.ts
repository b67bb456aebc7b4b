import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@lavra/api';
import { sql } from 'kysely';
import { actOnProcess } from '../processes/life/act-on-process.ts';
import { takeOwnLink } from '../processes/reading/take-own-link.ts';
import { tellSignersJob } from '../processes/life/tell-signers.job.ts';
import type { Person } from '../../access/actor.ts';
import { replaceLinks } from '../../access/signer-links.store.ts';
import type { Ctx } from '../../context.ts';
import { listProcessEvents } from '../processes/life/event-chain.ts';
import { signedInAccount, signIn, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { createDraft, sendElectronically, signElectronically, startedProcess, type TestDraft } from '../../testing/processes.ts';

interface Correction {
  name: string;
  email: string;
  phoneNumber?: string | null;
  legalIdentifier?: string | null;
  companyIdentifier?: string | null;
}

describe('what the sender does for one signer', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { firstName: 'Ana' });
  });
  after(() => app.close());

  const mailsTo = async (email: string) => (await app.mailbox.list()).filter(({ to }) => to === email);
  /** The key of the link in the newest mail to somebody. */
  const mailedKey = async (email: string) => /\/signer\/[\w-]+\?user=([\w-]+)/.exec((await mailsTo(email))[0]?.text ?? '')?.[1] ?? '';
  const look = (processId: string, user: string) => app.call(api.getRequisitionInformation, { params: { processId }, query: { user } });
  const eventsOf = async (id: string) => (await listProcessEvents(app.ctx, id)).map(({ type }) => type);
  const copied = async ({ id, signerIds: [signerId = ''] }: TestDraft) => {
    const { body } = await app.call(api.getCurrentLinkSignature, { token: ana.token, params: { processId: id }, query: { signerId } });
    return /user=([\w-]+)/.exec(body.link)?.[1] ?? '';
  };
  const correct = ({ id, signerIds: [signerId = ''] }: TestDraft, body: Correction) =>
    app.call(api.correctSigner, { token: ana.token, params: { id, signerId }, body });

  /** A statement of this database waits for another one's lock. */
  async function untilSomebodyWaits(): Promise<void> {
    const waits = sql<{
      count: number;
    }>`select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await waits.execute(app.ctx.db)).rows[0]?.count === 0) await sleep(10);
  }

  it('corrects who has not acted: the old link is dead at once, a new one goes to the right address, and the log tells both', async () => {
    const draft = await startedProcess(app, ana, { signers: [{ name: 'Maria Errada', email: 'errada@exemplo.com.br' }] });
    const old = await mailedKey('errada@exemplo.com.br');
    assert.equal((await look(draft.id, old)).status, 200);
    assert.equal(
      (await correct(draft, { name: 'Maria Certa', email: 'certa@exemplo.com.br', legalIdentifier: '529.982.247-25' })).status,
      204,
    );
    assert.deepEqual([(await look(draft.id, old)).status, (await look(draft.id, old)).code], [410, 'signer.linkReplaced']);
    assert.equal((await app.call(api.registerOpened, { params: { signerId: old } })).code, 'signer.linkReplaced');
    await app.runJobs();
    assert.equal((await mailsTo('errada@exemplo.com.br')).length, 1);
    const fresh = await mailedKey('certa@exemplo.com.br');
    const { me } = (await look(draft.id, fresh)).body;
    assert.deepEqual([me?.name, me?.email, me?.can.sign], ['Maria Certa', 'certa@exemplo.com.br', true]);
    const events = await listProcessEvents(app.ctx, draft.id);
    const told = events.find(({ type }) => type === 'signer.corrected')?.data;
    assert.deepEqual(told, {
      name: 'Maria Certa',
      previousName: 'Maria Errada',
      previousEmail: 'errada@exemplo.com.br',
      email: 'certa@exemplo.com.br',
      cpfChanged: true,
      by: ana.email,
    });
    assert.equal(events.filter(({ type }) => type === 'signer.invited').length, 2);
    // Whose CPF it is counts from then on.
    assert.equal((await sendElectronically(app, draft.id, fresh, { name: 'Maria Certa', cpf: '111.444.777-35' })).code, 'signer.otherCpf');
    assert.equal((await signElectronically(app, draft.id, fresh, { name: 'Maria Certa' })).status, 204);
    assert.equal((await correct(draft, { name: 'Outra', email: 'certa@exemplo.com.br' })).code, 'signer.alreadySigned');
  });

  it('who is corrected to another address has the process’s language, whatever the person before chose for themselves', async () => {
    const draft = await startedProcess(app, ana, { signers: [{ name: 'Wrong Person', email: 'wrong@exemplo.com.br' }] });
    await app.call(api.setSignerLanguage, { params: { signerId: await mailedKey('wrong@exemplo.com.br') }, body: { langKey: 'en' } });
    const langKey = async (email: string) => (await look(draft.id, await mailedKey(email))).body.me?.langKey;
    // Another name alone is the same person's.
    assert.equal((await correct(draft, { name: 'Right Name', email: 'wrong@exemplo.com.br' })).status, 204);
    await app.runJobs();
    assert.equal(await langKey('wrong@exemplo.com.br'), 'en');
    assert.match((await mailsTo('wrong@exemplo.com.br'))[0]?.text ?? '', /Hello/);
    assert.equal((await correct(draft, { name: 'Pessoa Certa', email: 'pessoa.certa@exemplo.com.br' })).status, 204);
    await app.runJobs();
    assert.equal(await langKey('pessoa.certa@exemplo.com.br'), 'pt-br');
    assert.match((await mailsTo('pessoa.certa@exemplo.com.br'))[0]?.text ?? '', /Olá/);
  });

  it('corrects telephone and CNPJ as well; what is left out stays, and the log tells no number', async () => {
    const signer = { name: 'Nara Lima', email: 'nara@exemplo.com.br' };
    const draft = await startedProcess(app, ana, { signers: [signer] });
    const shown = async () => {
      const { body } = await app.call(api.getSubDataProcess, { token: ana.token, params: { processId: draft.id } });
      const [{ phoneNumber, companyIdentifier, legalIdentifier } = assert.fail()] = body.signers;
      return [phoneNumber, companyIdentifier, legalIdentifier];
    };
    const { name, email } = signer;
    assert.equal((await correct(draft, { name, email, phoneNumber: ' ', companyIdentifier: '1' })).code, 'company.cnpjInvalid');
    assert.equal((await correct(draft, { name, email, phoneNumber: '9'.repeat(60) })).code, 'signer.phoneInvalid');
    assert.equal((await correct(draft, { name, email, phoneNumber: '11 91111-1111' })).status, 204);
    assert.equal((await correct(draft, { name, email, companyIdentifier: '11.222.333/0001-81' })).status, 204);
    assert.deepEqual(await shown(), ['11 91111-1111', '11222333000181', null]);
    assert.equal((await correct(draft, { name, email, phoneNumber: null })).status, 204);
    assert.deepEqual(await shown(), [null, '11222333000181', null]);
    assert.equal((await correct(draft, { name, email })).code, 'signer.unchanged');
    const events = await listProcessEvents(app.ctx, draft.id);
    assert.deepEqual(
      events.filter(({ type }) => type === 'signer.corrected').map(({ data }) => data),
      [
        { name, phoneChanged: true, by: ana.email },
        { name, cnpjChanged: true, by: ana.email },
        { name, phoneChanged: true, by: ana.email },
      ],
    );
  });

  it('who is corrected before their turn is the account’s that has their address when they are called, and nobody’s before', async () => {
    const second = await signedInAccount(app, { email: 'segunda@exemplo.com.br' });
    const signers = [
      { name: 'Primeira', email: 'primeira@exemplo.com.br' },
      { name: 'Segunda Errada', email: second.email },
    ];
    const { id, signerIds } = await startedProcess(app, ana, { signers });
    const [firstId = '', secondId = ''] = signerIds;
    const accountOf = async () =>
      (await app.ctx.db.selectFrom('signer').select('user_id').where('id', '=', secondId).executeTakeFirstOrThrow()).user_id;
    const params = { id, signerId: secondId };
    const body = { name: 'Segunda Certa', email: second.email };
    assert.equal((await app.call(api.correctSigner, { token: ana.token, params, body })).status, 204);
    assert.equal(await accountOf(), null);
    assert.equal((await signElectronically(app, id, firstId)).status, 204);
    assert.equal(await accountOf(), second.id);
  });

  it('a signature that was asked for through the old link while it was corrected does not count', async () => {
    const draft = await startedProcess(app, ana, { signers: [{ name: 'Rui Prior', email: 'rui@exemplo.com.br' }] });
    const old = await mailedKey('rui@exemplo.com.br');
    const consentHash = (await look(draft.id, old)).body.consent.hash;
    const [corrected, signed] = await Promise.all([
      correct(draft, { name: 'Rui Certo', email: 'rui@exemplo.com.br' }),
      sendElectronically(app, draft.id, old, { name: 'Rui Prior', consentHash }),
    ]);
    // Whoever comes first decides; never both.
    if (corrected.status === 204) assert.ok(signed.status >= 400, String(signed.status));
    else assert.deepEqual([corrected.code, signed.status], ['signing.underWay', 204]);
    await app.runJobs();
  });

  /** Something is done by somebody else just before the next transaction begins. */
  const justBefore = (act: () => Promise<unknown>): Ctx => {
    let isDone = false;
    const transaction: Ctx['transaction'] = async (fn) => {
      if (!isDone) {
        isDone = true;
        await act();
      }
      return app.ctx.transaction(fn);
    };
    return { ...app.ctx, transaction };
  };

  /** What comes between the first that is read and all else. */
  function afterReading(act: () => Promise<void>): Ctx {
    let isDue = true;
    const db = app.ctx.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (isDue) {
          isDue = false;
          await act();
        }
        return result;
      },
    });
    return { ...app.ctx, db };
  }

  it('an invitation that is being written while its signer is corrected takes no new link to the old address, and the new one gets it', async () => {
    const [wrong, right] = ['escrita.errada@exemplo.com.br', 'escrita.certa@exemplo.com.br'];
    const draft = await startedProcess(app, ana, { signers: [{ name: 'Eva Escrita', email: wrong }] });
    const told = draft.signerIds.map((signerId) => ({ signerId, reminder: 1 }));
    const ctx = afterReading(async () => assert.equal((await correct(draft, { name: 'Eva Escrita', email: right })).status, 204));
    await tellSignersJob.run(ctx, { signatureProcessId: draft.id, told });
    await app.runJobs();
    assert.deepEqual([(await mailsTo(wrong)).length, (await mailsTo(right)).length], [2, 1]);
    assert.equal((await look(draft.id, await mailedKey(wrong))).code, 'signer.linkReplaced');
    assert.equal((await look(draft.id, await mailedKey(right))).status, 200);
  });

  it('whoever was a signer when they asked for their own link, and is none any more, does not get the link of who took their place', async () => {
    const bea = await signedInAccount(app, { firstName: 'Bea' });
    const draft = await startedProcess(app, ana, { signers: [{ name: 'Bea Prior', email: bea.email }] });
    const ctx = justBefore(async () =>
      assert.equal((await correct(draft, { name: 'Gil Certo', email: 'gil@exemplo.com.br' })).status, 204),
    );
    const { id: userId, email, firstName } = bea;
    const from = { ip: '203.0.113.9', userAgent: '', langKey: 'pt-br' } as const;
    const authorities = ['ROLE_USER'] as const;
    const actor: Person = {
      kind: 'person',
      userId,
      sessionId: userId,
      email,
      firstName,
      authorities,
      langKey: 'pt-br',
      company: null,
      from,
    };
    await assert.rejects(takeOwnLink(ctx, actor, draft.id), { code: 'process.notFound' });
  });

  it('a correction that waited for somebody else’s act, who opened the documents meanwhile, is made all the same', async () => {
    const draft = await startedProcess(app, ana, { signers: [{ name: 'Ida Lida', email: 'ida@exemplo.com.br' }] });
    const [signerId = ''] = draft.signerIds;
    const corrected = await app.ctx.transaction(async (tx) => {
      await actOnProcess(tx, draft.id, { kind: 'open', signerId, facts: { ip: '203.0.113.9', link: 'mailed' } });
      const waiting = correct(draft, { name: 'Ida Certa', email: 'ida@exemplo.com.br' });
      await untilSomebodyWaits();
      return { waiting };
    });
    assert.equal((await corrected.waiting).status, 204);
    assert.deepEqual((await eventsOf(draft.id)).slice(-3), ['signer.opened', 'signer.corrected', 'signer.invited']);
  });

  it('reminds and resends once an hour at most, and records it; the schedule of reminders stays', async () => {
    const email = 'lembrada@exemplo.com.br';
    const draft = await startedProcess(app, ana, { signers: [{ name: 'Lia Lembrada', email }] });
    const [signerId = ''] = draft.signerIds;
    const tell = (as: 'invitation' | 'reminder') =>
      app.call(api.tellSignerAgain, { token: ana.token, params: { id: draft.id, signerId }, body: { as } });
    const both = await Promise.all([tell('reminder'), tell('reminder')]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [204, 409]);
    assert.equal(both.find(({ status }) => status === 409)?.code, 'signer.toldRecently');
    assert.equal((await tell('invitation')).code, 'signer.toldRecently');
    await app.runJobs();
    assert.equal((await mailsTo(email)).length, 2);
    app.clock.advance({ minutes: 61 });
    ana = { ...ana, token: await signIn(app, ana) };
    assert.equal((await tell('invitation')).status, 204);
    await app.runJobs();
    assert.equal((await mailsTo(email)).length, 3);
    const types = await eventsOf(draft.id);
    assert.deepEqual(types.slice(-2), ['signer.nudged', 'signer.invitedAgain']);
    const row = await app.ctx.db.selectFrom('signer').select('reminders_sent').where('id', '=', signerId).executeTakeFirstOrThrow();
    assert.equal(row.reminders_sent, 0);
  });

  /** The newest code; mails that are sent together come in any order. */
  const codeFor = async (email: string) =>
    (await mailsTo(email)).map(({ text }) => /\b(\d{6})\b/.exec(text)?.[1]).find((code) => code !== undefined) ?? '';

  it('a copied link opens nothing before the code that goes to the signer, and the evidence says how it came', async () => {
    const email = 'copiada@exemplo.com.br';
    const draft = await startedProcess(app, ana, { signers: [{ name: 'Cora Copiada', email }] });
    const key = await copied(draft);
    assert.equal(await copied(draft), key);
    assert.notEqual(key, await mailedKey(email), 'the sender never has the link of the mail');
    const seen = (await look(draft.id, key)).body;
    assert.deepEqual([seen.me, seen.documents, seen.code?.email.includes('@'), seen.code?.email === email], [null, [], true, false]);
    assert.equal((await app.call(api.registerOpened, { params: { signerId: key } })).code, 'signer.codeRequired');
    assert.equal((await sendElectronically(app, draft.id, key)).code, 'signer.codeRequired');
    // The signer’s id, which the sender knows, is no link.
    const raw = await app.inject({ url: `/api/requisitionInformation/${draft.id}?user=${draft.signerIds[0]}` });
    assert.equal(raw.statusCode, 404);
    assert.equal((await app.call(api.askLinkCode, { params: { signerId: key } })).status, 204);
    await app.runJobs();
    const code = await codeFor(email);
    assert.equal(code.length, 6);
    const confirm = (given: string) => app.call(api.confirmLinkCode, { params: { signerId: key }, body: { code: given } });
    assert.equal((await confirm(code === '000000' ? '000001' : '000000')).code, 'signer.codeWrong');
    const { body } = await confirm(code);
    assert.equal((await confirm(code)).code, 'signer.codeWrong', 'a code is used once');
    assert.equal((await look(draft.id, body.user)).body.me?.email, email);
    assert.equal((await signElectronically(app, draft.id, body.user, { name: 'Cora Copiada' })).status, 204);
    assert.equal(
      (await app.ctx.db.selectFrom('signature_evidence').select('channel').orderBy('created_at', 'desc').executeTakeFirst())?.channel,
      'confirmed',
    );
    const types = await eventsOf(draft.id);
    assert.ok(types.includes('link.handedOut') && types.includes('link.confirmed'));
  });

  it('a code that is given while its signer is corrected is wrong, and does not stand in the way of the correction', async () => {
    const email = 'ulla@exemplo.com.br';
    const draft = await startedProcess(app, ana, { signers: [{ name: 'Ulla Prior', email }] });
    const [key, signerId = ''] = [await copied(draft), draft.signerIds[0]];
    await app.call(api.askLinkCode, { params: { signerId: key } });
    await app.runJobs();
    const code = await codeFor(email);
    const confirmed = await app.ctx.transaction(async (tx) => {
      // As a correction does: the process, then its signer's links.
      await actOnProcess(tx, draft.id, { kind: 'open', signerId, facts: { ip: '203.0.113.9', link: 'mailed' } });
      const waiting = app.call(api.confirmLinkCode, { params: { signerId: key }, body: { code } });
      await untilSomebodyWaits();
      await replaceLinks(tx, signerId);
      return { waiting };
    });
    assert.equal((await confirmed.waiting).code, 'signer.codeWrong');
  });

  it('a code is tried five times, and holds for a quarter of an hour', async () => {
    const email = 'tentada@exemplo.com.br';
    const draft = await startedProcess(app, ana, { signers: [{ name: 'Tina Tentada', email }] });
    const key = await copied(draft);
    const codeOf = async () => {
      await app.call(api.askLinkCode, { params: { signerId: key } });
      await app.runJobs();
      return await codeFor(email);
    };
    const confirm = (code: string) => app.call(api.confirmLinkCode, { params: { signerId: key }, body: { code } });
    const first = await codeOf();
    assert.equal(first.length, 6);
    for (let time = 0; time < 5; time += 1) await confirm(first === '999999' ? '999998' : '999999');
    assert.equal((await confirm(first)).code, 'signer.codeWrong');
    const second = await codeOf();
    app.clock.advance({ minutes: 16 });
    assert.equal((await confirm(second)).code, 'signer.codeWrong');
    // Ten codes a day: whoever holds the link, the sender too, has fifty guesses in a million.
    const asked = () => app.call(api.askLinkCode, { params: { signerId: key } });
    for (let time = 3; time <= 10; time += 1) assert.equal((await asked()).status, 204, `code ${time}`);
    assert.equal((await asked()).code, 'request.tooMany');
  });

  it('people called before are offered to who called them, each address once under its latest name, and to nobody else', async () => {
    const vera = await signedInAccount(app);
    await startedProcess(app, vera, { signers: [{ name: 'Rui Sá', email: 'rui@exemplo.com.br' }] });
    app.clock.advance({ minutes: 1 });
    const both = [
      { name: 'Rui Sá Neto', email: 'rui@exemplo.com.br' },
      { name: 'Téo Cruz', email: 'teo@exemplo.com.br' },
    ];
    await startedProcess(app, vera, { signers: both });
    await createDraft(app, vera, { signers: [{ name: 'Não Enviado', email: 'rascunho@exemplo.com.br' }] });
    const contacts = async (token: string) => (await app.call(api.listContacts, { token })).body;
    assert.deepEqual(await contacts(vera.token), both);
    assert.deepEqual(await contacts((await signedInAccount(app)).token), []);
    assert.equal((await app.call(api.listContacts, {})).status, 401);
  });

  it('what ended without everybody’s signature is begun again from what it was, by its owner alone', async () => {
    ana = { ...ana, token: await signIn(app, ana) };
    const draft = await startedProcess(app, ana, {
      signers: [{ name: 'Nina Não', email: 'nina@exemplo.com.br' }],
      reminderIn: 2,
      langKey: 'es',
    });
    const template = (token: string) => app.call(api.getProcessTemplate, { token, params: { id: draft.id } });
    assert.equal((await template(ana.token)).code, 'process.notRepeatable');
    await app.call(api.createSignatureRejected, {
      body: { processId: draft.id, signerId: draft.signerIds[0] ?? '', rejectCause: 'Falta a cláusula 4' },
    });
    const { body } = await template(ana.token);
    assert.deepEqual(
      [body.title, body.reminderIn, body.documents.map(({ name }) => name), body.signers.map(({ name, email }) => [name, email])],
      ['Contrato de aluguel', 2, ['contrato.pdf'], [['Nina Não', 'nina@exemplo.com.br']]],
    );
    assert.equal(body.langKey, 'es', 'in the language in which it was');
    const other = await signedInAccount(app);
    assert.equal((await template(other.token)).code, 'process.notFound');
    const story = await app.call(api.getProcessStory, { token: ana.token, params: { id: draft.id } });
    assert.equal(story.body.story.find(({ type }) => type === 'signer.rejected')?.cause, 'Falta a cláusula 4');
    const list = await app.call(api.getProcessesInfos, { token: ana.token, query: { status: 'FINALIZED_BY_REJECTION' } });
    assert.deepEqual(
      list.body.signatureProcesses.map(({ id, creatorName }) => [id, creatorName]),
      [[draft.id, 'Ana']],
    );
  });
});
