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
  const target = targetOf(access);
  return {
    anchors,
    material,
    get tokenBytes() {
      return tokenBytes;
    },
    async timestamp(request) {
      const token = await post(target, agent, request);
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

type Target = ReturnType<typeof targetOf>;

function targetOf({ url }: TimestampAccess) {
  const { protocol, username, password, hostname, port, pathname, search } = new URL(url);
  const auth = username === '' ? {} : { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` };
  const options = { hostname: hostname.replace(/^\[|\]$/g, ''), port, path: pathname + search, ...auth, method: 'POST' };
  return { request: protocol === 'https:' ? httpsRequest : httpRequest, options };
}

/** A kept connection that the other side had closed meanwhile says so only when it is used: the request then goes out on a new one. */
async function post(target: Target, agent: HttpAgent, body: Uint8Array): Promise<Uint8Array> {
  const until = performance.now() + TIMEOUT_MS;
  for (;;) {
    const { call, answer } = begin(target, agent, body, until);
    try {
      return await answer;
    } catch (error) {
      // Once it has begun to answer, it has the request.
      if (call.res || !call.reusedSocket || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    }
  }
}

/** Node's own of the kind, which its types leave out. */
type Call = ClientRequest & { readonly res?: IncomingMessage | null };

/** A timer that is put away with the answer: a signal's goes off in vain later on. */
function begin(
  { request, options }: Target,
  agent: HttpAgent,
  body: Uint8Array,
  until: number,
): { call: Call; answer: Promise<Uint8Array> } {
  const headers = {
    'content-type': 'application/timestamp-query',
    'content-length': body.length,
    accept: 'application/timestamp-reply',
    'accept-encoding': 'identity',
  };
  const call: Call = request({ ...options, headers, agent });
  const answer = new Promise<Uint8Array>((resolve, reject) => {
    const late = () => {
      reject(new Error('the timestamp authority did not answer in time'));
      call.destroy();
    };
    const timer = setTimeout(late, until - performance.now());
    call.once('response', (answered) => readBounded(answered).then(resolve, reject));
    call.on('error', reject);
    call.once('close', () => clearTimeout(timer));
    call.end(body);
  });
  return { call, answer };
}

/** Counted while it comes in: what is too much is never held. */
function readBounded(answer: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const leave = (error: Error) => {
      reject(error);
      answer.destroy();
    };
    const chunks: Buffer[] = [];
    let size = 0;
    answer.on('error', reject);
    answer.once('close', () => reject(new Error('the timestamp authority’s answer was cut')));
    const { statusCode = 0 } = answer;
    if (statusCode !== 200) return leave(new TimestampStatusError(statusCode));
    answer.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BYTES) leave(new Error('timestamp authority answered too much'));
      else chunks.push(chunk);
    });
    answer.once('end', () => {
      if (answer.complete) resolve(new Uint8Array(Buffer.concat(chunks)));
    });
  });
}
