import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { TimestampAuthority } from './context.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 256 * 1024;
const LEAST_TOKEN_BYTES = 512;

/** How an authority is reached, and who we are to it. */
export interface TimestampAccess {
  /** With user and password where it asks for them (Basic, RFC 7617). */
  url: string;
  /** PEM: certificate with its chain, and key, where it asks for these (TLS). */
  client?: { cert: string; key: string } | null;
}

/** An answer that is no timestamp. `status` 401 and 403: it does not know us. */
export class TimestampStatusError extends Error {
  override readonly name = 'TimestampStatusError';
  readonly status: number;

  constructor(status: number) {
    super(`timestamp authority answered ${status}`);
    this.status = status;
  }
}

/** RFC 3161 §3.4: the request by POST. The address comes from the configuration, never from a document. */
export function httpTimestampAuthority(
  access: TimestampAccess,
  anchors: readonly Uint8Array[],
  material: TimestampAuthority['material'],
): TimestampAuthority {
  let tokenBytes: number | undefined;
  const agent = agentOf(access);
  return {
    anchors,
    material,
    get tokenBytes() {
      return tokenBytes;
    },
    async timestamp(request) {
      const answer = await post(access, agent, request, AbortSignal.timeout(TIMEOUT_MS));
      const { statusCode = 0 } = answer;
      if (statusCode !== 200) {
        answer.destroy();
        throw new TimestampStatusError(statusCode);
      }
      const token = await readBounded(answer);
      // A refusal is an answer too, of some bytes: what measures is a token.
      if (token.length > LEAST_TOKEN_BYTES) tokenBytes = token.length;
      return token;
    },
  };
}

/** Connections are kept for the next token, as long as the authority keeps them: a job asks for three within a second. */
function agentOf({ url, client }: TimestampAccess): HttpAgent {
  const kept = { keepAlive: true, maxFreeSockets: 4 };
  return new URL(url).protocol === 'https:' ? new HttpsAgent({ ...kept, ...client }) : new HttpAgent(kept);
}

/** A kept connection that the other side had closed meanwhile says so only when it is used: the request then goes out on a new one. */
async function post(access: TimestampAccess, agent: HttpAgent, body: Uint8Array, signal: AbortSignal): Promise<IncomingMessage> {
  for (;;) {
    const { call, answer } = begin(access, agent, body, signal);
    try {
      return await answer;
    } catch (error) {
      if (!call.reusedSocket || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    }
  }
}

function begin(
  { url }: TimestampAccess,
  agent: HttpAgent,
  body: Uint8Array,
  signal: AbortSignal,
): { call: ClientRequest; answer: Promise<IncomingMessage> } {
  const { protocol, username, password, hostname, port, pathname, search } = new URL(url);
  const headers = {
    'content-type': 'application/timestamp-query',
    'content-length': body.length,
    accept: 'application/timestamp-reply',
    'accept-encoding': 'identity',
  };
  const auth = username === '' ? {} : { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` };
  const target = { hostname: hostname.replace(/^\[|\]$/g, ''), port, path: pathname + search };
  const options = { ...target, ...auth, method: 'POST', headers, signal, agent };
  const call = protocol === 'https:' ? httpsRequest(options) : httpRequest(options);
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve);
    call.on('error', reject);
    call.end(body);
  });
  return { call, answer };
}

/** Counted while it comes in: the deadline of the call goes on, and what is too much is never held. */
async function readBounded(answer: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BYTES) throw new Error('timestamp authority answered too much');
      chunks.push(chunk);
    }
    if (!answer.complete) throw new Error('the timestamp authority’s answer was cut');
    return new Uint8Array(Buffer.concat(chunks));
  } finally {
    answer.destroy();
  }
}
