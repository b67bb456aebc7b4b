import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LocalSignerFault } from '@lavra/api';
import { isOrigin } from './origins.ts';
import { RateLimit } from './rate-limit.ts';
import { readBody } from './read-body.ts';
import { SignerFault } from './requests.ts';
import type { Sessions } from './sessions.ts';
import { version } from './version.ts';

/** Signed attributes of many documents still fit. */
const largestBody = 2 << 20;

const statuses: Partial<Record<LocalSignerFault, number>> = {
  ORIGIN_REFUSED: 403,
  KEY_UNREACHABLE: 403,
  REQUEST_USED: 409,
  SESSION_UNKNOWN: 404,
  TOO_MANY: 429,
};

/** A page asks once a second; calls of one site never use up those of all. */
export class CallLimits {
  readonly #ofSite = new RateLimit(240, 60_000);
  readonly #ofAll = new RateLimit(1200, 60_000);

  allow(origin: string): boolean {
    return this.#ofSite.allows(origin, Date.now()) && this.#ofAll.allows('', Date.now());
  }
}

/**
 * The calls of a web page (packages/api/src/local-signer.ts). A page is known by its Origin alone, which browsers send with every such
 * call and pages cannot forge; without one nothing is answered. JSON in the body makes browsers ask first (preflight).
 */
export async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  { sessions, limits }: { sessions: Sessions; limits: CallLimits },
): Promise<void> {
  const { origin } = request.headers;
  response.setHeader('Vary', 'Origin');
  if (origin === undefined || !isOrigin(origin)) return fault(response, new SignerFault('ORIGIN_REFUSED'));
  response.setHeader('Access-Control-Allow-Origin', origin);
  if (!limits.allow(origin)) return fault(response, new SignerFault('TOO_MANY'));
  if (request.method === 'OPTIONS') return preflight(request, response);
  try {
    const reply = await route(request, path, origin, sessions);
    if (reply.body === undefined) return void response.writeHead(reply.status).end();
    return void response.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply.body));
  } catch (error) {
    if (!(error instanceof SignerFault)) throw error;
    return fault(response, error);
  }
}

function fault(response: ServerResponse, { code }: SignerFault): void {
  response.writeHead(statuses[code] ?? 400, { 'Content-Type': 'application/json' }).end(JSON.stringify({ code }));
}

function preflight(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
  response.setHeader('Access-Control-Allow-Headers', 'content-type');
  response.setHeader('Access-Control-Max-Age', '600');
  if (request.headers['access-control-request-private-network'] === 'true')
    response.setHeader('Access-Control-Allow-Private-Network', 'true');
  response.writeHead(204).end();
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
}

async function route(request: IncomingMessage, path: string, origin: string, sessions: Sessions): Promise<Reply> {
  const call = `${request.method} ${path}`;
  if (call === 'GET /v1/version') return { status: 200, body: { name: 'LAVRA_SIGNER', version } };
  if (call === 'POST /v1/sessions') {
    const session = await sessions.open(origin, await requestIn(request));
    return { status: 201, body: { session: session.id } };
  }
  const [, id = '', step] = /^\/v1\/sessions\/([\w-]{1,100})(\/sign)?$/.exec(path) ?? [];
  const session = sessions.of(origin, id);
  if (request.method === 'POST' && step !== undefined) {
    sessions.goOn(session, await requestIn(request));
    return { status: 202 };
  }
  if (request.method === 'GET' && step === undefined) return { status: 200, body: session.forPage() };
  if (request.method === 'DELETE' && step === undefined) {
    sessions.drop(session);
    return { status: 204 };
  }
  throw new SignerFault('REQUEST_INVALID', 'no such call');
}

/** `{ "request": "…" }`. Throws REQUEST_INVALID. */
async function requestIn(request: IncomingMessage): Promise<string> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new SignerFault('REQUEST_INVALID', 'no JSON');
  const body = await readBody(request, largestBody);
  if (body === null) throw new SignerFault('REQUEST_INVALID', 'too large');
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    if (typeof json === 'object' && json !== null && 'request' in json && typeof json.request === 'string') return json.request;
  } catch {
    // Told below.
  }
  throw new SignerFault('REQUEST_INVALID', 'another message');
}
