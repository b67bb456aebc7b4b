import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Ctx } from '../context.ts';
import { type Locale, locales } from '../language/translator.ts';
import { localeFiles } from './locale-files.ts';
import { findPageFile, keepPageFiles } from './page-files.ts';
import { pageFrame } from './page-frames.ts';
import { pageScripts, readManifest } from './page-scripts.ts';
import { StartFault } from '../start-fault.ts';
import { sendPublic, YEAR_SECONDS } from './send-public.ts';
import { contentSecurityPolicy } from './security-headers.ts';
import { DAY_MS, DomainError } from '@lavra/domain';

/** Addresses that are never a page, whatever a browser asks for. */
const NOT_A_PAGE = /^\/(api|management|i18n|pki|assets|pdf)\//;

/** What a page of another version may be made of. */
const OF_A_PAGE = /^\/(assets\/[\w.-]+)$/;

/** A name with a dot is a file's, and no page has one: who asks for a file that is not there is told so. */
const NAMES_A_FILE = /^[^?]*\/(?!index\.html(\?|$))[^/?]*\.[^/?]*(\?|$)/;

const SECURITY_TEXT_DAYS = 180;

/** Serves the built web application: hashed assets for a year, every other address the page itself. */
export async function serveWebApp(app: FastifyInstance, ctx: Ctx): Promise<void> {
  const { webDir } = ctx.config;
  serveSecurityText(app, ctx);
  if (!existsSync(join(webDir, 'index.html'))) {
    ctx.log.warn('the web application is not built: only the API is served');
    app.setNotFoundHandler(() => {
      throw new DomainError('request.notFound');
    });
    return;
  }
  const missing = ['assets', '.vite/manifest.json'].find((part) => !existsSync(join(webDir, part)));
  if (missing) throw new StartFault(webDir, `the pages were built by another version (no ${missing}): npm run build`);
  await serveFiles(app, webDir);
  await keepPageFiles(ctx);
  const sentences = localeFiles(ctx.config.localesDir);
  const page = (await readFile(join(webDir, 'index.html'), 'utf8')).replace(
    '__LOCALE_FILES__',
    [...sentences.values()].map(({ name }) => name).join(' '),
  );
  const scriptsOf = pageScripts(readManifest(webDir), page);
  app.setNotFoundHandler(async (request, reply) => {
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') && !NOT_A_PAGE.test(request.url) && !NAMES_A_FILE.test(request.url);
    if (!isPage) {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const asset = isRead ? OF_A_PAGE.exec(request.url)?.[1] : undefined;
      const found = asset === undefined ? null : await findPageFile(ctx, asset);
      if (found) return sendPublic(request, reply, found, YEAR_SECONDS);
      throw new DomainError('request.notFound');
    }
    const locale = localeOf(request);
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', contentSecurityPolicy(nonce, ctx.config.ipLookupUrls))
      .send(
        page
          .replaceAll('__CSP_NONCE__', nonce)
          .replace('__LOCALE__.json', sentences.get(locale)?.name ?? '')
          .replace('<!--page-frame-->', () => pageFrame(ctx, locale, request.url))
          .replace('</head>', `${scriptsOf(request.url.replace(/\?.*/, ''))}</head>`),
      );
  });
}

/**
 * The files that are there at the start, by one route for each of their folders: a route of its own for each of six hundred took a fifth of
 * a second to make.
 */
async function serveFiles(app: FastifyInstance, webDir: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: webDir,
    serve: false,
    index: false,
    preCompressed: true,
    setHeaders(reply, path) {
      const hashed = path.includes('/assets/');
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const files = new Set(publicFiles(webDir));
  for (const folder of new Set([...files].map((file) => dirname(file))))
    if (folder !== '.')
      app.get<{ Params: { file: string } }>(`/${folder}/:file`, (request, reply) => {
        const file = `${folder}/${request.params.file}`;
        return files.has(file) ? reply.sendFile(file) : reply.callNotFound();
      });
  for (const file of files) if (dirname(file) === '.') app.get(`/${file}`, (_request, reply) => reply.sendFile(file));
}

/** Paths below the folder of the pages, with `/`. The page itself goes out with its nonce only, and what begins with a dot is for us. */
function publicFiles(webDir: string): string[] {
  return readdirSync(webDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(webDir, join(parentPath, name)).replaceAll(sep, '/'))
    .filter((file) => file !== 'index.html' && !/(^|\/)\./.test(file));
}

/** The language the browser has shown last. */
function localeOf({ headers }: FastifyRequest): Locale {
  const named = /(?:^|;\s*)lavra-locale=([\w-]+)/.exec(headers.cookie ?? '')?.[1];
  return locales.find((locale) => locale === named) ?? 'pt-br';
}

/** Who finds a fault tells it to whom the operator named (RFC 9116); without a name there is no such file. */
function serveSecurityText(app: FastifyInstance, ctx: Ctx): void {
  const { securityContact } = ctx.config;
  if (securityContact === null) return;
  app.get('/.well-known/security.txt', (_request, reply) => {
    // It says until when it may be believed (§2.5.5: less than a year); who asks gets a fresh one.
    const expires = new Date(ctx.clock.now().getTime() + SECURITY_TEXT_DAYS * DAY_MS);
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: pt, en, es',
      `Canonical: ${ctx.publicUrl}/.well-known/security.txt`,
    ];
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(`${lines.join('\n')}\n`);
  });
}
