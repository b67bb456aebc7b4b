import { createHash, createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LocalSignerRequest } from '@lavra/api';

/** A server as the product's, as far as the program sees it: it shows its key and signs requests. */
export interface Site {
  readonly origin: string;
  /** As the key call has been asked so far. */
  readonly keyCalls: () => number;
  /** Shows and uses another key from now on. */
  changeKey(): void;
  /** A one-time request, signed; `changes` are made before it is signed. */
  ask(changes?: Partial<LocalSignerRequest>): string;
  [Symbol.asyncDispose](): Promise<void>;
}

export const sampleDocument = { documentId: 'd1', name: 'contrato.pdf', sha256: createHash('sha256').update('contrato').digest('hex') };

export async function startSite(): Promise<Site> {
  let keys = generateKeyPairSync('ed25519');
  let calls = 0;
  const server = createServer((request, response) => {
    if (request.url === '/') return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Site</title>');
    if (request.url !== '/api/local-signatures/key') return void response.writeHead(404).end();
    calls += 1;
    const key = createPublicKey(keys.publicKey.export({ type: 'spki', format: 'pem' })).export({ type: 'spki', format: 'der' });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ key: key.toString('base64') }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    keyCalls: () => calls,
    changeKey: () => void (keys = generateKeyPairSync('ed25519')),
    ask: (changes = {}) => signedRequest({ ...requestOf(origin), ...changes }, keys.privateKey),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function requestOf(origin: string, now = Date.now()): LocalSignerRequest {
  return {
    format: 1,
    kind: 'certificate',
    origin,
    nonce: randomUUID(),
    issuedAt: new Date(now).toISOString(),
    expiresAt: new Date(now + 300_000).toISOString(),
    title: 'Compra e venda',
    creator: 'Ana Beatriz Souza',
    documents: [sampleDocument],
  };
}

export function signedRequest(request: LocalSignerRequest, key: KeyObject): string {
  const body = Buffer.from(JSON.stringify(request)).toString('base64url');
  return `${body}.${sign(null, Buffer.from(body), key).toString('base64url')}`;
}
