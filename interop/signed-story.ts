import { setTimeout as sleep } from 'node:timers/promises';
import { mailedLink, type Product } from '../e2e/product.ts';

interface NamedFile {
  name: string;
  bytes: Buffer;
}

/** A stroke of 60 × 20: enough of a signature image for machines. */
const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAADwAAAAUCAAAAAD0aAH1AAAAX0lEQVR4nJ3USQoAIAwDwPz/0wqCYumWtFczuFbg1BoVXk3wx2UPO73mb3rkv6jubU70LqT4KEH7ZJjz+Rjhy4V1vjuV0hNXknvuPSSefoyRVzrBebENrdf/AEQbGPgNhbjaUDhmTtAAAAAASUVORK5CYII=';

/** The main story over the product's own calls: two signers, a box and a repeated box each, every document. */
export async function signedStory(product: Product, documents: readonly NamedFile[]): Promise<NamedFile[]> {
  let token = '';
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(product.url + path, {
      method,
      headers: {
        ...(body && !(body instanceof FormData) ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
  const account = { firstName: 'Ana', login: 'ana@exemplo.com.br', email: 'ana@exemplo.com.br', password: 'Segredo123' };
  await call('POST', '/api/register', account);
  token = (await call<{ id_token: string }>('POST', '/api/authenticate', { username: account.email, password: account.password })).id_token;
  const form = new FormData();
  for (const { name, bytes } of documents) form.append('files', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), name);
  const uploaded = await call<{ id: string; name: string; pages: { box: number[] }[] }[]>('POST', '/api/documents', form);
  const { id } = await call<{ id: string }>('POST', '/api/signature-processes', {
    title: 'História',
    dueDate: null,
    reminderIn: null,
    type: 'ELETRONIC_SIGNATURE',
    files: uploaded,
  });
  const signers: { id: string; name: string; email: string }[] = [];
  for (const [order, name] of ['Beatriz Conceição', 'João Łukasz Nóbrega'].entries()) {
    const visibleSignature = uploaded.flatMap((document) =>
      [0, 1].map((box) => ({
        documentId: document.id,
        page: 1,
        x: (document.pages[0]?.box[0] ?? 0) + 40 + order * 170,
        y: (document.pages[0]?.box[1] ?? 0) + 40 + box * 170,
        width: 150,
        height: 75,
        realSignature: box === 0,
      })),
    );
    signers.push(
      await call('POST', '/api/signers', {
        signer: { name, email: `s${order}@exemplo.com.br`, order, quantity: 2, signatureProcess: { id } },
        signatureVisibleActive: true,
        visibleSignature,
        modelId: null,
      }),
    );
  }
  await call('POST', `/api/signature-processes/${id}/start`);
  for (const signer of signers) {
    const key = new URL(await mailedLink(product, signer.email, 'História')).searchParams.get('user') ?? '';
    const information = await until(
      () => call<{ me: { can: { sign: boolean } }; consent: { hash: string } }>('GET', `/api/requisitionInformation/${id}?user=${key}`),
      ({ me }) => me.can.sign,
    );
    const signatureEvidence = {
      latitude: -23.5,
      longitude: -46.6,
      accuracy: 12,
      signatureImage: IMAGE,
      signatureImageContentType: 'image/png',
    };
    await call('POST', '/api/signature-evidences/initEletronicSignature', {
      processId: id,
      signerId: key,
      cpf: '52998224725',
      name: signer.name,
      consentHash: information.consent.hash,
      signatureEvidence,
    });
    await until(
      () => call<{ status: string }>('GET', `/api/signatureStatus/${id}/${key}`),
      ({ status }) => status === 'SIGNED',
    );
  }
  await until(
    () => call<{ status: string }>('GET', `/api/signature-processes/${id}`),
    ({ status }) => status === 'FINALIZED_WITH_SUCCESS',
  );
  return Promise.all(
    uploaded.map(async (document) => {
      const answer = await fetch(`${product.url}/api/downloadSignature/${id}/${document.id}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return { name: document.name.replace('.pdf', '-assinado.pdf'), bytes: Buffer.from(await answer.arrayBuffer()) };
    }),
  );
}

async function until<T>(read: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  for (let attempt = 0; attempt < 120; attempt += 1) {
    const value = await read();
    if (done(value)) return value;
    await sleep(500);
  }
  throw new Error('waited a minute for nothing');
}
