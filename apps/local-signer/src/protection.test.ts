import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createIcpBrasilPki } from '@lavra/make-believe';
import { textsIn } from './window/texts.ts';
import { CallLimits } from './api.ts';
import { openIdentity } from './identity.ts';
import { ApprovedSites } from './origins.ts';
import { startServer } from './server.ts';
import { Sessions } from './sessions.ts';
import type { Surroundings } from './sessions.ts';
import { ask, meet } from './testing/page.ts';
import { Person } from './testing/person.ts';
import { assertSignsPdf, prepareFor, signRequest } from './testing/prepared.ts';
import { startProgram } from './testing/program.ts';
import type { Program } from './testing/program.ts';
import { requestOf, signedRequest, startSite } from './testing/site.ts';
import type { Site } from './testing/site.ts';

const minute = 60_000;
const iso = (time: number) => new Date(time).toISOString();

/** What fetch does not let a test send. */
function statusWith(port: number, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, headers, setHost: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once('error', reject).end();
  });
}

/** Sends the lines as they are; answers the status. */
function rawStatus(port: number, first: string, lines: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(`${[first, ...lines].join('\r\n')}\r\n\r\n`));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1'))?.[1]));
    });
    socket.once('error', reject);
  });
}

describe('LAVRA_SIGNER, without any token', () => {
  let program: Program;
  let site: Site;

  before(async () => {
    program = await startProgram();
    site = await startSite();
  });

  after(async () => {
    await site?.[Symbol.asyncDispose]();
    await program?.[Symbol.asyncDispose]();
  });

  const open = (request: string, { origin }: Site, on: Program = program) => ask(on, origin, request);

  /** Asks, which must work. */
  async function opened(request: string, from: Site, on: Program = program): Promise<{ session: string; url: string; person: Person }> {
    const { status, json } = await open(request, from, on);
    assert.equal(status, 201, JSON.stringify(json));
    const url = await on.nextWindow();
    return { session: json.session ?? '', url, person: new Person(url) };
  }

  test('answers under its own names only: a name made to point here is refused', async () => {
    const origin = 'https://lavra.example';
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      assert.equal(await statusWith(program.port, '/v1/version', { host: `${name}:${program.port}`, origin }), 200, name);
    }
    for (const host of [`evil.example:${program.port}`, '127.0.0.1', `127.0.0.1:${program.port + 1}`, `localhost.:${program.port}`]) {
      assert.equal(await statusWith(program.port, '/v1/version', { host, origin }), 403, host);
      assert.equal(await statusWith(program.port, '/window.js', { host }), 403, host);
    }
  });

  test('what is said twice, or asked of a proxy, is refused', async () => {
    const own = `127.0.0.1:${program.port}`;
    const origin = 'https://lavra.example';
    for (const [name, first, lines] of [
      ['once', 'GET /v1/version', [`Host: ${own}`, `Origin: ${origin}`]],
      ['Host twice', 'GET /v1/version', [`Host: ${own}`, 'Host: evil.example', `Origin: ${origin}`]],
      ['Host twice, the same', 'GET /v1/version', [`Host: ${own}`, `host: ${own}`, `Origin: ${origin}`]],
      ['Origin twice', 'GET /v1/version', [`Host: ${own}`, `Origin: ${origin}`, 'Origin: https://evil.example']],
      ['a whole address', `GET http://${own}/v1/version`, [`Host: ${own}`, `Origin: ${origin}`]],
      ['no path', 'OPTIONS *', [`Host: ${own}`, `Origin: ${origin}`]],
      ['no Host', 'GET /v1/version', [`Origin: ${origin}`]],
      ['two lengths', 'POST /v2/sessions', [`Host: ${own}`, `Origin: ${origin}`, 'Content-Length: 2', 'Content-Length: 3']],
      ['length and chunks', 'POST /v2/sessions', [`Host: ${own}`, `Origin: ${origin}`, 'Content-Length: 2', 'Transfer-Encoding: chunked']],
    ] as const) {
      assert.equal(await rawStatus(program.port, `${first} HTTP/1.1`, lines), name === 'once' ? 200 : 400, name);
    }
  });

  test('answers pages only, https or of this computer, each by its exact origin', async () => {
    for (const origin of [
      null,
      'null',
      '*',
      'http://lavra.example',
      'https://lavra.example/',
      'https://LAVRA.example',
      'file://',
      'http://127.0.0.1.evil.example',
    ]) {
      const { status, headers, json } = await program.call(origin, 'GET', '/v1/version');
      assert.deepEqual([status, json.code, headers.get('access-control-allow-origin')], [403, 'ORIGIN_REFUSED', null], String(origin));
    }
    const { status, headers } = await program.call('https://lavra.example', 'GET', '/v1/version');
    assert.deepEqual([status, headers.get('access-control-allow-origin'), headers.get('vary')], [200, 'https://lavra.example', 'Origin']);
    assert.equal(headers.get('access-control-allow-credentials'), null);
  });

  test('a preflight names the exact origin, and a body that needs none is refused', async () => {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-private-network': 'true' };
    const { status, headers } = await program.call(site.origin, 'OPTIONS', '/v2/sessions', undefined, asked);
    assert.equal(status, 204);
    assert.equal(headers.get('access-control-allow-origin'), site.origin);
    assert.equal(headers.get('access-control-allow-headers'), 'content-type');
    assert.equal(headers.get('access-control-allow-private-network'), 'true');
    const simple = await program.call(site.origin, 'POST', '/v2/sessions', { request: site.ask() }, { 'content-type': 'text/plain' });
    assert.deepEqual([simple.status, simple.json.code], [400, 'REQUEST_INVALID']);
  });

  test('a request acts once', async () => {
    await using fresh = await startSite();
    const request = fresh.ask();
    await opened(request, fresh);
    const { status, json } = await open(request, fresh);
    assert.deepEqual([status, json.code], [409, 'REQUEST_USED']);
  });

  test('a request that is not exactly its server’s opens no window', async () => {
    await using site = await startSite();
    const before = program.windows();
    const now = Date.now();
    const good = site.ask();
    const [body = '', signature = ''] = good.split('.');
    const stranger = generateKeyPairSync('ed25519').privateKey;
    const tampered = Buffer.from(JSON.stringify({ ...requestOf(site.origin), title: 'Outro' })).toString('base64url');
    const cases: Record<string, [string, string]> = {
      'other words under the same signature': [`${tampered}.${signature}`, 'REQUEST_INVALID'],
      'another server’s signature': [signedRequest(requestOf(site.origin), stranger), 'REQUEST_INVALID'],
      'no signature': [`${body}.`, 'REQUEST_INVALID'],
      'three parts': [`${good}.${signature}`, 'REQUEST_INVALID'],
      'for another site': [site.ask({ origin: 'https://lavra.example' }), 'REQUEST_INVALID'],
      'for the second step': [site.ask({ kind: 'sign' }), 'REQUEST_INVALID'],
      'without documents': [site.ask({ documents: [] }), 'REQUEST_INVALID'],
      'past its end': [site.ask({ issuedAt: iso(now - 6 * minute), expiresAt: iso(now - 2 * minute) }), 'REQUEST_EXPIRED'],
      'longer than ten minutes': [site.ask({ expiresAt: iso(now + 11 * minute) }), 'REQUEST_INVALID'],
      'from the future': [site.ask({ issuedAt: iso(now + 3 * minute), expiresAt: iso(now + 5 * minute) }), 'REQUEST_INVALID'],
    };
    for (const [name, [request, code]] of Object.entries(cases)) assert.equal((await open(request, site)).json.code, code, name);
    assert.equal(program.windows(), before);
  });

  test('a site whose key cannot be had is told so', async () => {
    const gone = await startSite();
    const request = gone.ask();
    await gone[Symbol.asyncDispose]();
    const { status, json } = await open(request, gone);
    assert.deepEqual([status, json.code], [403, 'KEY_UNREACHABLE']);
  });

  test('first contact asks; what was allowed is remembered with the key, for this user only', async () => {
    await using fresh = await startSite();
    const { session, person } = await opened(fresh.ask(), fresh);
    assert.match(await person.look(), /Permitir que este site peça assinaturas\?/);
    await person.press('allow');
    await program.call(fresh.origin, 'DELETE', `/v2/sessions/${session}`);
    const file = join(program.config, 'sites.json');
    assert.match(readFileSync(file, 'utf8'), new RegExp(fresh.origin));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const calls = fresh.keyCalls();
    const again = await opened(fresh.ask(), fresh);
    assert.match(await again.person.look(), /Este site pede a sua assinatura/);
    assert.equal(fresh.keyCalls(), calls, 'the key is pinned');

    fresh.changeKey();
    const changed = await opened(fresh.ask(), fresh);
    assert.match(await changed.person.look(), /A chave deste site mudou/);
    await changed.person.press('refuse');
    assert.deepEqual(await program.state(fresh.origin, changed.session), { state: 'failed', code: 'REFUSED_BY_USER' });
    assert.equal((await open(fresh.ask(), fresh)).json.code, 'ORIGIN_REFUSED', 'a refused site may not ask again at once');
  });

  test('no module: the window says so, and giving up says MODULE_NONE', async () => {
    await using fresh = await startSite();
    const { session, person } = await opened(fresh.ask(), fresh);
    await person.look();
    await person.press('allow');
    await person.see('Nenhum programa de token');
    await person.press('refuse');
    assert.deepEqual(await program.state(fresh.origin, session), { state: 'failed', code: 'MODULE_NONE' });
  });

  test('a module that cannot be loaded is named, and a certificate file signs all the same', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lavra-p12-'));
    const broken = join(folder, 'quebrado.so');
    writeFileSync(broken, 'not a library');
    await using fresh = await startSite();
    await using here = await startProgram(['--module', broken, '--module', join(folder, 'ausente.so')]);
    const identity = await (await createIcpBrasilPki()).issuePerson({ name: 'Ana Beatriz Souza', cpf: '52998224725' }, { type: 'A1' });
    writeFileSync(join(folder, 'key.pem'), identity.key.export({ type: 'pkcs8', format: 'pem' }));
    const pem = `-----BEGIN CERTIFICATE-----\n${Buffer.from(identity.certificate).toString('base64')}\n-----END CERTIFICATE-----\n`;
    writeFileSync(join(folder, 'certificate.pem'), pem);
    const pkcs12 = execFileSync(
      'openssl',
      ['pkcs12', '-export', '-inkey', 'key.pem', '-in', 'certificate.pem', '-passout', 'pass:segredo'],
      { cwd: folder },
    );
    const { session, person } = await opened(fresh.ask(), fresh, here);
    await person.look();
    await person.press('allow');
    const list = await person.see('Arquivo de certificado');
    assert.match(list, /quebrado\.so<\/bdi>: não pôde ser carregado/);
    assert.match(list, /ausente\.so<\/bdi>: não pôde ser carregado/);
    await person.giveFile(pkcs12, 'errada');
    await person.see('A senha do arquivo não está certa');
    await person.giveFile(new Uint8Array(100), 'segredo');
    await person.see('Este não é um arquivo de certificado');
    await person.giveFile(pkcs12, 'segredo');
    assert.equal((await here.settled(fresh.origin, session)).state, 'certificate');
    const pdf = await prepareFor(identity.certificate, identity.chain);
    assert.equal(
      (await here.call(fresh.origin, 'POST', `/v2/sessions/${session}/sign`, { request: fresh.ask(signRequest(pdf)) })).status,
      202,
    );
    await person.see('Confirme a assinatura');
    await person.press('sign');
    const state = await here.settled(fresh.origin, session);
    assert.equal(state.state, 'signed');
    if (state.state === 'signed') await assertSignsPdf(pdf, state.signatures[0]?.value ?? '');
    rmSync(folder, { recursive: true });
  });

  test('the window belongs to the first browser that opens it, and obeys its own page only', async () => {
    const { session, url, person } = await opened(site.ask(), site);
    assert.equal(await person.press('allow'), 403, 'not before it was opened');
    assert.match(await person.look(), new RegExp(site.origin));
    assert.match(await new Person(url).look(), /já foi aberto em outro navegador/);
    assert.equal(await person.press('allow', {}, { origin: 'https://lavra.example' }), 403);
    assert.equal(await person.press('allow', {}, { origin: 'null' }), 403);
    assert.equal(await person.press('allow', {}, { 'sec-fetch-site': 'cross-site' }), 403);
    assert.equal(await new Person(url).press('allow'), 403, 'without the cookie');
    assert.equal((await fetch(`${new URL(url).origin}/window/${'a'.repeat(43)}`)).status, 404);
    const { headers } = await fetch(url);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
    assert.doesNotMatch(headers.get('content-security-policy') ?? '', /unsafe/);
    await program.call(site.origin, 'DELETE', `/v2/sessions/${session}`);
  });

  test('names in a request are shown as text, without characters that turn what follows', async () => {
    const { session, person } = await opened(site.ask({ title: '<b>Oi</b> \u202Efdp.exe' }), site);
    const page = await person.look();
    assert.match(page, /&lt;b&gt;Oi&lt;\/b&gt; \u{FFFD}fdp\.exe/u);
    await program.call(site.origin, 'DELETE', `/v2/sessions/${session}`);
  });

  test('the window speaks the browser’s language', async () => {
    for (const [language, words] of [
      ['en-GB,en;q=0.9', 'Allow this site to ask for signatures?'],
      ['es', '¿Permitir que este sitio pida firmas?'],
      ['de', 'Permitir que este site peça assinaturas?'],
    ] as const) {
      await using fresh = await startSite();
      const { session, url } = await opened(fresh.ask(), fresh);
      assert.ok((await new Person(url, language).look()).includes(words), language);
      await program.call(fresh.origin, 'DELETE', `/v2/sessions/${session}`);
    }
  });

  test('a site that nobody has allowed opens few windows, though it lets go of each at once; many such sites together as well', async () => {
    await using here = await startProgram();
    const drop = ({ origin }: Site, session = '') => here.call(origin, 'DELETE', `/v2/sessions/${session}`);
    await using known = await startSite();
    const first = await opened(known.ask(), known, here);
    await first.person.look();
    await first.person.press('allow');
    await drop(known, first.session);
    for (let site = 0; site < 5; site++) {
      await using stranger = await startSite();
      for (let time = 0; time < 4; time++) await drop(stranger, (await open(stranger.ask(), stranger, here)).json.session);
    }
    assert.equal(here.windows(), 12);
    await opened(known.ask(), known, here);
  });

  test('unknown sites take three places together; an approved site keeps its two, however they press', async () => {
    await using here = await startProgram();
    await using known = await startSite();
    const first = await opened(known.ask(), known, here);
    await first.person.look();
    await first.person.press('allow');
    await here.call(known.origin, 'DELETE', `/v2/sessions/${first.session}`);
    const codes: Record<string, number> = {};
    for (let number = 0; number < 30; number++) {
      await using stranger = await startSite();
      const { status } = await meet(here, stranger.origin, true).then((met) => ('session' in met ? { status: 200 } : met));
      codes[status] = (codes[status] ?? 0) + 1;
    }
    assert.deepEqual(codes, { 200: 3, 429: 27 });
    assert.equal((await open(known.ask(), known, here)).status, 201);
    assert.equal((await open(known.ask(), known, here)).status, 201);
    assert.equal((await open(known.ask(), known, here)).json.code, 'TOO_MANY', 'two windows at a time');
  });

  test('unknown sites that open no window keep no newcomer out', async () => {
    await using here = await startProgram();
    const quiet = [];
    for (let number = 0; number < 3; number++) {
      const origin = `https://quiet-${number}.example`;
      const met = await meet(here, origin);
      assert.ok('session' in met);
      quiet.push({ origin, session: met.session });
    }
    const newcomer = await meet(here, 'https://lavra.example', true);
    assert.ok('session' in newcomer);
    const states = await Promise.all(quiet.map(({ origin, session }) => here.call(origin, 'GET', `/v2/sessions/${session}`)));
    assert.deepEqual(
      states.map(({ status }) => status),
      [404, 200, 200],
      'the oldest has gone',
    );
    assert.equal((await here.call('https://lavra.example', 'GET', `/v2/sessions/${newcomer.session}`)).status, 200);
  });

  /** Sessions of a program that has no window, on a clock that is set and one that nobody sets. */
  function alone() {
    const time = { now: 10_000_000, elapsed: 0 };
    const config = mkdtempSync(join(tmpdir(), 'lavra-sessions-'));
    const sessions = new Sessions({
      identity: openIdentity(config, textsIn('pt-BR')),
      knowsOwners: true,
      sites: new ApprovedSites(config),
      now: () => time.now,
      elapsed: () => time.elapsed,
      modules: () => [],
      onWindow: () => undefined,
      onClaimed: () => undefined,
    });
    return { sessions, time, config };
  }

  test('a page that greets and goes no further holds its place for seconds only', async () => {
    const { sessions, time, config } = alone();
    const { session } = sessions.greet('https://lavra.example', 'a'.repeat(43));
    time.elapsed += 14_000;
    assert.equal(sessions.of('https://lavra.example', session).phase.name, 'greeted');
    time.elapsed += 2000;
    assert.throws(() => sessions.of('https://lavra.example', session), { code: 'SESSION_UNKNOWN' });
    rmSync(config, { recursive: true });
  });

  test('a clock that is put back an hour keeps no place, no count and no refusal for that hour', async () => {
    const { sessions, time, config } = alone();
    const greet = () => sessions.greet('https://lavra.example', 'a'.repeat(43));
    for (let i = 0; i < 20; i++) sessions.drop(sessions.of('https://lavra.example', greet().session));
    assert.throws(greet, { code: 'TOO_MANY' });
    time.now -= 3_600_000;
    time.elapsed += 61_000;
    const { session } = greet();
    time.elapsed += 16_000;
    assert.throws(() => sessions.of('https://lavra.example', session), { code: 'SESSION_UNKNOWN' });
    rmSync(config, { recursive: true });
  });

  test('where users cannot be told apart the window goes on only with the code of the page', async () => {
    const config = mkdtempSync(join(tmpdir(), 'lavra-sessions-'));
    const urls: string[] = [];
    const surroundings: Surroundings = {
      identity: openIdentity(config, textsIn('pt-BR')),
      knowsOwners: false,
      sites: new ApprovedSites(config),
      now: Date.now,
      elapsed: () => performance.now(),
      modules: () => [],
      onWindow: ({ secret }) => void urls.push(secret),
      onClaimed: () => undefined,
    };
    const sessions = new Sessions(surroundings);
    const running = await startServer(sessions, surroundings, { ports: [0], ownerCheck: null });
    const here = { ...program, port: running.port };
    here.call = async (origin, method, path, body) => {
      const headers = { ...(origin === null ? {} : { origin }), ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${running.address}${path}`, { method, headers, ...sent });
      const text = await response.text();
      return { status: response.status, headers: response.headers, json: text === '' ? {} : (JSON.parse(text) as object) };
    };
    for (const answer of ['none', 'other', 'right'] as const) {
      await using fresh = await startSite();
      const met = await meet(here, fresh.origin);
      assert.ok('session' in met);
      await here.call(fresh.origin, 'POST', `/v2/sessions/${met.session}/certificate`, { request: fresh.ask() });
      const person = new Person(`${running.address}/window/${urls.at(-1)}`);
      const page = await person.look();
      const codes = [...page.matchAll(/name="code" value="(\d{3} \d{3})"/g)].map(([, code]) => code ?? '');
      assert.equal(codes.length, 4);
      assert.equal(page.split(met.code).length, 3, 'nowhere but among the others');
      const other = codes.find((code) => code !== met.code) ?? '';
      await person.press('allow', answer === 'none' ? {} : { code: answer === 'right' ? met.code : other });
      if (answer === 'right') await person.see('Nenhum programa de token');
      else assert.match(await person.look(), /O pedido foi recusado/);
      assert.equal(surroundings.sites.keyOf(fresh.origin) !== null, answer === 'right', answer);
    }
    await running.close();
    rmSync(config, { recursive: true });
  });

  test('a site that asks too often is refused; others are not', async () => {
    await using pushy = await startSite();
    const codes = [];
    for (let i = 0; i < 3; i++) codes.push((await open(pushy.ask(), pushy)).json.code);
    assert.deepEqual(codes, [undefined, undefined, 'TOO_MANY'], 'two windows at a time');
    let last = 200;
    for (let i = 0; i < 300 && last !== 429; i++) last = (await program.call(pushy.origin, 'GET', '/v1/version')).status;
    assert.equal(last, 429);
    assert.equal((await program.call(site.origin, 'GET', '/v1/version')).status, 200);
  });

  test('many sites that nobody has allowed, asking as often as each may, do not use up an approved one’s calls', () => {
    const limits = new CallLimits();
    for (let port = 1; port <= 6; port++) for (let call = 0; call < 240; call++) limits.allow(`https://pushy.example:${port}`, false);
    assert.equal(limits.allow('https://another.example', false), false);
    assert.equal(limits.allow(site.origin, true), true);
  });
});
