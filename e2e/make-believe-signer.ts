import { createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import {
  commitmentTo,
  type LocalSignerFault,
  type LocalSignerRequest,
  type LocalSignerSession,
  localSignerPorts,
  localSignerRequest,
  meetingCode,
  meetingText,
} from '@lavra/api';
import { fromBase64, toBase64 } from '@lavra/pades';
import { type CertificateFile, certificateFileSigner, openCertificateFile } from '@lavra/pades/p12';

/** What speaks as LAVRA_SIGNER does, with the key of a file and without a window. */
export interface MakeBelieveSigner {
  /** How its person acts from now on: lets it wait, agrees, or this goes wrong. */
  person: 'waits' | 'agrees' | LocalSignerFault;
  /** What it says of its protocol. */
  protocol: number;
  /** Takes what pages greet it with and says nothing. */
  silent: boolean;
  /** Of the window that it would show. */
  code: string;
  /** Bodies that pages have handed over, all of them. */
  readonly heard: string[];
  /** From now on it is another program. */
  changeKey(): void;
  /** Sessions that the page gave up. */
  readonly deleted: string[];
  close(): Promise<void>;
}

/** Listens on the second of its ports where no other is named: the first may be somebody else's. */
export async function startMakeBelieveSigner(
  path: string,
  password: string,
  port: number = localSignerPorts[1],
): Promise<MakeBelieveSigner> {
  const file = await openCertificateFile(await readFile(path), password);
  const signed = new Map<string, LocalSignerSession>();
  let keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let greeted = { commitment: '', nonce: '' };
  const key = () => keys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const signer: MakeBelieveSigner = {
    person: 'waits',
    protocol: 2,
    silent: false,
    code: '',
    heard: [],
    changeKey: () => void (keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })),
    deleted: [],
    close: () => new Promise((resolve) => void (server.close(() => resolve()), server.closeAllConnections())),
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => send(response, 400, { code: 'REQUEST_INVALID', why: String(error) }));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = request.headers.origin ?? '';
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Allow-Headers', 'Content-Type');
    response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
    const what = `${request.method} ${request.url}`;
    if (request.method === 'OPTIONS') return send(response, 204);
    if (what === 'GET /v1/version') return send(response, 200, { name: 'LAVRA_SIGNER', version: '0', protocol: signer.protocol });
    const body = request.method === 'POST' ? await bodyOf(request) : '';
    if (body !== '') signer.heard.push(body);
    if (signer.silent) return;
    if (what === 'POST /v2/sessions') {
      greeted = { ...(JSON.parse(body) as { commitment: string }), nonce: randomBytes(32).toString('base64url') };
      return send(response, 201, { session: 'um', key: key(), nonce: greeted.nonce });
    }
    if (what === 'POST /v2/sessions/um/meeting') return send(response, 200, await met(JSON.parse(body) as { nonce: string }, origin));
    if (what === 'POST /v2/sessions/um/certificate') {
      await believed(body, origin, 'certificate');
      return send(response, 202);
    }
    if (what === 'POST /v2/sessions/um/sign') {
      signed.set('um', { state: 'signed', signatures: await signatures(file, await believed(body, origin, 'sign')) });
      return send(response, 202);
    }
    if (request.method === 'DELETE') {
      signer.deleted.push(request.url ?? '');
      signed.delete('um');
      return send(response, 204);
    }
    send(response, 200, state());
  }
  async function met({ nonce }: { nonce: string }, origin: string): Promise<{ signature: string }> {
    if ((await commitmentTo(nonce)) !== greeted.commitment) throw new Error('another nonce than the page had chosen');
    const meeting = { origin, port, key: key(), pageNonce: nonce, signerNonce: greeted.nonce };
    signer.code = await meetingCode(meeting);
    const signature = sign('sha256', Buffer.from(meetingText(meeting)), { key: keys.privateKey, dsaEncoding: 'ieee-p1363' });
    return { signature: signature.toString('base64') };
  }
  function state(): LocalSignerSession {
    if (signer.person === 'waits') return { state: 'waiting' };
    if (signer.person !== 'agrees') return { state: 'failed', code: signer.person };
    return signed.get('um') ?? { state: 'certificate', certificate: toBase64(file.certificate), chain: file.chain.map(toBase64) };
  }
  const listens = () =>
    new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
  // Any connection of this machine may have been given the port for a while.
  for (let tries = 0; !(await listens()); tries += 1) {
    if (tries === 240) throw new Error(`port ${port} is somebody else's`);
    await setTimeout(250);
  }
  if ((server.address() as AddressInfo).port !== port) throw new Error('another port');
  return signer;
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of message) body += String(chunk);
  return body;
}

/** The request, if the server that the page came from has signed it for this origin. */
async function believed(body: string, origin: string, kind: LocalSignerRequest['kind']): Promise<LocalSignerRequest> {
  const [payload = '', signature = ''] = (JSON.parse(body) as { request: string }).request.split('.');
  const { key } = (await (await fetch(`${origin}/api/local-signatures/key`)).json()) as { key: string };
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  if (!verify(null, Buffer.from(payload), publicKey, Buffer.from(signature, 'base64url'))) throw new Error('not signed by the server');
  const request = localSignerRequest.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
  if (request.kind !== kind || request.origin !== origin) throw new Error('of another kind or for another origin');
  return request;
}

async function signatures(file: CertificateFile, { documents }: LocalSignerRequest): Promise<{ documentId: string; value: string }[]> {
  const { sign } = await certificateFileSigner(file);
  return Promise.all(
    documents.map(async ({ documentId, digest, signedAttributes }) => {
      if (!digest || !signedAttributes) throw new Error('nothing to sign');
      return { documentId, value: toBase64(await sign(fromBase64(signedAttributes), digest)) };
    }),
  );
}

function send(response: ServerResponse, status: number, body?: unknown): void {
  response.writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
