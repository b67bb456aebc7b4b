import { deflateSync, crc32 } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeContract } from './documents.ts';
import { creator } from './people.ts';
import { mailedLink, type Product } from './product.ts';

/** What a running product has after some days of use; made through its own calls. */
export interface World {
  /** Waits for its second signer, who may sign now; two documents, places on the pages. */
  readonly going: { readonly id: string; readonly link: string };
  readonly finished: { readonly id: string; readonly documentId: string; readonly email: string };
  readonly rejected: { readonly id: string };
  readonly companyId: string;
  readonly modelId: string;
  readonly signerId: string;
  readonly signatureId: string;
  /** Of the first account. */
  readonly accountId: string;
}

export type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

/** Registers the first account, who administers, and puts people, processes, a company, a plan and a model beside it. */
export async function makeWorld(product: Product): Promise<World> {
  const call = await signedIn(product);
  const { id: companyId } = await call<{ id: string }>('POST', 'api/companies', { name: 'Lago Azul Imóveis Ltda.' });
  const { id: modelId } = await call<{ id: string }>('POST', 'api/create-signature-model', model);
  await call('POST', 'api/contracts', { validity: new Date(Date.now() + 300 * 86_400_000).toISOString(), paymentType: 'MONTHLY' });
  const finished = await send(call, 'Recibo de pagamento', [['Zé da Silva', 'ze@exemplo.com.br']]);
  const rejected = await send(call, 'Aditivo de contrato', [['Conceição Guimarães', 'conceicao@exemplo.com.br']]);
  const going = await send(call, 'Contrato de locação', [
    ['Dora Lima', 'dora@exemplo.com.br'],
    ['Maria Aparecida Guimarães Magalhães', 'maria@exemplo.com.br'],
    ['Tadeu Souza', 'tadeu@exemplo.com.br'],
  ]);
  await sign(product, finished, 'ze@exemplo.com.br');
  await sign(product, going, 'dora@exemplo.com.br');
  await refuse(product, rejected, 'conceicao@exemplo.com.br');
  const { documentId } = await ended(product, call, finished.id);
  const [signature] = await call<{ id: string }[]>('GET', 'api/signatures?size=1');
  const account = await call<{ id: string }>('GET', 'api/account');
  return {
    going: { id: going.id, link: await mailedLink(product, 'maria@exemplo.com.br', going.title) },
    finished: { id: finished.id, documentId, email: 'ze@exemplo.com.br' },
    rejected: { id: rejected.id },
    companyId,
    modelId,
    signerId: going.signerId,
    signatureId: signature?.id ?? '',
    accountId: account.id,
  };
}

const model = {
  name: 'Escritório',
  width: 150,
  height: 75,
  imagePosition: 'LEFT',
  customText: 'Assinado digitalmente por:',
  textFont: 'HELVETICA',
  textFontSize: 8,
  textPadding: 5,
  textAlignment: 'LEFT',
};

/** The first account is made, and administers; a way to make the product's calls as it. */
export async function signedIn(product: Product): Promise<Call> {
  const register = { firstName: creator.name, login: creator.email, email: creator.email, password: creator.password };
  await ask(product.url, '', 'POST', 'api/register', register);
  return entered(product);
}

/** The same where the first account is there. */
export async function entered({ url }: Product): Promise<Call> {
  const { id_token: token } = await ask<{ id_token: string }>(url, '', 'POST', 'api/authenticate', {
    username: creator.email,
    password: creator.password,
  });
  return (method, path, body) => ask(url, token, method, path, body);
}

async function ask<T>(url: string, token: string, method: string, path: string, body?: object): Promise<T> {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${url}/${path}`, {
    method,
    headers: {
      ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

interface Sent {
  id: string;
  title: string;
  /** Of the first signer: an id, no capability. */
  signerId: string;
}

/** One document for one person; two, with places on their first pages, for several, who sign one after the other unless they have the same number. */
export async function send(
  call: Call,
  title: string,
  people: readonly (readonly [name: string, email: string, order?: number])[],
  type: 'ELETRONIC_SIGNATURE' | 'DIGITAL_SIGNATURE' = 'ELETRONIC_SIGNATURE',
  langKey: 'pt-br' | 'en' | 'es' = 'pt-br',
): Promise<Sent> {
  const form = new FormData();
  const names = people.length > 1 ? [`${title}.pdf`, 'Termo de vistoria.pdf'] : [`${title}.pdf`];
  for (const name of names)
    form.append('files', new Blob([new Uint8Array(await makeContract(name.slice(0, -4), 2))], { type: 'application/pdf' }), name);
  const files = await call<{ id: string }[]>('POST', 'api/documents', form);
  const draft = {
    title,
    dueDate: null,
    reminderIn: null,
    type,
    geolocation: type === 'ELETRONIC_SIGNATURE' ? 'optional' : 'required',
    awaitsStart: true,
    langKey,
  };
  const { id } = await call<{ id: string }>('POST', 'api/signature-processes', {
    ...draft,
    files: files.map((file) => ({ id: file.id })),
  });
  const box = { page: 1, y: 200, width: 150, height: 75, realSignature: true };
  const ids: string[] = [];
  for (const [index, [name, email, order = index]] of people.entries()) {
    const signer = { name, email, order, signatureProcess: { id } };
    const places = files.map((file) => ({ ...box, documentId: file.id, x: 40 + index * 170 }));
    const payload = { signer, signatureVisibleActive: people.length > 1, visibleSignature: people.length > 1 ? places : [] };
    ids.push((await call<{ id: string }>('POST', 'api/signers', payload)).id);
  }
  await call('POST', `api/signature-processes/${id}/start`);
  return { id, title, signerId: ids[0] ?? '' };
}

/** One document for one person, and the address in their mail. */
export async function linkFor(
  product: Product,
  call: Call,
  title: string,
  person: readonly [string, string],
  type?: 'DIGITAL_SIGNATURE',
): Promise<string> {
  await send(call, title, [person], type);
  return mailedLink(product, person[1], title);
}

async function keyOf(product: Product, { title }: Sent, email: string): Promise<string> {
  const key = new URL(await mailedLink(product, email, title)).searchParams.get('user');
  if (!key) throw new Error(`no key in the link for ${email}`);
  return key;
}

export async function sign(product: Product, sent: Sent, email: string): Promise<void> {
  const key = await keyOf(product, sent, email);
  const { consent } = await ask<{ consent: { hash: string } }>(product.url, '', 'GET', `api/requisitionInformation/${sent.id}?user=${key}`);
  const where = { latitude: -23.55052, longitude: -46.633308, accuracy: 12 };
  const signatureEvidence = { ...where, signatureImage: strokePng(), signatureImageContentType: 'image/png' };
  await ask(product.url, '', 'POST', 'api/signature-evidences/initEletronicSignature', {
    processId: sent.id,
    signerId: key,
    cpf: '52998224725',
    name: 'Zé da Silva',
    consentHash: consent.hash,
    signatureEvidence,
  });
  await until(async () => {
    const { status } = await ask<{ status: string }>(product.url, '', 'GET', `api/signatureStatus/${sent.id}/${key}`);
    return status === 'SIGNED';
  });
}

export async function refuse(product: Product, sent: Sent, email: string): Promise<void> {
  const refusal = { processId: sent.id, signerId: await keyOf(product, sent, email) };
  const rejectCause = 'O valor do aluguel não é o que combinamos.';
  await ask(product.url, '', 'POST', 'api/createSignatureRejected', { ...refusal, rejectCause });
}

/** Its end has been told, so that all of its papers are there. */
async function ended(product: Product, call: Call, id: string): Promise<{ documentId: string }> {
  await mailedLink(product, creator.email, `download/${id}`);
  const { documents } = await call<{ documents: { id: string }[] }>('GET', `api/buildSubDataProcesses/${id}`);
  return { documentId: documents[0]?.id ?? '' };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 240; attempt += 1) {
    if (await holds()) return;
    await sleep(250);
  }
  throw new Error('it did not come to that in a minute');
}

/** A stroke across a white ground, in Base64. */
function strokePng(width = 240, height = 80): string {
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_row, x) => (Math.abs(x / 3 - y) < 2 ? 0 : 255))]),
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
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]).toString('base64');
}
