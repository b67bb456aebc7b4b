import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Ctx } from '../context.ts';
import { sendProblem } from './problem.ts';
import { securityHeaders } from './security-headers.ts';

export type Routes = (app: FastifyInstance, ctx: Ctx) => void | Promise<void>;

/** What is still under way then is cut off: somebody who sends for ever must not keep the program. */
const CLOSE_MS = 3500;
const JSON_BODY_LIMIT = 4 * 1024 * 1024;

/** The HTTP server with every feature's routes. Logs name the route's pattern, never the address: those carry capabilities. */
export async function buildApp(ctx: Ctx, features: readonly Routes[]): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: JSON_BODY_LIMIT,
    // As many hops as the operator says are his own; everything before them could be made up.
    trustProxy: (_address, hop) => hop < ctx.config.trustedProxies,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
  });
  const headers = securityHeaders(ctx.publicUrl);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.url?.startsWith('/api/') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    return payload;
  });
  app.addHook('onResponse', async (request, reply) => {
    ctx.log.debug(
      { method: request.method, route: request.routeOptions.url ?? '-', status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    );
  });
  app.addHook('preClose', async () => endConnections(app));
  app.setErrorHandler((error, _request, reply) => sendProblem(ctx, reply, error));
  // The specification's reset request sends the e-mail as bare text.
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  await app.register(multipart, { limits: { fileSize: ctx.config.maxUploadBytes, files: 50, fields: 10, parts: 60 } });
  for (const feature of features) await feature(app, ctx);
  return app;
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
