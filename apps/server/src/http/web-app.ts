import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../context.ts';
import { contentSecurityPolicy } from './security-headers.ts';
import { DomainError } from '@lavra/domain';

/** Addresses that are never a page, whatever a browser asks for. */
const NOT_A_PAGE = /^\/(api|management|i18n|pki|assets|pdf)\//;

/** Serves the built web application: hashed assets for a year, every other address the page itself. */
export async function serveWebApp(app: FastifyInstance, ctx: Ctx): Promise<void> {
  const { webDir } = ctx.config;
  if (!existsSync(join(webDir, 'index.html'))) {
    ctx.log.warn('the web application is not built: only the API is served');
    app.setNotFoundHandler(() => {
      throw new DomainError('request.notFound');
    });
    return;
  }
  await app.register(fastifyStatic, {
    root: webDir,
    wildcard: false,
    index: false,
    // Only with its nonce, below.
    globIgnore: ['index.html'],
    preCompressed: true,
    setHeaders(reply, path) {
      const hashed = path.includes('/assets/');
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const page = await readFile(join(webDir, 'index.html'), 'utf8');
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !NOT_A_PAGE.test(request.url);
    if (!isPage) throw new DomainError('request.notFound');
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', contentSecurityPolicy(nonce))
      .send(page.replaceAll('__CSP_NONCE__', nonce));
  });
}
