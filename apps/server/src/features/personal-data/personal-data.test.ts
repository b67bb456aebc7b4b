import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { maskEmail } from '@lavra/domain';
import { unzipSync } from 'fflate';
import { sql } from 'kysely';
import { registeredAccount, signedInAccount, signIn, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { createDraft, signElectronically, startedProcess, type TestDraft } from '../../testing/processes.ts';
import { forgetPeopleJob } from './forget-people.job.ts';
import { isChainIntact, listProcessEvents } from '../processes/life/event-chain.ts';

/** Tables in which a text stands, wherever in them. */
async function tablesWith(app: TestApp, text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(
    app.ctx.db,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const row = await sql`select 1 from ${sql.table(name)} as t where t::text ilike ${`%${text}%`} limit 1`.execute(app.ctx.db);
    if (row.rows.length > 0) found.push(name);
  }
  return found;
}

describe('the data of a person', () => {
  let app: TestApp;
  let admin: TestAccount;
  let ana: TestAccount;
  let bruno: TestAccount;
  let finished: TestDraft;
  let received: TestDraft;
  let running: TestDraft;
  before(async () => {
    app = await startTestApp();
    admin = await signedInAccount(app, { firstName: 'Rita', email: 'rita@lavra.com.br' });
    ana = await signedInAccount(app, { firstName: 'Anacleta', email: 'anacleta@exemplo.com.br' });
    bruno = await signedInAccount(app, { firstName: 'Bruno', email: 'bruno@exemplo.com.br' });
    const { status } = await app.call(api.signatureModels.create, {
      token: ana.token,
      body: {
        name: 'Da Anacleta',
        width: 200,
        height: 80,
        imagePosition: 'LEFT',
        customText: '',
        textFont: 'HELVETICA',
        textFontSize: 10,
        textPadding: 4,
        textAlignment: 'LEFT',
      },
    });
    assert.equal(status, 201);
    await app.call(api.companies.create, { token: ana.token, body: { name: 'Só dela' } });
    const own = { name: 'Anacleta', email: ana.email };
    finished = await startedProcess(app, ana, { title: 'Contrato concluído', signers: [own] });
    await signElectronically(app, finished.id, finished.signerIds[0] ?? '', { name: 'Anacleta', cpf: '111.444.777-35' });
    received = await createDraft(app, admin, {
      title: 'Recebido',
      signers: [own, { name: 'Bia Lima', email: 'bia@exemplo.com.br', order: 0 }],
    });
    await app.call(api.startSignatureProcess, { token: admin.token, params: { id: received.id } });
    running = await createDraft(app, ana, { title: 'Em andamento' });
    await app.call(api.startSignatureProcess, { token: ana.token, params: { id: running.id } });
    await createDraft(app, ana, { title: 'Rascunho dela' });
    await app.runJobs();
  });
  after(() => app.close());

  const exported = () => app.call(api.exportPersonalData, { token: admin.token, params: { id: ana.id } });
  const erase = (email: string, id = ana.id) => app.call(api.erasePersonalData, { token: admin.token, params: { id }, body: { email } });
  const lastAudit = (kind: string) =>
    app.ctx.db.selectFrom('audit_event').selectAll().where('kind', '=', kind).orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();

  it('come as one ZIP: what is kept of them as JSON, their files, and what stays when they are erased; and nothing that opens an account', async () => {
    const answer = await exported();
    assert.equal(answer.status, 200);
    const files = unzipSync(answer.raw.rawPayload);
    const names = Object.keys(files);
    assert.match(Buffer.from(files['LEIA-ME.txt'] ?? []).toString(), /art\. 16, I/);
    const text = Buffer.from(files['dados.json'] ?? []).toString();
    const data = JSON.parse(text) as {
      account: { email: string };
      company: { name: string };
      signatureModels: { name: string }[];
      log: unknown[];
      processes: {
        title: string;
        startedByThem: boolean;
        signers: { isOwn?: true; email: string; acts?: { cpf: string; ip: string }[] }[];
      }[];
    };
    assert.deepEqual([data.account.email, data.company.name], [ana.email, 'Só dela']);
    assert.deepEqual(
      data.signatureModels.map(({ name }) => name),
      ['Da Anacleta'],
    );
    assert.ok(data.log.length > 0);
    assert.deepEqual(data.processes.map(({ title, startedByThem }) => [title, startedByThem]).toSorted(), [
      ['Contrato concluído', true],
      ['Em andamento', true],
      ['Rascunho dela', true],
      ['Recebido', false],
    ]);
    const signersOf = (asked: string) => data.processes.find(({ title }) => title === asked)?.signers;
    const own = signersOf('Contrato concluído')?.[0];
    assert.deepEqual(
      signersOf('Recebido')
        ?.map(({ email }) => email)
        .toSorted(),
      [ana.email, maskEmail('bia@exemplo.com.br')],
    );
    assert.deepEqual([own?.isOwn, own?.acts?.[0]?.cpf, own?.acts?.[0]?.ip], [true, '11144477735', '203.0.113.20']);
    assert.ok(names.some((name) => name.startsWith(`processos/${finished.id}/1 `)));
    assert.ok(names.includes(`processos/${finished.id}/evidencias.pdf`));
    assert.ok(names.some((name) => name.startsWith('assinaturas/')));
    assert.ok(!names.some((name) => name.includes(received.id)), 'the files of others are not theirs to give');
    const { password_hash: hash } = await app.ctx.db
      .selectFrom('app_user')
      .select('password_hash')
      .where('id', '=', ana.id)
      .executeTakeFirstOrThrow();
    assert.ok(hash && !text.includes(hash));
    for (const id of [...finished.signerIds, ...received.signerIds]) assert.ok(!text.includes(id), 'a signer’s id opens their page');
    const row = await lastAudit('account.exported');
    assert.deepEqual([row.account_id, row.subject_id, row.details], [admin.id, ana.id, null]);
  });

  it('are asked for by administrators alone', async () => {
    const { status } = await app.call(api.exportPersonalData, { token: ana.token, params: { id: ana.id } });
    const refused = await app.call(api.erasePersonalData, { token: ana.token, params: { id: ana.id }, body: { email: ana.email } });
    assert.deepEqual([status, refused.status], [403, 403]);
  });

  it('are not erased without the account’s address, while others wait for what they started, nor of the last administrator', async () => {
    assert.deepEqual(
      [(await erase('outra@exemplo.com.br')).code, (await erase(ana.email)).code],
      ['user.erasureUnconfirmed', 'user.processesRunning'],
    );
    assert.equal((await erase(admin.email, admin.id)).code, 'user.lastAdministrator');
    assert.equal((await app.call(api.getAccount, { token: ana.token })).body.email, ana.email);
  });

  it('are not erased while they own a contract, which would free their company of its plan: first it is given to another, or to nobody', async () => {
    const { token } = admin;
    const contract = { validity: '2040-01-01T00:00:00Z', paymentType: '1' };
    const { body } = await app.call(api.contracts.create, { token, body: { ...contract, applicationUsers: { id: bruno.id } } });
    const refused = await erase(bruno.email, bruno.id);
    assert.deepEqual([refused.status, refused.code], [409, 'user.ownsContract']);
    assert.equal((await app.call(api.users.get, { token, params: { id: bruno.id } })).body.state, 'active', 'nothing of it is gone');
    await app.call(api.contracts.update, { token, params: { id: body.id }, body: { ...contract, applicationUsers: { id: admin.id } } });
    assert.equal((await erase(bruno.email, bruno.id)).status, 204);
    const ofBruno = { ...contract, applicationUsers: { id: bruno.id } };
    for (const given of [
      await app.call(api.contracts.create, { token, body: ofBruno }),
      await app.call(api.contracts.update, { token, params: { id: body.id }, body: ofBruno }),
    ])
      assert.deepEqual([given.status, given.code], [400, 'contract.ownerUnknown'], 'who is erased is nobody to give it to');
  });

  it('are gone from every table but those that the law’s evidence stands in', async () => {
    await app.call(api.cancelProcess, { token: ana.token, params: { id: running.id } });
    await app.runJobs();
    assert.equal((await erase(` ${ana.email.toUpperCase()} `)).status, 204);
    await app.runJobs();
    // The signer that she was, the words of the process that she signed, its log, her act and the certificate of it.
    assert.deepEqual(await tablesWith(app, ana.email), ['event', 'listed_process', 'signer']);
    assert.deepEqual(await tablesWith(app, 'Anacleta'), ['event', 'issued_certificate', 'listed_process', 'signature_evidence', 'signer']);
    assert.deepEqual(await tablesWith(app, '11144477735'), ['signature_evidence']);
    const row = await lastAudit('account.erased');
    assert.deepEqual([row.account_id, row.subject_id, row.reason, row.details], [admin.id, ana.id, null, null]);
    assert.equal((await app.call(api.getAccount, { token: ana.token })).status, 401);
    const { body } = await app.call(api.users.get, { token: admin.token, params: { id: ana.id } });
    assert.deepEqual([body.state, body.firstName, body.authorities], ['erased', 'Dados apagados', []]);
    const refusals = [
      await erase(body.email),
      await exported(),
      await app.call(api.users.update, {
        token: admin.token,
        params: { id: ana.id },
        body: { version: body.version, email: ana.email, firstName: 'Anacleta', langKey: 'pt-br', authorities: ['ROLE_ADMIN'] },
      }),
    ];
    assert.deepEqual(
      refusals.map(({ code }) => code),
      ['user.erased', 'user.erased', 'user.erased'],
    );
    await app.call(api.reactivateUser, { token: admin.token, params: { id: ana.id } });
    assert.equal((await app.call(api.users.get, { token: admin.token, params: { id: ana.id } })).body.state, 'erased');
  });

  it('leave the evidence whole: what was signed is downloaded and verified, and every log holds', async () => {
    const [documentId = ''] = finished.documentIds;
    const signer = { user: finished.signerIds[0] ?? '' };
    assert.equal((await app.call(api.downloadSignature, { params: { processId: finished.id, documentId }, query: signer })).status, 200);
    const { ticket } = (await app.call(api.loginValidation, { query: { documentId, emailSigner: ana.email } })).body;
    const { body } = await app.call(api.getValidation, { query: { documentId, ticket: ticket ?? '' } });
    assert.deepEqual([body.signers[0]?.name, body.signers[0]?.indication], ['Anacleta', 'TOTAL-PASSED']);
    for (const { id } of [finished, received, running]) assert.ok(isChainIntact(await listProcessEvents(app.ctx, id)));
  });

  it('take the files of what ended without success with them', async () => {
    const events = await listProcessEvents(app.ctx, running.id);
    assert.deepEqual([events.at(-1)?.type, events.at(-1)?.data['reason']], ['files.removed', 'erasure']);
    const parts = await app.ctx.db.selectFrom('document_revision').select('seq').where('document_id', 'in', running.documentIds).execute();
    assert.deepEqual(parts, []);
  });

  it('leave the address free: who registers it anew is somebody else', async () => {
    await registeredAccount(app, { email: ana.email, firstName: 'Outra', password: 'Tinteiro7', langKey: 'pt-br' });
    const { body } = await app.call(api.getAccount, { token: await signIn(app, { email: ana.email, password: 'Tinteiro7' }) });
    assert.notEqual(body.id, ana.id);
    assert.equal((await app.call(api.users.get, { token: admin.token, params: { id: ana.id } })).body.state, 'erased');
  });

  it('of an address that changed hands are those of who holds it today, also in an erasure', async () => {
    const old = 'troca@exemplo.com.br';
    const first = await signedInAccount(app, { firstName: 'Primeira', email: old });
    const draft = await startedProcess(app, admin, { title: 'Da primeira', signers: [{ name: 'Primeira', email: old }] });
    const [signerId = ''] = draft.signerIds;
    await signElectronically(app, draft.id, signerId, { name: 'Primeira', cpf: '111.444.777-35' });
    await app.ctx.db.updateTable('signer').set({ phone_number: '11955554444' }).where('id', '=', signerId).execute();
    // What a confirmed change of the address writes.
    const moved = { email: 'nova@exemplo.com.br', login: 'nova@exemplo.com.br' };
    await app.ctx.db.updateTable('app_user').set(moved).where('id', '=', first.id).execute();
    const personOf = await app.call(api.exportPerson, { token: admin.token, body: { email: old } });
    const second = await signedInAccount(app, { firstName: 'Segunda', email: old });
    const dataOf = async ({ id }: { id: string }) => {
      const { raw } = await app.call(api.exportPersonalData, { token: admin.token, params: { id } });
      return Buffer.from(unzipSync(raw.rawPayload)['dados.json'] ?? []).toString();
    };
    const [hers, another] = [await dataOf(first), await dataOf(second)];
    assert.ok(hers.includes('11144477735') && hers.includes('Da primeira'));
    for (const secret of ['11144477735', 'Da primeira', '11955554444']) assert.ok(!another.includes(secret), secret);
    if (personOf.status === 200) assert.ok(!Buffer.from(unzipSync(personOf.raw.rawPayload)['dados.json'] ?? []).includes('11144477735'));
    assert.equal((await erase(old, second.id)).status, 204);
    const { phone_number: phone } = await app.ctx.db
      .selectFrom('signer')
      .select('phone_number')
      .where('id', '=', signerId)
      .executeTakeFirstOrThrow();
    assert.equal(phone, '11955554444');
  });

  it('of a person without an account come and go by the address that senders entered; what they signed stays', async () => {
    const email = 'caio@sem-conta.com.br';
    const signed = await startedProcess(app, admin, { title: 'Assinado por link', signers: [{ name: 'Caio', email }] });
    await signElectronically(app, signed.id, signed.signerIds[0] ?? '', { name: 'Caio', cpf: '111.444.777-35' });
    const refused = await startedProcess(app, admin, {
      title: 'Recusado por link',
      signers: [{ name: 'Caio', email }],
      stakeholders: [{ name: 'Caio', email }],
    });
    const entered = { phone_number: '11987654321', legal_identifier: '11144477735' };
    await app.ctx.db.updateTable('signer').set(entered).where('id', 'in', refused.signerIds).execute();
    await app.call(api.createSignatureRejected, {
      body: { rejectCause: 'Não.', processId: refused.id, signerId: refused.signerIds[0] ?? '' },
    });
    await app.runJobs();
    const take = (asked: string, token = admin.token) => app.call(api.exportPerson, { token, body: { email: asked } });
    const forget = (confirmed: string) => app.call(api.erasePerson, { token: admin.token, body: { email, confirmed } });
    const answer = await take(` ${email.toUpperCase()}`);
    assert.equal(answer.status, 200, answer.raw.body);
    const files = unzipSync(answer.raw.rawPayload);
    const data = JSON.parse(Buffer.from(files['dados.json'] ?? []).toString()) as {
      person: { email: string };
      mails: unknown[];
      processes: { title: string; signers: { isOwn?: true; phoneNumber: string; acts?: { ip: string }[] }[] }[];
    };
    assert.deepEqual(data.processes.map(({ title }) => title).toSorted(), ['Assinado por link', 'Recusado por link']);
    assert.ok(data.mails.length > 0);
    assert.ok(data.processes.every(({ signers }) => signers[0]?.isOwn));
    assert.ok(Object.keys(files).some((name) => name.startsWith('assinaturas/')));
    assert.ok(!Object.keys(files).some((name) => name.startsWith('processos/')), 'the files are the sender’s to give');
    assert.deepEqual(
      [(await take('ninguem@exemplo.com.br')).code, (await take(admin.email)).code, (await forget('outro@exemplo.com.br')).code],
      ['personalData.none', 'personalData.hasAccount', 'user.erasureUnconfirmed'],
    );
    assert.equal((await forget(email)).status, 204);
    const kept = await app.ctx.db.selectFrom('signer').select(['phone_number', 'legal_identifier']).where('email', '=', email).execute();
    assert.ok(kept.every((row) => row.phone_number === null && row.legal_identifier === null));
    assert.ok(!(await tablesWith(app, email)).some((name) => ['mail', 'stakeholder', 'company_invitation'].includes(name)));
    assert.deepEqual(await tablesWith(app, '11987654321'), []);
    const row = await lastAudit('person.erased');
    assert.deepEqual([row.account_id, row.subject_id, row.details], [admin.id, null, null]);
    const [documentId = ''] = signed.documentIds;
    const { ticket } = (await app.call(api.loginValidation, { query: { documentId, emailSigner: email } })).body;
    const { body } = await app.call(api.getValidation, { query: { documentId, ticket: ticket ?? '' } });
    assert.equal(body.signers[0]?.indication, 'TOTAL-PASSED');
  });

  it('that a running process still needs go in the night after its end, with an account or without; who took their place keeps theirs', async () => {
    const email = 'davi@sem-conta.com.br';
    const lia = await signedInAccount(app, { firstName: 'Lia', email: 'lia@exemplo.com.br' });
    const told = await startedProcess(app, admin, {
      title: 'Ainda espera',
      signers: [
        { name: 'Davi', email, order: 0 },
        { name: 'Lia', email: lia.email, order: 0 },
        { name: 'Davi', email, order: 1 },
      ],
      stakeholders: [{ name: 'Davi', email }],
    });
    const [davi = '', liaId = '', corrected = ''] = told.signerIds;
    const entered = { phone_number: '11933332222', legal_identifier: '52998224725' };
    await app.ctx.db.updateTable('signer').set(entered).where('id', 'in', told.signerIds).execute();
    await signElectronically(app, told.id, davi, { name: 'Davi', cpf: '111.444.777-35' });
    const person = { email, confirmed: email };
    assert.equal((await app.call(api.erasePerson, { token: admin.token, body: person })).status, 204);
    assert.equal((await erase(lia.email, lia.id)).status, 204);
    const another = { name: 'Eva', email: 'eva@sem-conta.com.br', phoneNumber: '11944443333' };
    const token = await signIn(app, admin);
    const correction = await app.call(api.correctSigner, { token, params: { id: told.id, signerId: corrected }, body: another });
    assert.equal(correction.status, 204, correction.raw.body);
    const phones = async () =>
      (await app.ctx.db.selectFrom('signer').select(['id', 'phone_number']).where('signature_process_id', '=', told.id).execute())
        .filter((row) => row.phone_number !== null)
        .map((row) => row.id)
        .toSorted();
    await forgetPeopleJob.run(app.ctx, {});
    assert.deepEqual(await phones(), [...told.signerIds].toSorted(), 'it runs');
    // What was being made as they asked, and came to nothing.
    await app.ctx.db.updateTable('signing_attempt').set({ state: 'failed' }).where('signer_id', '=', davi).execute();
    await app.call(api.cancelProcess, { token, params: { id: told.id } });
    await forgetPeopleJob.run(app.ctx, {});
    assert.deepEqual(await phones(), [corrected]);
    const row = await app.ctx.db.selectFrom('signer').select('legal_identifier').where('id', '=', liaId).executeTakeFirstOrThrow();
    assert.equal(row.legal_identifier, null);
    assert.deepEqual(await app.ctx.db.selectFrom('signature_evidence').select('id').where('signer_id', '=', davi).execute(), []);
    assert.deepEqual(await app.ctx.db.selectFrom('stakeholder').select('id').where('email', '=', email).execute(), []);
    const asked = await sql`
      select id from signer where signature_process_id = ${told.id} and erasure_asked_at is not null`.execute(app.ctx.db);
    assert.deepEqual(asked.rows, [], 'nothing tells any more who asked');
  });
});
