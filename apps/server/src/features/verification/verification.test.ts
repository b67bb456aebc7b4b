import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { openDocumentFile } from '../documents/document-file.ts';
import { formatInstant } from '../../language/format-instant.ts';
import { signedInAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { blobsOf } from '../../testing/blobs.ts';
import { frozenClock } from '../../testing/clock.ts';
import { signElectronically, startedProcess, type TestDraft } from '../../testing/processes.ts';
import { testTimestamps } from '../../testing/timestamps.ts';

describe('public verification', () => {
  let app: TestApp;
  let finished: TestDraft;
  before(async () => {
    const clock = frozenClock();
    app = await startTestApp({ clock, timestamps: await testTimestamps(clock) });
    const ana = await signedInAccount(app);
    finished = await startedProcess(app, ana, { title: 'Contrato', signers: [{ name: 'Bia Lima', email: 'bia@exemplo.com.br' }] });
    await signElectronically(app, finished.id, finished.signerIds[0] ?? '');
  });
  after(() => app.close());

  const enter = (documentId: string, emailSigner: string) => app.call(api.loginValidation, { query: { documentId, emailSigner } });

  it('opens to the identifier and a signer’s e-mail, however they are written', async () => {
    const documentId = finished.documentIds[0] ?? '';
    assert.equal((await enter(documentId, 'bia@exemplo.com.br')).body.reason, 'Permitido');
    assert.equal((await enter(` ${documentId.toUpperCase()} `, 'BIA@exemplo.com.br ')).body.reason, 'Permitido');
  });

  it('gives an unknown document and a wrong e-mail the same answer', async () => {
    const wrong = await enter(finished.documentIds[0] ?? '', 'outra@exemplo.com.br');
    const unknown = await enter(randomUUID(), 'bia@exemplo.com.br');
    assert.deepEqual(wrong.body, unknown.body);
    assert.equal(wrong.body.ticket, null);
  });

  it('asks for a UUID', async () => {
    const answer = await app.inject({ url: '/api/loginValidation?documentId=123&emailSigner=x', headers: { 'accept-language': 'pt-BR' } });
    assert.deepEqual([answer.statusCode, answer.json().detail], [400, 'Digite um UUID válido']);
  });

  it('shows who signed with masked data, the log and the signed file, for ten minutes', async () => {
    const documentId = finished.documentIds[0] ?? '';
    const ticket = (await enter(documentId, 'bia@exemplo.com.br')).body.ticket ?? '';
    const see = (given: string, id = documentId) => app.call(api.getValidation, { query: { documentId: id, ticket: given } });
    const { body } = await see(ticket);
    assert.deepEqual([body.nameDocument, body.status], ['contrato.pdf', 'FINALIZED_WITH_SUCCESS']);
    assert.deepEqual(
      body.signers.map(({ name, legalIdentifier, status }) => [name, legalIdentifier, status]),
      [['Bia Lima', '***.982.247-**', 'SIGNED']],
    );
    assert.ok(!JSON.stringify({ ...body, signedDocumentWithEvidencePage: '' }).includes('bia@exemplo.com.br'));
    const entry = body.logsProcess.find(({ message }) => message === 'Bia Lima assinou');
    // One instant, in the legal time of Brasília as the specification has it and for whoever shows it in another zone.
    assert.equal(entry?.at, body.signers[0]?.signedAt);
    assert.equal(entry?.timestamp, formatInstant(new Date(entry?.at ?? ''), true));
    assert.equal(
      Buffer.from(body.signedDocumentWithEvidencePage ?? '', 'base64')
        .subarray(0, 5)
        .toString(),
      '%PDF-',
    );
    assert.equal((await see(`${ticket}x`)).code, 'verification.notPermitted');
    assert.equal((await see(ticket, randomUUID())).code, 'verification.notPermitted');
    app.clock.advance({ minutes: 10, seconds: 1 });
    // Told as over, and only what was one of ours for this document: its visitor did nothing wrong.
    const over = await see(ticket);
    assert.deepEqual([over.status, over.code], [400, 'verification.ticketExpired']);
    assert.equal((await app.call(api.downloadValidated, { query: { documentId, ticket } })).code, 'verification.ticketExpired');
    const longer = ticket.replace(/^\d+/, (end) => String(Number(end) + 600_000));
    const older = ticket.replace(/^\d+/, (end) => String(Number(end) - 600_000));
    for (const forged of [longer, older]) assert.equal((await see(forged)).code, 'verification.notPermitted');
    assert.equal((await see(ticket, randomUUID())).code, 'verification.notPermitted');
  });

  it('follows the first call with the document’s identifier alone, for the browser that made it and for that document', async () => {
    const documentId = finished.documentIds[0] ?? '';
    const { raw } = await enter(documentId, 'bia@exemplo.com.br');
    const [set = ''] = [raw.headers['set-cookie'] ?? []].flat().map(String);
    assert.match(set, /^[\w-]*lavra-validation[\w-]*=\S+; Path=\/; Max-Age=300; HttpOnly; SameSite=Strict$/);
    const cookie = set.split(';')[0] ?? '';
    const see = (id: string, headers: Record<string, string> = {}) => app.inject({ url: `/api/validation?documentId=${id}`, headers });
    assert.equal((await see(documentId, { cookie })).json().nameDocument, 'contrato.pdf');
    assert.equal((await see(documentId)).json().title, 'verification.notPermitted');
    assert.equal((await see(randomUUID(), { cookie })).json().title, 'verification.notPermitted');
    assert.equal((await enter(documentId, 'outra@exemplo.com.br')).raw.headers['set-cookie'], undefined);
  });

  it('and downloads are told once, however ticket and identifier are spelt: visitors do not fill the log', async () => {
    const documentId = finished.documentIds[0] ?? '';
    const ticket = (await enter(documentId, 'bia@exemplo.com.br')).body.ticket ?? '';
    const told = async () =>
      (await app.ctx.db.selectFrom('audit_event').select(['reason', 'subject_id']).where('kind', '=', 'download').execute()).map(
        ({ reason, subject_id }) => `${reason} ${subject_id}`,
      );
    for (const spelt of [
      ticket,
      `${ticket}.1`,
      `${ticket}=`,
      `${ticket.slice(0, -1)}${String.fromCharCode(ticket.charCodeAt(ticket.length - 1) + 1)}`,
    ])
      for (const id of [documentId, documentId.toUpperCase()])
        await app.call(api.downloadValidated, { query: { documentId: id, ticket: spelt } });
    for (const id of [documentId, documentId.toUpperCase(), `{${documentId}}`, documentId.replaceAll('-', '')])
      await app.call(api.downloadOriginal, { params: { id }, query: { user: finished.signerIds[0] ?? '' } });
    assert.deepEqual(await told(), [`verified ${documentId}`, `original ${documentId}`]);
  });

  const judged = async () => {
    const documentId = finished.documentIds[0] ?? '';
    const ticket = (await enter(documentId, 'bia@exemplo.com.br')).body.ticket ?? '';
    const { body } = await app.call(api.getValidation, { query: { documentId, ticket } });
    return {
      signers: body.signers.map(({ indication, reasons, level }) => ({ indication, reasons, level })),
      provenTime: body.signers[0]?.provenTime ?? null,
      seals: body.seals.map(({ kind, indication }) => [kind, indication]),
    };
  };
  const allGood = [
    ['seal', 'TOTAL-PASSED'],
    ['timestamp', 'TOTAL-PASSED'],
  ];

  it('says of each signature, from the stored bytes, that it holds and since when', async () => {
    const { signers, provenTime, seals } = await judged();
    assert.deepEqual(signers, [{ indication: 'TOTAL-PASSED', reasons: [], level: 'B-LTA' }]);
    assert.ok(provenTime);
    assert.deepEqual(seals, allGood);
  });

  it('tells for each signature what came after it, and gives the document as it was signed by a range', async () => {
    const draft = await startedProcess(app, await signedInAccount(app), {
      signers: [
        { name: 'Bia Lima', email: 'bia@exemplo.com.br', box: { width: 120, height: 40 } },
        { name: 'Caio Reis', email: 'caio@exemplo.com.br', box: { width: 120, height: 40 } },
      ],
    });
    const documentId = draft.documentIds[0] ?? '';
    await signElectronically(app, draft.id, draft.signerIds[0] ?? '');
    const asBia = await openDocumentFile(app.ctx, documentId);
    await signElectronically(app, draft.id, draft.signerIds[1] ?? '', { name: 'Caio Reis' });
    const query = { documentId, ticket: (await enter(documentId, 'bia@exemplo.com.br')).body.ticket ?? '' };
    const { body } = await app.call(api.getValidation, { query });
    const [bia, caio] = body.signers;
    assert.deepEqual(
      bia?.changes.map(({ kind, by, pages, permitted }) => [kind, by, pages.join(), permitted]),
      [
        // Their box on the first page, their evidence on the signature page.
        ['signed', 'Caio Reis', '1,3', true],
        ['signed', 'Lavra selo (lavra.test)', '', true],
        ['validation-data', null, '', true],
        ['document-timestamp', null, '', true],
      ],
    );
    assert.deepEqual([bia?.end, bia?.notes, bia?.coversWholeFile], [asBia.size, [], false]);
    assert.ok(!caio?.changes.some(({ by }) => by === 'Bia Lima'));
    const part = await app.call(api.downloadValidated, { query, headers: { range: `bytes=0-${(bia?.end ?? 0) - 1}` } });
    assert.equal(part.status, 206);
    assert.deepEqual(part.raw.rawPayload, Buffer.from(await asBia.source.read(0, asBia.size)));
  });

  it('stops who tries many identifiers', async () => {
    const answers = [];
    for (let index = 0; index < 70; index += 1)
      answers.push(
        (await app.call(api.loginValidation, { ip: '203.0.113.50', query: { documentId: randomUUID(), emailSigner: 'x@y.zz' } })).status,
      );
    assert.ok(answers.includes(429));
  });

  it('still says so when the signer’s certificate has ended: the timestamps prove when it was made', async () => {
    app.clock.advance({ days: 800 });
    const { signers, seals } = await judged();
    assert.deepEqual(signers, [{ indication: 'TOTAL-PASSED', reasons: [], level: 'B-LTA' }]);
    assert.deepEqual(seals, allGood);
  });

  it('judges nothing over bytes that were changed in the store: it says that they were', async () => {
    const documentId = finished.documentIds[0] ?? '';
    const { parts } = await openDocumentFile(app.ctx, documentId);
    const hash = parts[0]?.blobHash ?? '';
    const bytes = await blobsOf(app).read(hash);
    await blobsOf(app).flip(hash, bytes.indexOf('/MediaBox') + 12);
    const ticket = (await enter(documentId, 'bia@exemplo.com.br')).body.ticket ?? '';
    const answer = await app.call(api.getValidation, { query: { documentId, ticket } });
    assert.deepEqual([answer.status, answer.code], [500, 'storage.damaged']);
  });
});
