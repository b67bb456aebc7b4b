import { randomBytes } from 'node:crypto';
import { limits } from '@lavra/domain';
import multipart from '@fastify/multipart';
import { usualBodyBytes } from '@lavra/api';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Ctx } from '../context.ts';
import type { OpenSpan } from '../tracing/tracer.ts';
import { during, underWay } from '../tracing/under-way.ts';
import { loggerFor } from '../loggers.ts';
import { answeredAfter } from './event-stream.ts';
import { isDeeperThan } from './json-depth.ts';
import { InvalidRequestError, sendProblem } from './problem.ts';
import { watchProxyHops } from './proxy-hops.ts';
import { securityHeaders } from './security-headers.ts';
import { byBodyKind } from './body-kind.ts';
import { endSlowBodies } from './slow-bodies.ts';

export type Routes = (app: FastifyInstance, ctx: Ctx) => void | Promise<void>;

/** What is still under way then is cut off: somebody who sends for ever must not keep the program. */
const CLOSE_MS = 3500;
/** No call of the wire nests deeper than a handful. */
const JSON_DEPTH = 32;
/** Without a byte in either direction, as the specification's clients wait. */
const SILENCE_MS = 60_000;
const HEADERS_MS = 20_000;

/** The HTTP server with every feature's routes. Logs name the route's pattern, never the address: those carry capabilities. */
export async function buildApp(ctx: Ctx, features: readonly Routes[]): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: usualBodyBytes,
    connectionTimeout: SILENCE_MS,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: 5000 },
    // Ours: what a stranger says of a request of theirs would let them write into our log.
    genReqId: () => randomBytes(9).toString('base64url'),
    // As many hops as the operator says are his own; everything before them could be made up.
    trustProxy: (_address, hop) => hop < ctx.config.trustedProxies,
    forceCloseConnections: 'idle',
    // What reaches us while we end is answered too, and told that it was the connection's last.
    return503OnClosing: false,
    // The specification's invitations have all their addresses in the path.
    routerOptions: { maxParamLength: limits.companyInvitationsPerCall * (limits.emailMax + 1) },
  });
  app.addConstraintStrategy(byBodyKind);
  followRequests(app, ctx);
  const headers = securityHeaders(ctx.publicUrl);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    // RFC 9112 §3.2: a proxy in front may have gone by the other one. The parser takes the first.
    if ((request.raw.headersDistinct?.host?.length ?? 0) > 1) throw new InvalidRequestError([]);
  });
  watchProxyHops(app, ctx);
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.url?.startsWith('/api/') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    return payload;
  });
  const log = loggerFor(ctx.log, 'http');
  app.addHook('onResponse', async (request, reply) => {
    const answered = { method: request.method, route: patternOf(request), status: reply.statusCode };
    const ms = answeredAfter(reply);
    ctx.metrics.answered({ ...answered, ms });
    log.debug({ ...answered, ms: Math.round(ms) }, 'request');
  });
  app.addHook('preClose', async () => ctx.changes.end());
  app.addHook('preClose', async () => endConnections(app));
  let ending = false;
  app.addHook('preClose', async () => {
    ending = true;
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    if (ending) reply.header('connection', 'close');
    return payload;
  });
  app.setErrorHandler((error, _request, reply) => sendProblem(ctx, reply, error));
  readJson(app);
  endSlowBodies(app);
  // The specification's reset request sends the e-mail as bare text.
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  await app.register(multipart, { limits: { fileSize: ctx.config.maxUploadBytes, files: 50, fields: 10, parts: 60 } });
  for (const feature of features) await feature(app, ctx);
  return app;
}

const spans = new WeakMap<FastifyRequest, OpenSpan>();

/** From the first byte to the last, all that is done and told knows which request it is for. */
function followRequests(app: FastifyInstance, { tracer }: Ctx): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    const span = tracer.begin(`${request.method} ${patternOf(request)}`, 'server', {
      'http.request.method': request.method,
      'http.route': patternOf(request),
      'lavra.request': request.id,
    });
    if (span) spans.set(request, span);
    during({ request: request.id, about: {}, span }, done);
  });
  app.addHook('onResponse', async (request, { statusCode }) => {
    const about = underWay()?.about.process;
    spans.get(request)?.end({ 'http.response.status_code': statusCode, ...(about && { 'lavra.process': about }) });
  });
  app.addHook('onRequestAbort', async (request) => spans.get(request)?.end({ 'lavra.aborted': true }));
}

/** The pattern of an address. Files of the pages are routes of their own, hundreds of them, and each version has others: they count as one. */
function patternOf({ routeOptions: { url = '-' } }: FastifyRequest): string {
  return url.startsWith('/assets/') ? '/assets/*' : url;
}

/** Node closes the connections that are idle when it is told to, not those that become so when their answer is out. */
function endConnections({ server }: FastifyInstance): void {
  if (!server.listening) return;
  const closing = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
  server.once('close', () => {
    clearInterval(closing);
    clearTimeout(cut);
  });
}

function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(['application/json', 'application/merge-patch+json'], { parseAs: 'string' }, (request, body, done) => {
    if (isDeeperThan(String(body), JSON_DEPTH)) done(new InvalidRequestError([]));
    else void parse(request, String(body), done);
  });
}
