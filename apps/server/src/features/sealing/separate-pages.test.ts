import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import * as api from '@lavra/api';
import { startPscWorld } from '@lavra/make-believe';
import { inspectPdf, memorySource, openPdf } from '@lavra/pades';
import { unzipSync } from 'fflate';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { blobsOf } from '../../testing/blobs.ts';
import { signLocally } from '../../testing/certificate-acts.ts';
import { frozenClock } from '../../testing/clock.ts';
import { signElectronically, startedProcess, type TestDraft } from '../../testing/processes.ts';
import { findSignatures, opensslFault } from '../../testing/signatures.ts';
import { testTimestamps } from '../../testing/timestamps.ts';
import { loadAuthority } from '../authority/authority.ts';
import { removeForgotten } from '../stored-files/remove-forgotten.ts';

const bia = { name: 'Bia Lima', email: 'bia@exemplo.com.br', cpf: '52998224725' };
const caio = { name: 'Caio Reis', email: 'caio@exemplo.com.br' };
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let app: TestApp;
let ana: TestAccount;

/** Lines break anywhere, and a hyphen there is taken for one of the line. */
const squeezed = (text: string) => text.replaceAll(/[\s-]/g, '');

/** The text of a PDF as poppler reads it, without its spaces. */
async function textOf(pdf: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lavra-page-'));
  const path = join(folder, 'page.pdf');
  try {
    await writeFile(path, pdf);
    return squeezed((await promisify(execFile)('pdftotext', [path, '-'])).stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const fileOf = async (draft: TestDraft, call: typeof api.downloadSignature | typeof api.downloadSignaturePage) => {
  const answer = await app.call(call, {
    params: { processId: draft.id, documentId: draft.documentIds[0] ?? '' },
    query: { user: draft.signerIds[0] },
  });
  return { ...answer, bytes: answer.raw.rawPayload };
};
const itemsOf = async (draft: TestDraft) =>
  (await app.call(api.getDownloadItems, { token: ana.token, params: { processId: draft.id } })).body.items;

/** A PDF that carries the signatures of a process that ended here before. */
async function signedBefore(): Promise<Buffer> {
  const draft = await startedProcess(app, ana, { signers: [{ name: 'Rui Prior', email: 'rui@exemplo.com.br' }] });
  await signElectronically(app, draft.id, draft.signerIds[0] ?? '', { name: 'Rui Prior' });
  assert.deepEqual(
    (await itemsOf(draft)).map(({ kind }) => kind),
    ['document', 'evidence'],
    'an appended page is no file of its own',
  );
  assert.equal((await fileOf(draft, api.downloadSignaturePage)).status, 404);
  return (await fileOf(draft, api.downloadSignature)).bytes;
}

describe('a PDF that already carries signatures', () => {
  let prior: Buffer;
  let world: Awaited<ReturnType<typeof startPscWorld>>;
  before(async () => {
    const clock = frozenClock();
    world = await startPscWorld({ now: clock.now, redirectUris: ['http://lavra.test/callback/psc'] });
    const anchors = Object.values(world.pki.roots).map((certificate) => ({
      certificate,
      name: 'ICP-Brasil',
      uses: ['signature'] as const,
    }));
    const [hostname = '', port = ''] = world.host.split(':');
    app = await startTestApp({
      clock,
      timestamps: await testTimestamps(clock),
      certificates: {
        icpBrasil: { anchors, intermediates: world.pki.intermediates },
        allowedPrivateHosts: [{ hostname, port: Number(port) }],
      },
    });
    ana = await signedInAccount(app);
    prior = await signedBefore();
  });
  after(async () => {
    await app.close();
    await world.close();
  });

  it('gets no page, and its signature page as a sealed file of its own that names it by both hashes', async () => {
    const draft = await startedProcess(app, ana, { title: 'Aditivo', documents: ['aditivo.pdf'], bytes: prior, signers: [bia, caio] });
    await signElectronically(app, draft.id, draft.signerIds[0] ?? '');
    assert.equal((await fileOf(draft, api.downloadSignaturePage)).code, 'document.notFinished');
    await signElectronically(app, draft.id, draft.signerIds[1] ?? '', { name: 'Caio Reis' });

    const signed = (await fileOf(draft, api.downloadSignature)).bytes;
    assert.ok(signed.subarray(0, prior.length).equals(prior));
    const pages = async (bytes: Buffer) => (await inspectPdf(await openPdf(memorySource(bytes)))).pageCount;
    assert.equal(await pages(signed), await pages(prior));

    const { bytes: page, headers } = await fileOf(draft, api.downloadSignaturePage);
    assert.match(String(headers['content-disposition']), /aditivo-pagina-de-assinaturas\.pdf/);
    const text = await textOf(page);
    for (const told of [
      'Aditivo',
      'aditivo.pdf',
      draft.documentIds[0] ?? '',
      sha256(prior),
      sha256(signed),
      'Assinado eletronicamente por Bia Lima, CPF ***.982.247-**',
      'Assinado eletronicamente por Caio Reis',
      'do endereço IP 203.0.113.20',
      'Certificado de uso único nº',
      `validateLogin?docId=${draft.documentIds[0]}`,
    ])
      assert.ok(text.includes(squeezed(told)), `${told} in ${text}`);

    assert.match(page.toString('latin1'), /\/MarkInfo\b/, 'read aloud in its order');
    const { root } = await loadAuthority(app.ctx);
    const [seal, timestamp] = findSignatures(page);
    assert.ok(seal && timestamp, 'sealed, and stamped for years');
    assert.equal(await opensslFault(seal, root.der, app.clock.now()), '');
    const events = await app.ctx.db
      .selectFrom('event')
      .select('data')
      .where('signature_process_id', '=', draft.id)
      .where('type', '=', 'process.finalized')
      .execute();
    assert.deepEqual(
      events.map(({ data }) => data),
      [{ signaturePages: [{ id: draft.documentIds[0], sha256: sha256(page) }] }],
    );
  });

  it('has its evidence in what each person signs, page or no page', async () => {
    const draft = await startedProcess(app, ana, { documents: ['aditivo.pdf'], bytes: prior, signers: [bia] });
    await signElectronically(app, draft.id, draft.signerIds[0] ?? '');
    const signed = (await fileOf(draft, api.downloadSignature)).bytes;
    const own = findSignatures(signed).map(({ covered }) => covered.subarray(prior.length).toString('latin1'));
    const [, hex = ''] = own.map((bytes) => /\/Reason <feff([0-9a-f]+)>/.exec(bytes) ?? []).find((found) => found.length > 0) ?? [];
    const reason = Buffer.from(hex, 'hex').swap16().toString('utf16le');
    assert.match(
      reason,
      /^Assinado eletronicamente por Bia Lima, CPF.*982\.247.* · em .* · pelo link .* 203\.0\.113\.20 · Local: .* · Certificado/,
    );
  });

  it('lists it, packs it, and shows it to who verifies by the identifier', async () => {
    const draft = await startedProcess(app, ana, { documents: ['aditivo.pdf', 'outro.pdf'], bytes: prior, signers: [bia] });
    await signElectronically(app, draft.id, draft.signerIds[0] ?? '');
    const [first = '', second = ''] = draft.documentIds;
    const items = await itemsOf(draft);
    assert.deepEqual(items.map(({ id, kind, name }) => [id, kind, name]).slice(0, 4), [
      [first, 'document', 'aditivo-assinado.pdf'],
      [`page-${first}`, 'page', 'aditivo-pagina-de-assinaturas.pdf'],
      [second, 'document', 'outro-assinado.pdf'],
      [`page-${second}`, 'page', 'outro-pagina-de-assinaturas.pdf'],
    ]);
    const zip = await app.call(api.downloadSelection, {
      params: { processId: draft.id },
      query: { user: draft.signerIds[0], items: items.map(({ id }) => id).join() },
    });
    const packed = unzipSync(new Uint8Array(zip.raw.rawPayload));
    const { bytes: page } = await fileOf(draft, api.downloadSignaturePage);
    assert.deepEqual(Buffer.from(packed['aditivo-pagina-de-assinaturas.pdf'] ?? []), page);
    const { body: entry } = await app.call(api.loginValidation, { query: { documentId: first, emailSigner: bia.email } });
    const query = { documentId: first, ticket: entry.ticket ?? '' };
    const { body: seen } = await app.call(api.getValidation, { query });
    assert.deepEqual(seen.signaturePage, { name: 'aditivo-pagina-de-assinaturas.pdf', hash: sha256(page), size: page.length });
    assert.deepEqual((await app.call(api.downloadValidatedPage, { query })).raw.rawPayload, page);
    assert.equal(
      (await app.call(api.downloadValidatedPage, { query: { ...query, ticket: `${query.ticket}x` } })).code,
      'verification.notPermitted',
    );
  });

  it('gets it with ICP-Brasil certificates too, where nothing of the platform is added to the document itself', async () => {
    const draft = await startedProcess(app, ana, { type: 'DIGITAL_SIGNATURE', documents: ['aditivo.pdf'], bytes: prior, signers: [bia] });
    const own = await world.pki.issuePerson(bia);
    await signLocally(app, draft, 0, { cpf: bia.cpf, source: 'file', certificate: own.certificate, key: own.key });
    await app.runJobs();
    const text = await textOf((await fileOf(draft, api.downloadSignaturePage)).bytes);
    assert.match(text, /Assinadodigitalmentepor.*CertificadoICPBrasil/);
    assert.ok(text.includes(sha256((await fileOf(draft, api.downloadSignature)).bytes)));
  });

  it('keeps its page as long as its row refers to it', async () => {
    const draft = await startedProcess(app, ana, { documents: ['aditivo.pdf'], bytes: prior, signers: [bia] });
    await signElectronically(app, draft.id, draft.signerIds[0] ?? '');
    const { bytes } = await fileOf(draft, api.downloadSignaturePage);
    const row = await app.ctx.db.selectFrom('blob').select('kind').where('hash', '=', sha256(bytes)).executeTakeFirstOrThrow();
    assert.equal(row.kind, 'page');
    app.clock.advance({ days: 2 });
    await removeForgotten(app.ctx);
    assert.deepEqual((await fileOf(draft, api.downloadSignaturePage)).bytes, bytes);
    await blobsOf(app).flip(sha256(bytes));
    assert.equal((await fileOf(draft, api.downloadSignaturePage)).code, 'storage.damaged');
  });
});
