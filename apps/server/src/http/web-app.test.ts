import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { contentSecurityPolicy } from './security-headers.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';

/** As the build tells: what begins stands on a base, a page on that and on a part of its own. */
const manifest = {
  'src/main.tsx': { file: 'assets/start.js', isEntry: true, imports: ['_base.js', '_boot.js'] },
  '_boot.js': { file: 'assets/boot.js' },
  '_base.js': { file: 'assets/base.js' },
  '_part.js': { file: 'assets/part.js', imports: ['_base.js'] },
  'src/features/signing/signer.page.tsx': { file: 'assets/signer.js', imports: ['_base.js', '_part.js'] },
};

describe('the web application', () => {
  let app: TestApp;
  let webDir: string;
  before(async () => {
    webDir = await mkdtemp(join(tmpdir(), 'lavra-web-'));
    await mkdir(join(webDir, 'assets'));
    await writeFile(
      join(webDir, 'index.html'),
      '<head><meta name="csp-nonce" content="__CSP_NONCE__"><meta name="locale-files" content="__LOCALE_FILES__"><link href="/i18n/__LOCALE__.json"><script src="/assets/boot.js"></script></head><div id="root"><!--page-frame--></div>',
    );
    await writeFile(join(webDir, 'assets/main-abc.js'), 'export {};');
    await writeFile(join(webDir, 'assets/main-abc.js.br'), brotliCompressSync('export {};'));
    await writeFile(join(webDir, 'assets/main-abc.js.gz'), gzipSync('export {};'));
    await writeFile(join(webDir, 'icon.svg'), '<svg/>');
    await mkdir(join(webDir, '.vite'));
    await writeFile(join(webDir, '.vite/manifest.json'), JSON.stringify(manifest));
    app = await startTestApp({ config: { webDir, securityContact: 'mailto:seguranca@exemplo.test' } });
  });
  after(async () => {
    await app.close();
    await rm(webDir, { recursive: true });
  });

  it('answers every page address with the page, under a policy whose nonce is new each time', async () => {
    const nonces = new Set<string>();
    for (const url of ['/', '/login', '/signer/5d0f?user=9', '/account/activate?key=x', '/index.html', '/anything/else']) {
      const answer = await app.inject({ url });
      assert.equal(answer.statusCode, 200, url);
      const nonce = /content="([^"]+)"/.exec(answer.body)?.[1] ?? '';
      const policy = String(answer.headers['content-security-policy']);
      assert.ok(
        policy.includes(`'nonce-${nonce}'`) && policy.includes("frame-ancestors 'none'") && policy.includes("default-src 'none'"),
        policy,
      );
      // Beside our own address only LAVRA_SIGNER, on the reader's own computer.
      assert.ok(policy.includes("connect-src 'self' http://127.0.0.1:35917 http://127.0.0.1:35918 http://127.0.0.1:35919;"), policy);
      assert.equal(answer.headers['cache-control'], 'no-store');
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 6);
  });

  it('lets services that tell a browser its address be asked where they are configured, and by their origin', () => {
    const asked = (...urls: string[]) => /connect-src [^;]*;/.exec(contentSecurityPolicy('n', urls))?.[0];
    assert.equal(
      asked('https://a.test/x?k=1', 'https://b.test:8443/', 'https://a.test/y'),
      asked()?.replace(';', ' https://a.test https://b.test:8443;'),
    );
  });

  it('serves hashed assets for a year and other files for asking again', async () => {
    assert.equal((await app.inject('/assets/main-abc.js')).headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal((await app.inject('/icon.svg')).headers['cache-control'], 'no-cache');
  });

  it('names in a page what every page begins with, and in one that is opened from outside the scripts that only it has', async () => {
    const named = async (url: string) =>
      [...(await app.inject({ url })).body.matchAll(/rel="modulepreload"[^>]*href="([^"]+)"/g)].map(([, href]) => href);
    const start = ['/assets/start.js', '/assets/base.js'];
    assert.deepEqual(await named('/signer/5d0f?user=9'), [...start, '/assets/signer.js', '/assets/part.js']);
    assert.deepEqual(await named('/anything/else'), start);
    assert.equal((await app.inject('/.vite/manifest.json')).statusCode, 404);
  });

  it('shows what a page begins with before its scripts have come, in the language that the browser has shown last', async () => {
    const frame = async (url: string, cookie = '') =>
      /<div id="root">(.*)<\/div>$/.exec((await app.inject({ url, headers: { cookie } })).body)?.[1];
    assert.match((await frame('/validateLogin')) ?? '', /<h1>Conferir documento<\/h1>.*<p>O identificador está na página/);
    assert.match((await frame('/validateLogin', 'lavra-locale=en')) ?? '', /<h1>Verify document<\/h1>/);
    assert.match((await frame('/signer/5d0f?user=9', 'lavra-locale=es')) ?? '', /<h1>Firma de documentos<\/h1><p>La solicitud/);
    // Of nobody's words, and nothing where the page depends on who opens it, but that this is not the real thing.
    assert.doesNotMatch((await frame('/signer/5d0f?user=%3Cb%3E')) ?? '', /5d0f|<b>/);
    const ribbon = '<aside class="ribbon" aria-hidden="true">Ambiente de desenvolvimento.</aside>';
    for (const url of ['/', '/login', '/signer/', '//', '//signer/x']) assert.equal(await frame(url), ribbon, url);
    const real = await startTestApp({ config: { webDir, profile: 'prod' } });
    assert.match((await real.inject('/login')).body, /<div id="root"><\/div>$/);
    await real.close();
  });

  it('writes what whoever is signed in sees first where only a browser shows it that knows them to be', async () => {
    const { body } = await app.inject({ url: '/signature?page=2', headers: { cookie: 'lavra-locale=en' } });
    const [, shown = ''] = /<template class="of-signed-in">(.*)<\/template><\/div>$/.exec(body) ?? [];
    assert.match(shown, /<h1>Your signatures<\/h1>.*up to 100 MB per file.*<button type="button" class="primary" disabled>Import</);
    assert.doesNotMatch(body.replace(shown, ''), /Your signatures/);
    for (const url of ['/signature/process/1', '/validateLogin']) assert.doesNotMatch((await app.inject(url)).body, /of-signed-in/, url);
  });

  it('names in the page the sentences of the language that the browser has shown last', async () => {
    for (const [cookie, locale] of [
      ['lavra-locale=es', 'es'],
      ['a=b; lavra-locale=en; c=d', 'en'],
      ['lavra-locale=../../api', 'pt-br'],
      ['', 'pt-br'],
    ] as const)
      assert.match((await app.inject({ url: '/login', headers: { cookie } })).body, new RegExp(`"/i18n/${locale}\\.[\\w-]{20}\\.json"`));
    const sentences = async (takes: string) => app.inject({ url: '/i18n/es.json', headers: { 'accept-encoding': takes } });
    const [br, gz, none] = [await sentences('gzip, br'), await sentences('gzip, br;q=0'), await sentences('br;q=0, gzip;q=0.0')];
    assert.deepEqual(
      [br, gz, none].map(({ headers }) => headers['content-encoding']),
      ['br', 'gzip', undefined],
    );
    assert.deepEqual(JSON.parse(brotliDecompressSync(br.rawPayload).toString()), none.json());
    assert.deepEqual(JSON.parse(gunzipSync(gz.rawPayload).toString()), none.json());
  });

  it('sends what was compressed at build time to whoever takes it, Brotli first', async () => {
    for (const [takes, encoding, opened] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['identity', undefined, (bytes: Buffer) => bytes],
    ] as const) {
      const answer = await app.inject({ url: '/assets/main-abc.js', headers: { 'accept-encoding': takes } });
      assert.deepEqual([answer.headers['content-encoding'], answer.headers['vary']], [encoding, 'accept-encoding'], takes);
      assert.equal(opened(answer.rawPayload).toString(), 'export {};');
      assert.match(String(answer.headers['content-type']), /javascript/);
      assert.match(String(answer.headers['cache-control']), /immutable/);
    }
  });

  it('names in security.txt whom the operator named, for half a year from now; without a name there is no such file', async () => {
    const answer = await app.inject('/.well-known/security.txt');
    assert.match(answer.body, /^Contact: mailto:seguranca@exemplo\.test\n/);
    const until = Date.parse(/^Expires: (.+)$/m.exec(answer.body)?.[1] ?? '');
    assert.equal(until - app.clock.now().getTime(), 180 * 86_400_000);
    const silent = await startTestApp({ config: { webDir } });
    assert.equal((await silent.inject('/.well-known/security.txt')).statusCode, 404);
    await silent.close();
  });

  it('that another version built ends the start in words', async () => {
    const older = await mkdtemp(join(tmpdir(), 'lavra-web-'));
    await writeFile(join(older, 'index.html'), '<div id="root"></div>');
    await assert.rejects(startTestApp({ config: { webDir: older } }), { name: 'StartFault', message: /built by another version/ });
    await rm(older, { recursive: true });
  });

  it('serves the files that are there at the start, by their whole names, and nothing beside them', async () => {
    await writeFile(join(webDir, 'assets/later.js'), 'export {};');
    assert.equal((await app.inject('/assets/main%2Dabc.js')).statusCode, 200);
    assert.equal((await app.inject({ method: 'HEAD', url: '/icon.svg' })).statusCode, 200);
    const others = [
      '/assets/later.js',
      '/.vite/manifest.json',
      '/assets/..%2Findex.html',
      '/assets/..%2F.vite%2Fmanifest.json',
      '/assets/',
    ];
    for (const url of others) assert.equal((await app.inject(url)).statusCode, 404, url);
  });

  it('answers what is no page with a problem', async () => {
    const files = ['/metrics.txt', '/openapi.json', '/.well-known/unknown.txt', '/.env', '/signer/x.php?user=9', '/wp-login.php'];
    for (const url of ['/api/unknown', '/management/unknown', '/i18n/xx.json', '/assets/gone.js', ...files]) {
      const answer = await app.inject(url);
      assert.deepEqual([answer.statusCode, answer.headers['x-app-error']], [404, 'request.notFound'], url);
    }
    assert.equal((await app.inject({ method: 'POST', url: '/login' })).statusCode, 404);
  });

  it('sends the security headers with everything, and allows geolocation to itself', async () => {
    for (const url of ['/', '/assets/main-abc.js', '/api/account', '/management/health']) {
      const { headers } = await app.inject(url);
      assert.equal(headers['x-content-type-options'], 'nosniff', url);
      assert.equal(headers['referrer-policy'], 'no-referrer', url);
      assert.match(String(headers['permissions-policy']), /geolocation=\(self\)/);
      assert.equal(headers['strict-transport-security'], undefined, 'plain http must stay reachable');
    }
  });

  it('serves the sentences of a locale, and 304 to who has them', async () => {
    const answer = await app.inject('/i18n/pt-br.json');
    assert.equal(answer.headers['cache-control'], 'no-cache');
    assert.equal(answer.json()['process.modalityRequired'], 'Modalidade não selecionada');
    const again = await app.inject({ url: '/i18n/pt-br.json', headers: { 'if-none-match': String(answer.headers['etag']) } });
    assert.equal(again.statusCode, 304);
  });

  it('names the sentences of its pages by what they say, so that browsers keep them', async () => {
    const names = /name="locale-files" content="([^"]+)"/.exec((await app.inject('/login')).body)?.[1]?.split(' ') ?? [];
    assert.deepEqual(
      names.map((name) => name.split('.')[0]),
      ['pt-br', 'en', 'es'],
    );
    for (const name of names) {
      const answer = await app.inject(`/i18n/${name}`);
      assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.deepEqual(answer.json(), (await app.inject(`/i18n/${name.split('.')[0]}.json`)).json());
    }
    assert.equal((await app.inject('/i18n/pt-br.AAAAAAAAAAAAAAAAAAAA.json')).statusCode, 404);
  });
});
