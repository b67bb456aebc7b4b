import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import * as api from '@lavra/api';
import PDFDocument from 'pdfkit';
import type { TestAccount } from './accounts.ts';
import type { CallAnswer, TestApp } from './app.ts';

/** A real PDF with the given number of pages. */
export async function samplePdf(pages = 2): Promise<Buffer> {
  const pdf = new PDFDocument({ autoFirstPage: false });
  for (let page = 1; page <= pages; page += 1) pdf.addPage({ size: 'A4' }).fontSize(20).text(`Contrato, página ${page} de ${pages}`);
  pdf.end();
  const chunks: Buffer[] = [];
  for await (const chunk of pdf as unknown as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Its page is the page tree too: what signers write anew means two things at once, and no signature would stand under the next. */
export function pageInTwoRoles(): Buffer {
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Resources<<>>>>'];
  let text = '%PDF-1.7\n';
  const rows = objects.map((object, index) => {
    const row = `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return row;
  });
  const start = text.length;
  text += `xref\n0 3\n0000000000 65535 f \n${rows.join('')}trailer\n<</Root 1 0 R/Size 3>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text);
}

/** A small PNG with a stroke, base64. `mark`: 31 dots below it, so that it is a picture of its own. */
export function signaturePng(width = 120, height = 40, mark = 0): string {
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([
      0,
      ...Array.from({ length: width }, (_row, x) => (Math.abs(x / 3 - y) < 2 || (y === height - 1 && x < 31 && (mark >> x) & 1) ? 0 : 255)),
    ]),
  );
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64');
}

/** Uploads files by multipart, as a browser does. */
export async function upload(
  app: Pick<TestApp, 'inject'>,
  token: string,
  files: readonly { name: string; bytes: Buffer }[],
  headers: Record<string, string> = {},
): Promise<CallAnswer<typeof api.uploadDocuments>> {
  const boundary = 'a-boundary-that-no-file-holds';
  const parts = files.flatMap(({ name, bytes }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\ncontent-type: application/pdf\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ]);
  const raw = await app.inject({
    method: 'POST',
    url: '/api/documents',
    headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  });
  const code = raw.headers['x-app-error'];
  return { status: raw.statusCode, headers: raw.headers, body: raw.json(), code: code === undefined ? undefined : String(code), raw };
}

export interface SignerInput {
  name: string;
  email: string;
  order?: number;
  dueDate?: string | null;
  quantity?: number;
  modelId?: string | null;
  companyIdentifier?: string;
  /** A visible signature on the first page of every document, of this size in points. */
  box?: { width: number; height: number };
}

export interface DraftInput {
  title?: string;
  dueDate?: string | null;
  reminderIn?: number | null;
  type?: 'ELETRONIC_SIGNATURE' | 'DIGITAL_SIGNATURE' | null;
  documents?: readonly string[];
  /** What all of them hold; left out: a contract of two pages. */
  bytes?: Buffer;
  signers?: readonly SignerInput[];
  stakeholders?: readonly { name: string; email: string }[];
  geolocation?: 'required' | 'optional';
  langKey?: 'pt-br' | 'en' | 'es';
  tellStakeholders?: boolean;
}

export interface TestDraft {
  id: string;
  signerIds: string[];
  documentIds: string[];
}

/** The creation sequence up to its closing: documents, process, signers, interested parties. */
export async function createDraft(
  app: Pick<TestApp, 'call' | 'inject'>,
  creator: Pick<TestAccount, 'token'>,
  given: DraftInput = {},
): Promise<TestDraft> {
  const { token } = creator;
  const names = given.documents ?? ['contrato.pdf'];
  const bytes = given.bytes ?? (await samplePdf());
  const uploaded = await upload(
    app,
    token,
    names.map((name) => ({ name, bytes })),
  );
  assert.equal(uploaded.status, 200, uploaded.raw.body);
  const opened = await app.call(api.createSignatureProcess, {
    token,
    body: {
      title: given.title ?? 'Contrato de aluguel',
      dueDate: given.dueDate ?? null,
      reminderIn: given.reminderIn ?? null,
      type: given.type === undefined ? 'ELETRONIC_SIGNATURE' : given.type,
      files: uploaded.body.map(({ id }) => ({ id })),
      geolocation: given.geolocation ?? 'optional',
      langKey: given.langKey,
      tellStakeholders: given.tellStakeholders,
    },
  });
  assert.equal(opened.status, 200, opened.raw.body);
  const { id } = opened.body;
  const signerIds: string[] = [];
  for (const [index, signer] of (given.signers ?? [{ name: 'Bia Lima', email: 'bia@exemplo.com.br' }]).entries()) {
    const added = await app.call(api.createSigner, {
      token,
      body: {
        signer: {
          name: signer.name,
          email: signer.email,
          order: signer.order ?? index,
          dueDate: signer.dueDate ?? null,
          quantity: signer.quantity,
          companyIdentifier: signer.companyIdentifier ?? null,
          signatureProcess: { id },
        },
        signatureVisibleActive: signer.box !== undefined,
        visibleSignature: signer.box
          ? uploaded.body.map((document) => ({ documentId: document.id, page: 1, x: 100, y: 500, realSignature: true, ...signer.box! }))
          : [],
        modelId: signer.modelId ?? null,
      },
    });
    assert.equal(added.status, 200, added.raw.body);
    signerIds.push(added.body.id);
  }
  for (const stakeholder of given.stakeholders ?? []) {
    assert.equal((await app.call(api.createStakeholder, { token, body: { ...stakeholder, signatureProcess: { id } } })).status, 200);
  }
  return { id, signerIds, documentIds: uploaded.body.map((document) => document.id) };
}

/** The same, closed, prepared and with the first invitations sent. */
export async function startedProcess(app: TestApp, creator: TestAccount, given: DraftInput = {}): Promise<TestDraft> {
  const draft = await createDraft(app, creator, given);
  const started = await app.call(api.startSignatureProcess, { token: creator.token, params: { id: draft.id } });
  assert.equal(started.status, 204, started.raw.body);
  await app.runJobs();
  return draft;
}

/** A process of one signer from its creation to its end, in an installation whose jobs run by themselves (`queue.work`). */
export async function finishedByItself(app: TestApp, creator: TestAccount): Promise<TestDraft> {
  const draft = await createDraft(app, creator);
  assert.equal((await app.call(api.startSignatureProcess, { token: creator.token, params: { id: draft.id } })).status, 204);
  const standing = () => app.ctx.db.selectFrom('signature_process').select(['status', 'prepared_at']).where('id', '=', draft.id);
  await soon('prepared', async () => (await standing().executeTakeFirstOrThrow()).prepared_at !== null);
  assert.equal((await sendElectronically(app, draft.id, draft.signerIds[0] ?? '')).status, 204);
  await soon('finished', async () => (await standing().executeTakeFirstOrThrow()).status === 'FINALIZED_WITH_SUCCESS');
  return draft;
}

/** @throws AssertionError when it is not so within a minute */
export async function soon(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2400; tries += 1) {
    if (await isSo()) return;
    await sleep(25);
  }
  assert.fail(`never: ${what}`);
}

export interface ActChange {
  name?: string;
  cpf?: string;
  latitude?: number | null;
  consentHash?: string;
  image?: string;
  /** What the client says its address is. */
  clientIp?: string;
  /** Of the account that is signed in where the link is opened. */
  token?: string | undefined;
}

/** A signer's electronic act by the link, with everything given, and the jobs that it sends. */
export async function signElectronically(app: TestApp, processId: string, signerId: string, change: ActChange = {}) {
  const answer = await sendElectronically(app, processId, signerId, change);
  await app.runJobs();
  return answer;
}

/** The act alone: its job waits. */
export async function sendElectronically(app: TestApp, processId: string, signerId: string, change: ActChange = {}) {
  const { body: seen } = await app.call(api.getRequisitionInformation, { params: { processId }, query: { user: signerId } });
  return app.call(api.initEletronicSignature, {
    ip: '203.0.113.20',
    token: change.token,
    body: {
      processId,
      signerId,
      cpf: change.cpf ?? '529.982.247-25',
      name: change.name ?? 'Bia Lima',
      consentHash: change.consentHash ?? seen.consent.hash,
      signatureEvidence: {
        ip: change.clientIp ?? null,
        latitude: change.latitude === undefined ? -23.55 : change.latitude,
        longitude: -46.63,
        accuracy: 20,
        signatureImage: change.image ?? signaturePng(),
        signatureImageContentType: 'image/png',
        signatureStyle: 'drawn',
      },
    },
  });
}
