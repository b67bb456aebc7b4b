import { createPublicKey, verify } from 'node:crypto';
import { localSignerRequest } from '@lavra/api';
import type { LocalSignerFault, LocalSignerRequest } from '@lavra/api';

/** A refusal that goes to the page. `message` is for the log. */
export class SignerFault extends Error {
  readonly code: LocalSignerFault;
  constructor(code: LocalSignerFault, message: string = code) {
    super(message);
    this.code = code;
  }
}

/** A request as it came: read, not yet believed. */
export interface UnverifiedRequest {
  readonly request: LocalSignerRequest;
  readonly signedText: string;
  readonly signature: Uint8Array;
}

const base64url = /^[A-Za-z0-9_-]+$/;
const longestLife = 10 * 60_000;
const skew = 60_000;
const mostDocuments = 200;
const longestText = 1000;

/** Takes a one-time request apart. Throws REQUEST_INVALID. */
export function readRequest(text: string): UnverifiedRequest {
  const [body = '', signature = '', ...more] = text.split('.');
  if (more.length > 0 || !base64url.test(body) || !base64url.test(signature)) throw new SignerFault('REQUEST_INVALID', 'its form');
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body, 'base64url')));
  } catch {
    throw new SignerFault('REQUEST_INVALID', 'no JSON');
  }
  const read = localSignerRequest.safeParse(json);
  if (!read.success) throw new SignerFault('REQUEST_INVALID', 'another message');
  const request = read.data;
  assertSane(request);
  return { request, signedText: body, signature: new Uint8Array(Buffer.from(signature, 'base64url')) };
}

function assertSane({ nonce, title, creator, documents }: LocalSignerRequest): void {
  const ids = new Set(documents.map(({ documentId }) => documentId));
  const texts = [title, creator, ...documents.flatMap(({ documentId, name }) => [documentId, name])];
  if (nonce.length < 16 || nonce.length > 200) throw new SignerFault('REQUEST_INVALID', 'its nonce');
  if (documents.length === 0 || documents.length > mostDocuments || ids.size !== documents.length) {
    throw new SignerFault('REQUEST_INVALID', 'its documents');
  }
  if (texts.some((text) => text.length > longestText) || documents.some(({ sha256 }) => !/^[0-9a-f]{64}$/.test(sha256))) {
    throw new SignerFault('REQUEST_INVALID', 'its texts');
  }
}

/** Whether the server whose key (SPKI, base64) this is signed the request (RFC 8032, pure Ed25519). */
export function isSignedBy({ signedText, signature }: UnverifiedRequest, key: string): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    return publicKey.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(signedText), publicKey, signature);
  } catch {
    return false;
  }
}

/** Throws REQUEST_INVALID or REQUEST_EXPIRED: kind, origin (the browser's, exactly) and times, with a minute for clocks that differ. */
export function assertFor(request: LocalSignerRequest, kind: LocalSignerRequest['kind'], origin: string, now: number): void {
  if (request.kind !== kind) throw new SignerFault('REQUEST_INVALID', 'its kind');
  if (request.origin !== origin) throw new SignerFault('REQUEST_INVALID', 'its origin');
  const issuedAt = Date.parse(request.issuedAt);
  const expiresAt = Date.parse(request.expiresAt);
  if (!Number.isFinite(issuedAt) || !Number.isFinite(expiresAt) || expiresAt <= issuedAt || expiresAt - issuedAt > longestLife) {
    throw new SignerFault('REQUEST_INVALID', 'its times');
  }
  if (issuedAt > now + skew) throw new SignerFault('REQUEST_INVALID', 'from the future');
  if (expiresAt + skew <= now) throw new SignerFault('REQUEST_EXPIRED');
}

/** Nonces that have acted, until no clock would let their request through any more. */
export class UsedNonces {
  readonly #until = new Map<string, number>();

  /** Throws REQUEST_USED. Called last, after everything else has been found right. */
  use({ nonce, origin, expiresAt }: LocalSignerRequest, now: number): void {
    for (const [known, until] of this.#until) if (until < now) this.#until.delete(known);
    const name = `${origin} ${nonce}`;
    if (this.#until.has(name)) throw new SignerFault('REQUEST_USED');
    this.#until.set(name, Date.parse(expiresAt) + 2 * skew);
  }
}
