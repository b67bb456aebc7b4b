import type { IncomingMessage, ServerResponse } from 'node:http';
import { localSignerDemand, localSignerGreeting, localSignerMeeting, localSignerProtocol } from '@lavra/api';
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
  OTHER_USER: 403,
  ORIGIN_REFUSED: 403,
  KEY_UNREACHABLE: 403,
  REQUEST_USED: 409,
  SESSION_UNKNOWN: 404,
  TOO_MANY: 429,
};

/** A page asks once a second. Neither one site's calls nor those of many that nobody has allowed use up an approved one's. */
export class CallLimits {
  readonly #ofSite = new RateLimit(240, 60_000);
  readonly #ofStrangers = new RateLimit(1200, 60_000);

  allow(origin: string, isApproved: boolean): boolean {
    const now = performance.now();
    return this.#ofSite.allows(origin, now) && (isApproved || this.#ofStrangers.allows('', now));
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
  { port, sessions, limits, isOwn }: { port: number; sessions: Sessions; limits: CallLimits; isOwn: boolean },
): Promise<void> {
  const { origin } = request.headers;
  response.setHeader('Vary', 'Origin');
  if (origin === undefined || !isOrigin(origin)) return fault(response, new SignerFault('ORIGIN_REFUSED'));
  response.setHeader('Access-Control-Allow-Origin', origin);
  // Told, so that the page looks on the next port for the program of its own user.
  if (!isOwn) return fault(response, new SignerFault('OTHER_USER'));
  if (!limits.allow(origin, sessions.isApproved({ origin }))) return fault(response, new SignerFault('TOO_MANY'));
  if (request.method === 'OPTIONS') return preflight(request, response);
  try {
    const reply = await route(request, path, { origin, port, sessions });
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

async function route(
  request: IncomingMessage,
  path: string,
  { origin, port, sessions }: { origin: string; port: number; sessions: Sessions },
): Promise<Reply> {
  const call = `${request.method} ${path}`;
  if (call === 'GET /v1/version') return { status: 200, body: { name: 'LAVRA_SIGNER', version, protocol: localSignerProtocol } };
  if (call === 'POST /v2/sessions') {
    const { commitment } = messageOf(localSignerGreeting, await jsonIn(request));
    return { status: 201, body: sessions.greet(origin, commitment) };
  }
  const [, id = '', step = ''] = /^\/v2\/sessions\/([\w-]{1,100})(?:\/(\w+))?$/.exec(path) ?? [];
  if (id === '') throw new SignerFault('REQUEST_INVALID', 'no such call');
  const session = sessions.of(origin, id);
  const action = `${request.method} ${step}`;
  if (action === 'POST meeting') {
    const { nonce, show } = messageOf(localSignerMeeting, await jsonIn(request));
    return { status: 200, body: { signature: await sessions.meet(session, port, nonce, show) } };
  }
  if (action === 'POST certificate') {
    await sessions.demand(session, messageOf(localSignerDemand, await jsonIn(request)).request);
    return { status: 202 };
  }
  if (action === 'POST sign') {
    sessions.goOn(session, messageOf(localSignerDemand, await jsonIn(request)).request);
    return { status: 202 };
  }
  if (action === 'GET ') return { status: 200, body: session.forPage() };
  if (action === 'DELETE ') {
    sessions.drop(session);
    return { status: 204 };
  }
  throw new SignerFault('REQUEST_INVALID', 'no such call');
}

interface Schema<T> {
  safeParse(json: unknown): { success: true; data: T } | { success: false };
}

/** Throws REQUEST_INVALID. */
function messageOf<T>(schema: Schema<T>, json: unknown): T {
  const read = schema.safeParse(json);
  if (!read.success) throw new SignerFault('REQUEST_INVALID', 'another message');
  return read.data;
}

/** Throws REQUEST_INVALID. */
async function jsonIn(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new SignerFault('REQUEST_INVALID', 'no JSON');
  const body = await readBody(request, largestBody);
  if (body === null) throw new SignerFault('REQUEST_INVALID', 'too large');
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw new SignerFault('REQUEST_INVALID', 'no JSON');
  }
}
