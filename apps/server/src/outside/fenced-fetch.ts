import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { allowedTarget, type AllowedHost, type Resolve, type Target } from './allowed-target.ts';
import { type Outside, OutsideFault, type OutsideRequest } from './outside.ts';

export interface FenceOptions {
  /** Hosts that may be asked although they are not public. */
  allowed: readonly AllowedHost[];
  /** For all of it: names, redirects, the body. */
  timeoutMs?: number;
  resolve?: Resolve;
}

const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 3;

/**
 * Egress guard (against SSRF and DNS rebinding): fetches from addresses that stand in certificates, which anybody may have written.
 * Every hop is checked and the connection is pinned to the addresses that were checked, so that a name cannot point elsewhere
 * between check and call. No proxy, no cookies, no kept connections, no decompression.
 */
export function fencedFetch({ allowed, timeoutMs = TIMEOUT_MS, resolve = systemResolve }: FenceOptions): Outside {
  return {
    async fetch(request) {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        let url: string | URL = request.url;
        for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
          const target: Target = await orAbort(allowedTarget(url, allowed, resolve), signal);
          const response = await send(target, request, signal);
          const next = redirectOf(response, target.url, request);
          if (next === null) return await readBody(response, request.maxBytes);
          response.destroy();
          url = next;
        }
        throw new OutsideFault('ANSWER_REFUSED', 'too many redirects');
      } catch (error) {
        if (error instanceof OutsideFault) throw error;
        if (signal.aborted) throw new OutsideFault('TIMED_OUT', `no answer in ${timeoutMs} ms`, error);
        throw new OutsideFault('UNREACHABLE', String((error as Error).message), error);
      }
    },
  };
}

async function systemResolve(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

/** A name server that does not answer cannot be interrupted, only left behind. */
function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal.reason as Error);
    signal.addEventListener('abort', give, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}

function send({ url, addresses }: Target, { body }: OutsideRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const pinned: LookupFunction = (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, addresses);
    else if (first) callback(null, first.address, first.family);
  };
  const headers = { 'accept-encoding': 'identity', 'user-agent': 'Lavra', ...(body ? { 'content-type': body.type } : {}) };
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const call = start(url, { agent: false, method: body ? 'POST' : 'GET', headers, lookup: pinned, signal });
    call.once('response', resolve);
    // Also what happens after the answer began: the body's reader is told by its own stream.
    call.on('error', reject);
    call.end(body?.bytes);
  });
}

/** Where the answer sends us, or null; a question with a body is only sent on by 307 and 308 (RFC 9110 §15.4). */
function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL, { body }: OutsideRequest): URL | null {
  const follows = body ? [307, 308] : [301, 302, 303, 307, 308];
  if (!follows.includes(statusCode)) return null;
  const to = headers.location ?? '';
  if (!URL.canParse(to, from.href)) throw new OutsideFault('ANSWER_REFUSED', 'a redirect to nowhere');
  return new URL(to, from);
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  try {
    if (response.statusCode !== 200) throw new OutsideFault('ANSWER_REFUSED', `status ${response.statusCode}`);
    const encoding = response.headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') throw new OutsideFault('ANSWER_REFUSED', `content encoding ${encoding}`);
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw new OutsideFault('TOO_LARGE', `over ${maxBytes} bytes announced`);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new OutsideFault('TOO_LARGE', `over ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    if (!response.complete) throw new OutsideFault('UNREACHABLE', 'the answer was cut');
    return new Uint8Array(Buffer.concat(chunks));
  } finally {
    response.destroy();
  }
}
