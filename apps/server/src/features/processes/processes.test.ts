import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { limits } from '@lavra/domain';
import { eventSentence, toldEvent } from '../../language/event-sentence.ts';
import { signedInAccount, signIn, type TestAccount, tokenOf } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { createDraft, samplePdf, signaturePng, signElectronically, startedProcess, upload } from '../../testing/processes.ts';
import { expireProcessesJob } from './life/expire-processes.job.ts';
import { sendRemindersJob } from './life/send-reminders.job.ts';

const bia = { name: 'Bia Lima', email: 'bia@exemplo.com.br' };
const caio = { name: 'Caio Reis', email: 'caio@exemplo.com.br' };

/** In days from the frozen clock, as the wire writes it. */
function inDays(app: TestApp, days: number): string {
  return new Date(app.clock.now().getTime() + days * 86_400_000).toISOString();
}

describe('creating a process', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { firstName: 'Ana' });
  });
  after(() => app.close());

  const open = async (change: object) => {
    const uploaded = await upload(app, ana.token, [{ name: 'a.pdf', bytes: await samplePdf() }]);
    return app.call(api.createSignatureProcess, {
      token: ana.token,
      body: {
        title: 'Título',
        dueDate: null,
        reminderIn: null,
        type: 'ELETRONIC_SIGNATURE',
        files: uploaded.body.map(({ id }) => ({ id })),
        ...change,
      },
    });
  };
  const close = (id: string) => app.call(api.startSignatureProcess, { token: ana.token, params: { id } });

  it('asks for a title, a document and a modality', async () => {
    assert.equal((await open({ title: '  ' })).code, 'process.titleRequired');
    assert.equal((await open({ title: 'x'.repeat(256) })).code, 'process.titleTooLong');
    const invisible = await open({ title: 'Contrato\u202efdp' });
    assert.deepEqual([invisible.code, invisible.raw.json().fieldErrors[0]?.field], ['text.invisible', 'title']);
    assert.equal((await open({ title: 'Contrato\r\nIdentificador do processo' })).body.title, 'Contrato Identificador do processo');
    assert.equal((await open({ files: [] })).code, 'process.documentsRequired');
    assert.equal((await open({ type: null })).code, 'process.modalityRequired');
  });

  it('refuses duplicate file names and documents of others', async () => {
    const bytes = await samplePdf();
    const twice = await upload(app, ana.token, [
      { name: 'igual.pdf', bytes },
      { name: 'IGUAL.pdf', bytes },
    ]);
    const refused = await open({ files: twice.body.map(({ id }) => ({ id })) });
    assert.equal(refused.code, 'process.duplicateFileName');
    const eva = await signedInAccount(app);
    const hers = await upload(app, eva.token, [{ name: 'dela.pdf', bytes }]);
    assert.equal((await open({ files: hers.body.map(({ id }) => ({ id })) })).code, 'document.notFound');
  });

  it('takes as many documents as its limit says, and a quantity of boxes that the page offers', async () => {
    const files = Array.from({ length: limits.documentsPerProcessMax + 1 }, () => ({ id: randomUUID() }));
    const refused = await open({ files });
    assert.deepEqual([refused.status, refused.code], [400, 'process.tooManyDocuments']);
    assert.equal((await open({ files: files.slice(1) })).code, 'document.notFound');
    const { id } = await createDraft(app, ana);
    const add = (quantity: number) =>
      app.call(api.createSigner, {
        token: ana.token,
        body: { signer: { ...bia, order: 1, quantity, signatureProcess: { id } }, signatureVisibleActive: false, visibleSignature: [] },
      });
    assert.equal((await add(limits.quantityMax)).status, 200);
    assert.equal((await add(limits.quantityMax + 1)).code, 'signer.quantityInvalid');
  });

  it('sends and lists nothing before the sequence is closed', async () => {
    const mails = (await app.mailbox.list()).length;
    const draft = await createDraft(app, ana, { signers: [bia], title: 'Ainda não' });
    await app.runJobs();
    assert.equal((await app.mailbox.list()).length, mails);
    const { body } = await app.call(api.getProcessesInfos, { token: ana.token, query: { searchText: 'Ainda não' } });
    assert.equal(body.total, 0);
    assert.equal((await close(draft.id)).status, 204);
    await app.runJobs();
    assert.equal((await app.call(api.getProcessesInfos, { token: ana.token, query: { searchText: 'ainda nao' } })).body.total, 1);
  });

  it('closes once, however often it is asked to', async () => {
    const draft = await createDraft(app, ana, { signers: [{ name: 'Davi', email: 'davi@exemplo.com.br' }] });
    for (const { status } of await Promise.all([close(draft.id), close(draft.id), close(draft.id)])) assert.equal(status, 204);
    await app.runJobs();
    assert.equal((await app.mailbox.list()).filter(({ to }) => to === 'davi@exemplo.com.br').length, 1);
  });

  it('needs at least one signer', async () => {
    assert.equal((await close((await createDraft(app, ana, { signers: [] })).id)).code, 'process.signersRequired');
  });

  it('holds the rules of deadlines', async () => {
    // What can be judged by itself is refused where it is written, the rest when the sequence closes.
    const fault = async (dueDate: string | null, individual: (string | null)[]) => {
      const opened = await open({ dueDate });
      if (opened.code !== undefined) return `process: ${opened.code}`;
      for (const [order, own] of individual.entries()) {
        const signer = { name: 'Bia', email: `b${order}@exemplo.com.br`, order, dueDate: own, signatureProcess: { id: opened.body.id } };
        const added = await app.call(api.createSigner, {
          token: ana.token,
          body: { signer, signatureVisibleActive: false, visibleSignature: [] },
        });
        if (added.code !== undefined) return `signer: ${added.code}`;
      }
      return (await close(opened.body.id)).code;
    };
    assert.equal(await fault(inDays(app, 0.5), [null]), 'process: process.deadlineTooEarly');
    assert.equal(await fault(null, [inDays(app, 0.5)]), 'signer: process.deadlineTooEarly');
    assert.equal(await fault(null, [inDays(app, 3), inDays(app, 2)]), 'process.individualDeadlinesNotAscending');
    assert.equal(await fault(inDays(app, 2), [inDays(app, 1.5), inDays(app, 3)]), 'process.deadlineBeforeLastIndividual');
    assert.equal(await fault(inDays(app, 3), [inDays(app, 2), inDays(app, 2)]), undefined);
  });

  it('refuses a reminder that would pass the general deadline before anything is opened', async () => {
    const refused = await open({ reminderIn: 3, dueDate: inDays(app, 2) });
    assert.equal(refused.code, 'process.reminderConflict');
    assert.equal(refused.raw.json<{ fieldErrors: { field: string }[] }>().fieldErrors[0]?.field, 'reminderIn');
  });

  it('refuses a reminder that would pass the last individual deadline', async () => {
    const draft = await createDraft(app, ana, { reminderIn: 3, signers: [{ ...bia, dueDate: inDays(app, 2) }] });
    assert.equal((await close(draft.id)).code, 'process.reminderConflict');
    assert.equal((await open({ reminderIn: 5 })).code, 'request.invalid');
  });

  it('takes the specification’s visibleSignature: name, page, x, y and realSignature; the document is the named one, the size the model’s (98, 182)', async () => {
    const { id, documentIds } = await createDraft(app, ana, { documents: ['um.pdf', 'dois.pdf'], signers: [] });
    const add = (names: readonly string[]) =>
      app.call(api.createSigner, {
        token: ana.token,
        body: {
          signer: { ...bia, order: 0, signatureProcess: { id } },
          signatureVisibleActive: true,
          visibleSignature: names.map((name) => ({ name, page: 1, x: 100, y: 500, realSignature: true })),
          modelId: null,
        },
      });
    assert.equal((await add(['um.pdf', 'outro.pdf'])).code, 'process.positionOutsidePage', 'a document that is not there');
    assert.equal((await add(['dois.pdf'])).code, 'process.positionsMissing', 'each document has its box');
    const added = await add(['dois.pdf', 'um.pdf']);
    assert.equal(added.status, 200, added.raw.body);
    assert.equal((await close(id)).status, 204);
    await app.runJobs();
    assert.equal((await app.call(api.cancelProcess, { token: ana.token, params: { id } })).status, 204);
    const { body } = await app.call(api.getProcessTemplate, { token: ana.token, params: { id } });
    const boxes = body.signers.flatMap(({ boxes: own }) => own).map(({ documentId, width, height }) => ({ documentId, width, height }));
    assert.deepEqual(
      boxes.toSorted((one, other) => documentIds.indexOf(one.documentId) - documentIds.indexOf(other.documentId)),
      documentIds.map((documentId) => ({ documentId, width: 150, height: 75 })),
    );
  });

  it('refuses a signer without a name or with an address over 50 characters, and an interested party twice', async () => {
    const { id } = await createDraft(app, ana);
    const add = (signer: { name: string; email: string }) =>
      app.call(api.createSigner, {
        token: ana.token,
        body: { signer: { ...signer, order: 1, signatureProcess: { id } }, signatureVisibleActive: false, visibleSignature: [] },
      });
    assert.equal((await add({ name: '  ', email: bia.email })).code, 'signer.nameRequired');
    const dropped = await add({ name: '<script>1</script>', email: bia.email });
    assert.deepEqual(
      [dropped.code, dropped.raw.json().params],
      ['signer.nameCharacters', { characters: '< > 1 /' }],
      'nothing is lost in silence',
    );
    assert.equal((await add({ name: 'Bia\u202e Lima', email: bia.email })).code, 'text.invisible');
    assert.equal((await add({ name: 'Bia', email: `${'b'.repeat(45)}@x.com.br` })).code, 'signer.emailInvalid');
    const party = { name: 'Eva', email: 'eva@exemplo.com.br', signatureProcess: { id } };
    assert.equal((await app.call(api.createStakeholder, { token: ana.token, body: party })).status, 200);
    assert.equal(
      (await app.call(api.createStakeholder, { token: ana.token, body: { ...party, email: 'EVA@exemplo.com.br' } })).code,
      'stakeholder.duplicateEmail',
    );
  });

  it('lets nobody else add to a draft, close or read it', async () => {
    const eva = await signedInAccount(app);
    const { id } = await createDraft(app, ana);
    const added = await app.call(api.createStakeholder, { token: eva.token, body: { ...bia, signatureProcess: { id } } });
    assert.equal(added.code, 'process.notFound');
    assert.equal((await app.call(api.startSignatureProcess, { token: eva.token, params: { id } })).code, 'process.notFound');
    assert.equal((await app.call(api.getSignatureProcess, { token: eva.token, params: { id } })).status, 404);
  });
});

describe('a process under way', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { firstName: 'Ana' });
  });
  after(() => app.close());

  const mailsTo = async (email: string) => (await app.mailbox.list()).filter(({ to }) => to === email);
  const statusOf = async (id: string) => (await app.call(api.getSignatureProcess, { token: ana.token, params: { id } })).body.status;
  const signing = (processId: string, signerId: string) => app.call(api.getSignatureStatus, { params: { processId, signerId } });

  it('invites in order, takes each signature once, and ends with the sealed file, the evidence and the news', async () => {
    const eva = { name: 'Eva Dias', email: 'eva@exemplo.com.br' };
    const { id, signerIds, documentIds } = await startedProcess(app, ana, {
      signers: [bia, caio],
      stakeholders: [eva],
      documents: ['um.pdf', 'dois.pdf'],
    });
    const [first = '', second = ''] = signerIds;
    assert.deepEqual([(await mailsTo(bia.email)).length, (await mailsTo(caio.email)).length], [1, 0]);
    const mailed = new RegExp(`/signer/${id}\\?user=([0-9a-f-]{36})`).exec((await mailsTo(bia.email))[0]?.text ?? '')?.[1];
    assert.ok(mailed !== undefined && mailed !== first, 'a mail’s link has a key of its own, which the sender does not know');

    const wrongTurn = await signElectronically(app, id, second, { name: 'Caio Reis' });
    assert.deepEqual([wrongTurn.status, wrongTurn.code], [409, 'signer.notYourTurn']);
    assert.equal((await signing(id, second)).body.status, 'WAITING');

    assert.equal((await signElectronically(app, id, first)).status, 204);
    assert.deepEqual((await signing(id, first)).body, { status: 'SIGNED', reason: 'signer.alreadySigned', finalized: false });
    assert.equal((await signElectronically(app, id, first)).code, 'signer.alreadySigned');
    assert.equal((await mailsTo(caio.email)).length, 1);
    assert.equal(
      (await app.call(api.downloadSignature, { token: ana.token, params: { processId: id, documentId: documentIds[0] ?? '' } })).code,
      'document.notFinished',
    );

    assert.equal((await signElectronically(app, id, second, { name: 'Caio Reis', cpf: '11144477735' })).status, 204);
    assert.equal((await signing(id, second)).body.finalized, true);
    assert.equal(await statusOf(id), 'FINALIZED_WITH_SUCCESS');
    assert.equal((await mailsTo(eva.email)).length, 1);

    for (const documentId of documentIds) {
      const original = await app.call(api.downloadOriginal, { token: ana.token, params: { id: documentId } });
      const signed = await app.call(api.downloadSignature, { token: ana.token, params: { processId: id, documentId } });
      assert.equal(signed.status, 200);
      const bytes = signed.raw.rawPayload;
      assert.deepEqual(
        bytes.subarray(0, original.raw.rawPayload.length),
        original.raw.rawPayload,
        'the uploaded bytes are an exact prefix',
      );
      // Two signers and the platform's seal.
      assert.equal(bytes.toString('latin1').match(/\/ByteRange/g)?.length, 3);
    }
    const report = await app.call(api.downloadEvidence, { token: ana.token, params: { processId: id, documentId: documentIds[0] ?? '' } });
    assert.equal(report.raw.rawPayload.subarray(0, 5).toString(), '%PDF-');

    const items = await app.call(api.getDownloadItems, { token: ana.token, params: { processId: id } });
    assert.deepEqual(
      items.body.items.map(({ kind, status }) => [kind, status]),
      [
        ['document', 'SIGNED'],
        ['document', 'SIGNED'],
        ['evidence', 'SIGNED'],
      ],
    );
    const zip = await app.call(api.downloadSelection, {
      token: ana.token,
      params: { processId: id },
      query: { items: items.body.items.map((item) => item.id).join() },
    });
    assert.deepEqual(
      [zip.raw.rawPayload.subarray(0, 2).toString(), zip.headers['content-disposition']],
      ['PK', 'attachment; filename="assinaturas.zip"'],
    );
  });

  it('answers the usage alert from the signatures made in one’s own processes', async () => {
    const eva = await signedInAccount(app, { firstName: 'Eva' });
    const usage = async () => (await app.call(api.checkUsageAlert, { token: eva.token })).body;
    assert.deepEqual(await usage(), { shouldAlert: false, currentSignatures: 0, planSignatures: null, type: null });
    const { id, signerIds } = await startedProcess(app, eva, { signers: [bia, caio], documents: ['um.pdf', 'dois.pdf'] });
    await signElectronically(app, id, signerIds[0] ?? '');
    assert.equal((await usage()).currentSignatures, 2, 'one for each document');
    await signElectronically(app, id, signerIds[1] ?? '', { name: 'Caio Reis' });
    assert.deepEqual(await usage(), { shouldAlert: false, currentSignatures: 4, planSignatures: null, type: null });
    const davi = await signedInAccount(app);
    assert.equal((await app.call(api.checkUsageAlert, { token: davi.token })).body.currentSignatures, 0, 'nobody else’s');
  });

  it('takes no evidence that is incomplete', async () => {
    const { id, signerIds } = await startedProcess(app, ana, { signers: [bia], geolocation: 'required' });
    const [signer = ''] = signerIds;
    const cases: [Parameters<typeof signElectronically>[3], string][] = [
      [{ name: '' }, 'evidence.nameRequired'],
      [{ cpf: '529.982.247-26' }, 'evidence.cpfInvalid'],
      [{ cpf: '111.111.111-11' }, 'evidence.cpfInvalid'],
      [{ latitude: null }, 'evidence.geolocationRequired'],
      [{ latitude: 0 }, 'evidence.geolocationRequired'],
      [{ image: '' }, 'evidence.imageRequired'],
      [{ image: Buffer.from('GIF89a').toString('base64') }, 'evidence.imageInvalid'],
      [{ consentHash: 'f'.repeat(64) }, 'evidence.consentRequired'],
    ];
    for (const [change, code] of cases) {
      const answer = await signElectronically(app, id, signer, change);
      assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(change));
    }
    assert.equal((await signing(id, signer)).body.status, 'SENT');
    assert.equal((await signElectronically(app, id, signer)).status, 204);
    assert.equal((await signing(id, signer)).body.status, 'SIGNED');
  });

  it('takes initEletronicSignature {processId, cpf, name, signatureEvidence} from a session of the signer’s own (190): a consent that is missing is recorded as missing', async () => {
    const own = await signedInAccount(app, { email: 'bia.da.conta@exemplo.com.br' });
    const { id, signerIds } = await startedProcess(app, ana, { signers: [{ ...bia, email: own.email }] });
    const body = {
      processId: id,
      cpf: '529.982.247-25',
      name: 'Bia Lima',
      signatureEvidence: {
        ip: null,
        latitude: -23.55,
        longitude: -46.63,
        accuracy: 20,
        signatureImage: signaturePng(),
        signatureImageContentType: 'image/png',
      },
    };
    const act = (token?: string) => app.call(api.initEletronicSignature, { body, ...(token === undefined ? {} : { token }) });
    assert.deepEqual([(await act()).status, (await act(ana.token)).code], [401, 'signer.notFound']);
    const refused = await app.call(api.initEletronicSignature, { token: own.token, body: { ...body, consentHash: '' } });
    assert.equal(refused.code, 'evidence.consentRequired', 'a wrong one is no missing one');
    const taken = await act(own.token);
    assert.equal(taken.status, 204, taken.raw.body);
    await app.runJobs();
    assert.equal((await signing(id, signerIds[0] ?? '')).body.status, 'SIGNED');
    const kept = await app.ctx.db
      .selectFrom('signature_evidence')
      .select(['consent_text', 'consent_hash'])
      .where('signer_id', '=', signerIds[0] ?? '')
      .execute();
    assert.deepEqual(kept, [{ consent_text: null, consent_hash: null }]);
    const events = await app.ctx.db
      .selectFrom('event')
      .select(['type', 'data'])
      .where('signature_process_id', '=', id)
      .where('type', 'in', ['signer.consented', 'link.handedOut'])
      .orderBy('seq')
      .execute();
    const told = events.map((event) => eventSentence(app.ctx.translate, 'pt-br', toldEvent(event as Parameters<typeof toldEvent>[0])));
    assert.match(told[0] ?? '', /Bia Lima/);
    assert.deepEqual(told.slice(1), ['Bia Lima pediu para assinar eletronicamente, sem aceite informado']);
  });

  it('tells a CPF that is another one than the invitation’s as such, as the digital signature does', async () => {
    const {
      id,
      signerIds: [first = ''],
    } = await createDraft(app, ana);
    const added = await app.call(api.createSigner, {
      token: ana.token,
      body: {
        signer: { ...bia, legalIdentifier: '11144477735', order: 1, signatureProcess: { id } },
        signatureVisibleActive: false,
        visibleSignature: [],
      },
    });
    const other = added.body.id;
    assert.equal((await app.call(api.startSignatureProcess, { token: ana.token, params: { id } })).status, 204);
    await app.runJobs();
    assert.equal((await signElectronically(app, id, first)).status, 204);
    const refused = await signElectronically(app, id, other, { cpf: '529.982.247-25' });
    assert.deepEqual([refused.status, refused.code], [400, 'signer.otherCpf']);
    assert.equal((await signElectronically(app, id, other, { cpf: '111.444.777-35' })).status, 204);
  });

  it('signs once when the signer presses twice', async () => {
    const { id, signerIds, documentIds } = await startedProcess(app, ana, { signers: [bia] });
    await Promise.all([signElectronically(app, id, signerIds[0] ?? ''), signElectronically(app, id, signerIds[0] ?? '')]);
    await app.runJobs();
    const revisions = await app.ctx.db
      .selectFrom('document_revision')
      .select('kind')
      .where('document_id', '=', documentIds[0] ?? '')
      .orderBy('seq')
      .execute();
    assert.deepEqual(
      revisions.map(({ kind }) => kind),
      ['upload', 'preparation', 'signature', 'seal'],
    );
  });

  it('ends with a rejection, whose reason has 1 to 500 characters', async () => {
    const olga = { name: 'Olga Reis', email: 'olga@exemplo.com.br' };
    const { id, signerIds } = await startedProcess(app, ana, { signers: [bia, caio], stakeholders: [olga] });
    const reject = (rejectCause: string, signerId: string | null = signerIds[0] ?? '') =>
      app.call(api.createSignatureRejected, { body: { rejectCause, processId: id, signerId } });
    assert.equal((await reject('  ')).code, 'signer.rejectCauseRequired');
    assert.equal((await reject('x'.repeat(501))).code, 'signer.rejectCauseTooLong');
    assert.equal((await reject('não', null)).status, 401);
    assert.equal((await reject('O valor está errado.')).status, 204);
    await app.runJobs();
    assert.equal(await statusOf(id), 'FINALIZED_BY_REJECTION');
    assert.equal((await signElectronically(app, id, signerIds[0] ?? '')).status, 409);
    assert.ok((await mailsTo(ana.email)).some(({ text }) => text.includes('O valor está errado.')));
    const told = (await mailsTo(bia.email)).find(({ text }) => text.includes('O valor está errado.'))?.text ?? '';
    assert.match(told, /Você recusou assinar/, 'who refused is not told of themself as of somebody else');
    assert.deepEqual(await mailsTo(olga.email), [], 'an interested party hears of success alone');
  });

  it('is rejected without a signer’s key by whoever is signed in as that signer, and by nobody else', async () => {
    const signer = await signedInAccount(app);
    const { id } = await startedProcess(app, ana, { signers: [{ ...bia, email: signer.email }, caio] });
    const reject = (token?: string, given: { signerId?: null } = { signerId: null }) =>
      app.call(api.createSignatureRejected, {
        body: { rejectCause: 'O valor está errado.', processId: id, ...given },
        ...(token === undefined ? {} : { token }),
      });
    assert.deepEqual([(await reject()).status, (await reject(undefined, {})).status], [401, 401]);
    assert.equal((await reject(ana.token)).code, 'signer.notFound');
    assert.equal((await reject((await signedInAccount(app)).token)).code, 'signer.notFound');
    assert.equal(await statusOf(id), 'IN_PROGRESS');
    assert.equal((await reject(signer.token)).status, 204);
    assert.equal(await statusOf(id), 'FINALIZED_BY_REJECTION');
  });

  it('is cancelled by its creator only, while it is in progress', async () => {
    const eva = await signedInAccount(app);
    const { id, signerIds } = await startedProcess(app, ana, { signers: [bia] });
    const cancel = (token: string) => app.call(api.cancelProcess, { token, params: { id } });
    const refused = await cancel(eva.token);
    assert.ok(refused.status === 404 || refused.status === 403);
    assert.equal((await cancel(ana.token)).status, 204);
    assert.equal((await cancel(ana.token)).code, 'process.notInProgress');
    assert.equal((await signing(id, signerIds[0] ?? '')).body.status, 'CANCELED');
  });

  it('expires at a passed deadline, and no signature comes after it', async () => {
    const { id, signerIds } = await startedProcess(app, ana, { signers: [{ ...bia, dueDate: inDays(app, 2) }] });
    app.clock.advance({ days: 2, seconds: 1 });
    assert.equal((await signElectronically(app, id, signerIds[0] ?? '')).code, 'signer.deadlinePassed');
    await expireProcessesJob.run(app.ctx, {});
    await expireProcessesJob.run(app.ctx, {});
    await app.runJobs();
    const token = await app.call(api.authenticate, { body: { username: ana.email, password: ana.password } });
    ana = { ...ana, token: tokenOf(token.body) };
    assert.equal(await statusOf(id), 'FINALIZED_BY_EXPIRATION');
    assert.equal((await signing(id, signerIds[0] ?? '')).body.status, 'EXPIRED');
  });

  it('reminds every so many days from the invitation, each time once, and never after a deadline', async () => {
    const davi = { name: 'Davi Luz', email: 'davi@exemplo.com.br' };
    await startedProcess(app, ana, { reminderIn: 2, signers: [davi], dueDate: inDays(app, 5) });
    const counts: number[] = [];
    for (let day = 1; day <= 7; day += 1) {
      app.clock.advance({ days: 1 });
      await Promise.all([sendRemindersJob.run(app.ctx, {}), sendRemindersJob.run(app.ctx, {})]);
      await app.runJobs();
      counts.push((await mailsTo(davi.email)).length - 1);
    }
    assert.deepEqual(counts, [0, 1, 1, 2, 2, 2, 2]);
  });

  it('reminds once after a pause of five days, and on as before: what nobody sent in the pause is not made up for', async () => {
    ana = { ...ana, token: await signIn(app, ana) };
    const elsa = { name: 'Elsa Reis', email: 'elsa@exemplo.com.br' };
    await startedProcess(app, ana, { reminderIn: 1, signers: [elsa] });
    const reminders = async () => {
      await sendRemindersJob.run(app.ctx, {});
      await app.runJobs();
      return (await mailsTo(elsa.email)).length - 1;
    };
    app.clock.advance({ days: 5, minutes: 10 });
    const counts: number[] = [];
    for (let run = 1; run <= 6; run += 1) {
      counts.push(await reminders());
      app.clock.advance({ minutes: 10 });
    }
    app.clock.advance({ days: 1 });
    assert.deepEqual([...counts, await reminders(), await reminders()], [1, 1, 1, 1, 1, 1, 2, 2]);
  });
});

describe('the list', () => {
  let app: TestApp;
  let ana: TestAccount;
  let bea: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
    bea = await signedInAccount(app, { email: bia.email });
    for (let index = 0; index < 12; index += 1) {
      app.clock.advance({ minutes: 1 });
      await startedProcess(app, ana, { title: `Processo ${String(index).padStart(2, '0')} ção`, signers: index < 5 ? [bia] : [caio, bia] });
    }
  });
  after(() => app.close());

  const list = async (token: string, query: object = {}) => (await app.call(api.getProcessesInfos, { token, query })).body;
  const titles = (answer: { signatureProcesses: { title: string }[] }) => answer.signatureProcesses.map(({ title }) => title.slice(9, 11));

  it('shows ten a page, the newest first', async () => {
    const page = await list(ana.token);
    assert.equal(page.total, 12);
    assert.deepEqual(titles(page), ['11', '10', '09', '08', '07', '06', '05', '04', '03', '02']);
    assert.deepEqual(titles(await list(ana.token, { page: 1 })), ['01', '00']);
  });

  it('counts requested, received and pending, and filters by them', async () => {
    assert.deepEqual((await app.call(api.getCounterInfos, { token: ana.token })).body, { requested: 12, received: 0, pending: 0 });
    assert.deepEqual((await app.call(api.getCounterInfos, { token: bea.token })).body, { requested: 0, received: 5, pending: 5 });
    assert.equal((await list(bea.token, { sortRequested: 'true' })).total, 0);
    assert.equal((await list(bea.token, { sortPending: 'true' })).total, 5);
  });

  it('searches without regard to accents and case, and takes no wildcards', async () => {
    assert.equal((await list(ana.token, { searchText: 'CAO' })).total, 12);
    assert.deepEqual(titles(await list(ana.token, { searchText: 'processo 03' })), ['03']);
    assert.equal((await list(ana.token, { searchText: '%' })).total, 0);
    assert.equal((await list(ana.token, { searchText: "'; drop table signer; --" })).total, 0);
  });

  it('shows a process once that its creator signs too, whatever is chosen, and pages do not overlap', async () => {
    const self = await signedInAccount(app, { email: 'eva@exemplo.com.br' });
    for (const title of ['Processo 20', 'Processo 21'])
      await startedProcess(app, self, { title, signers: [{ ...bia, email: self.email }] });
    await startedProcess(app, ana, { title: 'Processo 22', signers: [{ ...bia, email: self.email }] });
    const everything = { sortRequested: 'true', sortReceived: 'true', sortPending: 'true' };
    for (const chosen of [{}, everything, { ...everything, searchText: 'processo' }, { ...everything, sortBy: 'dueDate' }]) {
      const pages = [0, 1, 2, 3].map((page) => list(self.token, { ...chosen, page, size: 1 }));
      const answers = await Promise.all(pages);
      assert.deepEqual(
        answers.map(({ total }) => total),
        [3, 3, 3, 3],
      );
      assert.deepEqual(answers.flatMap(titles).toSorted(), ['20', '21', '22']);
    }
    assert.deepEqual((await app.call(api.getCounterInfos, { token: self.token })).body, { requested: 2, received: 3, pending: 3 });
  });

  it('sorts both ways and survives nonsense', async () => {
    assert.deepEqual(titles(await list(ana.token, { sortBy: 'title', direction: 'asc', size: 3 })), ['00', '01', '02']);
    for (const query of ['page=-1', 'page=1e300', 'size=0', 'size=99999', 'sortBy=id', 'searchText=%00', 'page=x']) {
      const { statusCode } = await app.inject({
        url: `/api/buildProcessesInfos?${query}`,
        headers: { authorization: `Bearer ${ana.token}` },
      });
      assert.ok(statusCode < 500, `${query}: ${statusCode}`);
    }
  });

  it('gives the signer who is signed in the link of their turn, and the owner each link', async () => {
    const [first] = (await list(bea.token, { sortPending: 'true' })).signatureProcesses;
    const processId = first?.id ?? '';
    const link = await app.call(api.getCurrentLinkSignature, { token: bea.token, params: { processId } });
    assert.match(link.body.link, new RegExp(`/signer/${processId}\\?user=[0-9a-f-]{36}$`));
    const eva = await signedInAccount(app);
    assert.ok((await app.call(api.getCurrentLinkSignature, { token: eva.token, params: { processId } })).status >= 403);
    const sub = (token: string) => app.call(api.getSubDataProcess, { token, params: { processId } });
    assert.match((await sub(ana.token)).body.signers[0]?.id ?? '', /^[0-9a-f-]{36}$/);
    assert.equal((await sub(bea.token)).body.signers[0]?.id, null, 'only the owner names signers by their ids');
    assert.ok((await sub(eva.token)).status >= 403);
  });
});

describe('the events of a process', () => {
  it('cannot be changed or removed, and each carries the hash of the one before', async () => {
    const app = await startTestApp();
    try {
      const ana = await signedInAccount(app);
      const { id } = await startedProcess(app, ana);
      const events = await app.ctx.db.selectFrom('event').selectAll().where('signature_process_id', '=', id).orderBy('seq').execute();
      assert.ok(events.length >= 4);
      for (const [index, event] of events.entries()) if (index > 0) assert.equal(event.previous_hash, events[index - 1]?.hash);
      await assert.rejects(app.ctx.db.updateTable('event').set({ type: 'x' }).execute(), /append-only/);
      await assert.rejects(app.ctx.db.deleteFrom('event').execute(), /append-only/);
    } finally {
      await app.close();
    }
  });
});
