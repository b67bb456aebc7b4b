import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { defaultElectronicModel } from '@lavra/domain';
import { sql } from 'kysely';
import { signedInAccount, type TestAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { createDraft, samplePdf, signElectronically, startedProcess, upload } from '../testing/processes.ts';

const bia = { name: 'Bia Lima', email: 'bia@exemplo.com.br' };
const cpf = '529.982.247-25';

describe('the generic entities', () => {
  let app: TestApp;
  let ana: TestAccount;
  let token: string;
  before(async () => {
    app = await startTestApp();
    // The first account of an installation is its administrator.
    await signedInAccount(app);
    ana = await signedInAccount(app, { firstName: 'Ana' });
    token = ana.token;
  });
  after(() => app.close());

  const processOf = async (id: string) => (await app.call(api.getSignatureProcess, { token, params: { id } })).body;
  const inDays = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000).toISOString();
  const first = (ids: readonly string[]) => ids[0] ?? assert.fail('nothing was made');

  describe('of a draft', () => {
    it('are changed by its maker, as far as they are written; what is sent back unchanged is no change', async () => {
      const draft = await createDraft(app, ana, { signers: [bia] });
      const read = await processOf(draft.id);
      assert.equal(read.status, 'DRAFT');
      const changed = await app.call(api.signatureProcesses.update, {
        token,
        params: { id: draft.id },
        body: { ...read, title: 'Outro título', reminderIn: 3 },
      });
      assert.equal(changed.status, 200);
      assert.equal(changed.headers['x-app-alert'], 'record.changed');
      assert.deepEqual([changed.body.title, changed.body.reminderIn, changed.body.files], ['Outro título', 3, read.files]);

      const id = first(draft.signerIds);
      const { body: signer } = await app.call(api.signers.get, { token, params: { id } });
      const body = { ...signer, name: 'Beatriz Lima', legalIdentifier: cpf };
      const renamed = await app.call(api.signers.update, { token, params: { id }, body });
      assert.deepEqual([renamed.body.name, renamed.body.legalIdentifier], ['Beatriz Lima', '52998224725']);
    });

    it('name the process’s fault by the field: a title, a reminder, a signer’s address', async () => {
      const draft = await createDraft(app, ana, { signers: [bia] });
      const change = (body: object) =>
        app.call(api.signatureProcesses.update, { token, params: { id: draft.id }, body: { title: 'Contrato', ...body } });
      const faults = [
        await change({ title: ' ' }),
        await change({ reminderIn: 5 }),
        await change({ dueDate: 'amanhã' }),
        await change({ dueDate: inDays(0.5) }),
        await change({ dueDate: inDays(2), reminderIn: 3 }),
        await app.call(api.signers.update, { token, params: { id: first(draft.signerIds) }, body: { ...bia, email: 'bia', order: 0 } }),
        await app.call(api.signers.update, {
          token,
          params: { id: first(draft.signerIds) },
          body: { ...bia, order: 0, dueDate: inDays(0.5) },
        }),
      ];
      assert.deepEqual(
        faults.map(({ status, raw }) => [status, raw.json<{ fieldErrors: { field: string }[] }>().fieldErrors.map(({ field }) => field)]),
        [
          [400, ['title']],
          [400, ['reminderIn']],
          [400, ['dueDate']],
          [400, ['dueDate']],
          [400, ['reminderIn']],
          [400, ['email']],
          [400, ['dueDate']],
        ],
      );
    });

    it('are not overwritten by who read them before somebody else changed them', async () => {
      const draft = await createDraft(app, ana, { signers: [bia] });
      const read = await processOf(draft.id);
      const change = (title: string) =>
        app.call(api.signatureProcesses.update, { token, params: { id: draft.id }, body: { title, version: read.version } });
      assert.equal((await change('Primeiro')).status, 200);
      const late = await change('Segundo');
      assert.deepEqual([late.status, late.code], [409, 'record.changed']);
      assert.equal((await processOf(draft.id)).title, 'Primeiro');
    });

    it('are never another’s by a change: whose it is, its state and its times are refused by name', async () => {
      const draft = await createDraft(app, ana, { signers: [bia] });
      const eva = await signedInAccount(app);
      const read = await processOf(draft.id);
      const changes = [
        { applicationUser: { id: eva.id } },
        { status: 'FINALIZED_WITH_SUCCESS' },
        { createdDate: '2020-01-01T00:00:00.000Z' },
        { finalized: true },
        { files: [] },
      ];
      for (const change of changes) {
        const refused = await app.call(api.signatureProcesses.update, { token, params: { id: draft.id }, body: { ...read, ...change } });
        assert.deepEqual([refused.status, refused.code], [400, 'record.fixed']);
        assert.equal(refused.raw.json<{ fieldErrors: { field: string }[] }>().fieldErrors[0]?.field, Object.keys(change)[0]);
      }
      assert.deepEqual(await processOf(draft.id), read);
    });

    it('go one by one, and all with the draft, whose documents are free again', async () => {
      const draft = await createDraft(app, ana, { signers: [bia, { name: 'Caio Reis', email: 'caio@exemplo.com.br' }] });
      const gone = await app.call(api.signers.remove, { token, params: { id: first(draft.signerIds) } });
      assert.deepEqual([gone.status, gone.headers['x-app-alert']], [204, 'record.deleted']);
      assert.equal((await app.call(api.signatureProcesses.remove, { token, params: { id: draft.id } })).status, 204);
      assert.equal((await app.call(api.getSignatureProcess, { token, params: { id: draft.id } })).code, 'process.notFound');
      const { body: document } = await app.call(api.documents.get, { token, params: { id: first(draft.documentIds) } });
      assert.equal(document.signatureProcess, null);
    });

    it('take a signer without boxes as the plain entity, and an interested party in both spellings', async () => {
      const draft = await createDraft(app, ana, { signers: [] });
      const signatureProcess = { id: draft.id };
      const signer = await app.call(api.createSigner, { token, body: { ...bia, order: 0, signatureProcess } });
      assert.equal(signer.status, 200);
      const missing = await app.call(api.createSigner, { token, body: { name: 'Bia', order: 0, signatureProcess } as never });
      assert.deepEqual(missing.raw.json<{ fieldErrors: unknown }>().fieldErrors, [
        { objectName: 'signer', field: 'email', message: 'NotNull' },
      ]);
      const party = { stakeholderName: 'Davi', stakeholderEmail: 'davi@exemplo.com.br', signatureProcess };
      const { body } = await app.call(api.createStakeholder, { token, body: party });
      assert.deepEqual([body.name, body.email, body.stakeholderName], ['Davi', 'davi@exemplo.com.br', 'Davi']);
      const { body: changed } = await app.call(api.stakeholders.update, {
        token,
        params: { id: body.id },
        body: { ...party, stakeholderName: 'Davi Sá' },
      });
      assert.equal(changed.name, 'Davi Sá');
    });
  });

  describe('of what was sent', () => {
    it('stay as they were sent: nothing is signed, changed or deleted by a generic call, before the end and after it', async () => {
      const { id, signerIds, documentIds } = await startedProcess(app, ana, { signers: [bia] });
      const signer = first(signerIds);
      const { body: listed } = await app.call(api.signatures.list, { token, query: { sort: 'createdDate,desc' } });
      const signature = listed.items.find((one) => one.signer.id === signer) ?? assert.fail('no signature');
      const refusals = async () => {
        const read = await processOf(id);
        const { body: whom } = await app.call(api.signers.get, { token, params: { id: signer } });
        const answers = [
          await app.call(api.signatureProcesses.update, { token, params: { id }, body: { ...read, title: 'Outro' } }),
          await app.call(api.signatureProcesses.remove, { token, params: { id } }),
          await app.call(api.signers.update, { token, params: { id: signer }, body: { ...whom, name: 'Outra Pessoa' } }),
          await app.call(api.signers.remove, { token, params: { id: signer } }),
          await app.call(api.signatures.update, { token, params: { id: signature.id }, body: { ...signature, status: 'SIGNED' } as never }),
          await app.call(api.signatures.remove, { token, params: { id: signature.id } }),
          await app.call(api.signatures.create, { token, body: { signer: { id: signer }, document: { id: first(documentIds) } } }),
          await app.call(api.documents.update, { token, params: { id: first(documentIds) }, body: { name: 'outro.pdf' } }),
          await app.call(api.documents.remove, { token, params: { id: first(documentIds) } }),
        ];
        return answers.map(({ status, code }) => `${status} ${code}`);
      };
      const expected = [...Array<string>(7).fill('409 process.notDraft'), '409 document.inUse', '409 document.inUse'];
      assert.deepEqual(await refusals(), expected);
      assert.equal((await signElectronically(app, id, signer, { name: bia.name })).status, 204);
      assert.deepEqual(await refusals(), expected);
      const { body: signed } = await app.call(api.signatures.get, { token, params: { id: signature.id } });
      assert.deepEqual([signed.status, signed.signatureFinalized], ['SIGNED', `api/downloadSignature/${id}/${first(documentIds)}`]);
    });

    it('no status is written into a draft’s signature either, and one of each signer and document is all there is', async () => {
      const draft = await createDraft(app, ana, { signers: [bia] });
      const body = { signer: { id: first(draft.signerIds) }, document: { id: first(draft.documentIds) } };
      const { body: named } = await app.call(api.signatures.create, { token, body });
      assert.equal(named.status, 'SENT');
      assert.equal((await app.call(api.signatures.create, { token, body })).code, 'record.exists');
      const signed = await app.call(api.signatures.update, {
        token,
        params: { id: named.id },
        body: { ...named, status: 'SIGNED' } as never,
      });
      assert.deepEqual([signed.status, signed.code], [400, 'record.fixed']);
    });
  });

  it('list what is one’s own and what one was asked to sign, drafts for their maker alone; sorted, searched, counted', async () => {
    const eva = await signedInAccount(app, { firstName: 'Eva' });
    const given = { title: 'Çedilha única', signers: [{ name: 'Eva', email: eva.email }] };
    const sent = await startedProcess(app, ana, given);
    const draft = await createDraft(app, ana, given);
    const idsOf = async (who: string) => {
      const { body, headers } = await app.call(api.signatureProcesses.search, {
        token: who,
        query: { query: 'CEDILHA unica', sort: 'title,desc' },
      });
      assert.equal(headers['x-total-count'], String(body.items.length));
      return body.items.map(({ id }) => id).toSorted();
    };
    assert.deepEqual(await idsOf(token), [sent.id, draft.id].toSorted());
    assert.deepEqual(await idsOf(eva.token), [sent.id]);
    const { body: signers } = await app.call(api.signers.list, { token: eva.token, query: {} });
    assert.deepEqual(
      signers.items.map(({ id }) => id),
      sent.signerIds,
    );
    const refused = await app.call(api.signatureProcesses.update, { token: eva.token, params: { id: sent.id }, body: { title: 'Meu' } });
    assert.deepEqual([refused.status, refused.code], [404, 'process.notFound']);
  });

  it('tell of one process its signers and signatures, with where the picture stands in them; ids and what its maker alone knows to its maker (94)', async () => {
    const eva = await signedInAccount(app, { firstName: 'Eva' });
    const caio = await signedInAccount(app, { firstName: 'Caio' });
    const box = { width: 150, height: 75 };
    const signers = [
      { name: 'Eva Dias', email: eva.email, box },
      { name: 'Davi Sá', email: 'davi@exemplo.com.br', order: 0, box },
      { name: 'Caio Reis', email: caio.email, order: 1 },
    ];
    const draft = await createDraft(app, ana, { signers });
    const kept = JSON.stringify({ ...defaultElectronicModel, imagePosition: 'RIGHT' });
    const known = { phoneNumber: '11 98765-4321', legalIdentifier: '52998224725' };
    await sql`
      update signer set model = ${kept}, phone_number = ${known.phoneNumber}, legal_identifier = ${known.legalIdentifier}
      where id = ${draft.signerIds[1]}`.execute(app.ctx.db);
    assert.deepEqual((await processOf(draft.id)).signatures, []);
    await app.call(api.startSignatureProcess, { token, params: { id: draft.id } });
    await app.runJobs();

    const told = await processOf(draft.id);
    // Two of them sign at the same time, and stand in either order.
    const inTheirOrder = draft.signerIds.map((id) => told.signers.find((one) => one.id === id) ?? assert.fail('no signer'));
    assert.deepEqual([told.signers.length, told.signers.at(-1)?.name], [3, 'Caio Reis']);
    assert.deepEqual(
      inTheirOrder.map(({ id, name, phoneNumber, legalIdentifier, order, status }) => [
        id,
        name,
        phoneNumber,
        legalIdentifier,
        order,
        status,
      ]),
      [
        [draft.signerIds[0], 'Eva Dias', null, null, 0, 'SENT'],
        [draft.signerIds[1], 'Davi Sá', known.phoneNumber, known.legalIdentifier, 0, 'SENT'],
        [draft.signerIds[2], 'Caio Reis', null, null, 1, 'WAITING'],
      ],
    );
    const { body: listed } = await app.call(api.signatures.list, { token, query: { sort: 'createdDate,desc' } });
    const positions = ['TOP', 'RIGHT', undefined];
    for (const [index, id] of draft.signerIds.entries()) {
      const { visualSignature, ...signature } = told.signatures.find(({ signer }) => signer.id === id) ?? assert.fail('no signature');
      assert.equal(visualSignature?.signatureModel.imagePosition, positions[index]);
      const {
        version: _version,
        signatureProcess: _process,
        ...same
      } = listed.items.find((one) => one.id === signature.id) ?? assert.fail('not listed');
      assert.deepEqual(signature, same);
    }

    const seen = (await app.call(api.getSignatureProcess, { token: eva.token, params: { id: draft.id } })).body;
    const secrets = ({ id, phoneNumber, legalIdentifier }: (typeof seen.signers)[number]) => [id, phoneNumber, legalIdentifier];
    assert.deepEqual(seen.signers.map(secrets), Array(3).fill([null, null, null]));
    assert.deepEqual(
      seen.signatures.map((one) => [one.id, one.signer.id]),
      Array(3).fill([null, null]),
    );
    assert.deepEqual(
      seen.signers.map(({ name }) => name),
      told.signers.map(({ name }) => name),
    );
    const early = await app.call(api.getSignatureProcess, { token: caio.token, params: { id: draft.id } });
    assert.equal(early.code, 'process.notFound');
  });

  describe('documents', () => {
    it('are created as JSON of bytes that were uploaded before, and of no others', async () => {
      const [uploaded] = (await upload(app, token, [{ name: 'um.pdf', bytes: await samplePdf() }])).body;
      const hash = uploaded?.hash ?? assert.fail('not uploaded');
      const created = await app.call(api.documents.create, {
        token,
        body: { name: 'dois.pdf', hash, createdDate: app.clock.now().toISOString() },
      });
      assert.deepEqual([created.status, created.body.name, created.body.hash], [201, 'dois.pdf', hash]);
      const eva = await signedInAccount(app);
      const stranger = await app.call(api.documents.create, { token: eva.token, body: { name: 'dois.pdf', hash } });
      assert.deepEqual([stranger.status, stranger.code], [404, 'document.notFound']);
      const draft = await app.call(api.createSignatureProcess, {
        token,
        body: { title: 'Com a cópia', type: 'ELETRONIC_SIGNATURE', files: [{ id: created.body.id }] },
      });
      assert.equal(draft.status, 200, 'a deadline and a reminder may be left out');
    });

    it('are renamed and deleted while no process has them', async () => {
      const [uploaded] = (await upload(app, token, [{ name: 'solto.pdf', bytes: await samplePdf() }])).body;
      const params = { id: uploaded?.id ?? '' };
      assert.equal((await app.call(api.documents.update, { token, params, body: { name: 'novo.pdf' } })).body.name, 'novo.pdf');
      assert.equal((await app.call(api.documents.remove, { token, params })).status, 204);
      assert.equal((await app.call(api.documents.get, { token, params })).code, 'document.notFound');
    });
  });

  describe('application users', () => {
    it('are the accounts: each its own from its first day, with a CPF that its holder writes', async () => {
      const { body: own } = await app.call(api.applicationUsers.list, { token, query: {} });
      assert.deepEqual(
        own.items.map(({ user }) => user),
        [{ id: ana.id, name: ana.email }],
      );
      const params = { id: ana.id };
      const written = await app.call(api.applicationUsers.update, { token, params, body: { legalIdentifier: cpf } });
      assert.equal(written.body.legalIdentifier, '52998224725');
      assert.equal(
        (await app.call(api.applicationUsers.update, { token, params, body: { legalIdentifier: '1' } })).code,
        'evidence.cpfInvalid',
      );
      assert.equal((await app.call(api.applicationUsers.create, { token, body: { user: { id: ana.id } } })).code, 'record.exists');
      assert.equal((await app.call(api.applicationUsers.remove, { token, params })).status, 403);
      const eva = await signedInAccount(app);
      const other = await app.call(api.applicationUsers.get, { token: eva.token, params });
      assert.equal(other.status, 404);
    });

    it('keep the CPF that a provider of identities has confirmed', async () => {
      const eva = await signedInAccount(app);
      await app.ctx.db
        .updateTable('app_user')
        .set({ cpf: '52998224725', cpf_confirmed_by: 'gov.br', cpf_confirmed_at: app.clock.now() })
        .where('id', '=', eva.id)
        .execute();
      const change = (legalIdentifier: string) =>
        app.call(api.applicationUsers.update, { token: eva.token, params: { id: eva.id }, body: { legalIdentifier } });
      assert.equal((await change(cpf)).status, 200);
      assert.deepEqual((await change('111.444.777-35')).code, 'identity.otherCpf');
    });
  });
});
