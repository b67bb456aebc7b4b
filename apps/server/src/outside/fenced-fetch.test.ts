import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createPlainServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { frozenClock } from '../testing/clock.ts';
import { readAllowedHost, type AllowedHost } from './allowed-target.ts';
import { fencedFetch, type FenceOptions } from './fenced-fetch.ts';
import { type Outside, OutsideFault, type OutsideRequest } from './outside.ts';
import { spareTheSilent } from './spare-the-silent.ts';

let handler: RequestListener = (_request, response) => void response.end('list');
const server = createServer((request, response) => handler(request, response));
let port = 0;
const hosts = (...texts: string[]): AllowedHost[] => texts.map((text) => readAllowedHost(text)).filter((one) => one !== null);

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const codeOf = (outside: Outside, url: string, change: Partial<OutsideRequest> = {}) =>
  outside.fetch({ url, maxBytes: 64 * 1024, ...change }).then(
    () => 'answered',
    (error: unknown) => (error instanceof OutsideFault ? error.code : String(error)),
  );
const here = (change: Partial<FenceOptions> = {}) => fencedFetch({ allowed: hosts(`127.0.0.1:${port}`), ...change });
const answering = (listener: RequestListener) => {
  handler = listener;
};

describe('an address from a certificate', () => {
  const never: FenceOptions['resolve'] = () => assert.fail('asked for a name');

  it('is refused unless it is http or https, at 80 or 443, without credentials', async () => {
    const outside = fencedFetch({ allowed: [], resolve: never });
    for (const url of [
      'ldap://ldap.exemplo.com.br/cn=lista',
      'file:///etc/passwd',
      'ftp://exemplo.com.br/lista.crl',
      'data:,x',
      'http://exemplo.com.br:22/',
      'http://exemplo.com.br:8080/lista.crl',
      'http://user:secret@exemplo.com.br/lista.crl',
      'http://user@exemplo.com.br/',
      'lista.crl',
      '',
    ])
      assert.equal(await codeOf(outside, url), 'ADDRESS_REFUSED', url);
  });

  it('is refused when its host is an address of ours, however it is written', async () => {
    const outside = fencedFetch({ allowed: [], resolve: never });
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127.1',
      '0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '169.254.169.254',
    ])
      assert.equal(await codeOf(outside, `http://${host}/`), 'ADDRESS_REFUSED', host);
  });

  it('is refused when one of the addresses behind its name is not public', async () => {
    for (const found of [['10.0.0.7'], ['1.1.1.1', '127.0.0.1'], ['2a00::1', 'fd00::1'], ['::ffff:10.0.0.1']])
      assert.equal(await codeOf(fencedFetch({ allowed: [], resolve: async () => found }), 'http://crl.exemplo.com.br/'), 'ADDRESS_REFUSED');
    assert.equal(await codeOf(fencedFetch({ allowed: [] }), 'http://localhost/'), 'ADDRESS_REFUSED');
  });

  it('without an address behind its name cannot be reached', async () => {
    assert.equal(await codeOf(fencedFetch({ allowed: [], resolve: async () => [] }), 'http://crl.exemplo.com.br/'), 'UNREACHABLE');
    const broken = fencedFetch({ allowed: [], resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    assert.equal(await codeOf(broken, 'http://crl.exemplo.com.br/'), 'UNREACHABLE');
  });

  it('is called where it was checked: its name is asked for once', async () => {
    let asked = 0;
    answering((request, response) => void response.end(request.headers.host));
    const allowed = hosts(`crl.exemplo.com.br:${port}`);
    const resolve = async () => (++asked === 1 ? ['127.0.0.1'] : ['192.0.2.1']);
    const body = await fencedFetch({ allowed, resolve }).fetch({ url: `http://crl.exemplo.com.br:${port}/`, maxBytes: 100 });
    assert.deepEqual([Buffer.from(body).toString(), asked], [`crl.exemplo.com.br:${port}`, 1]);
  });

  it('of a host that the configuration names may be private, and of no other', async () => {
    answering((_request, response) => void response.end('list'));
    assert.equal(await codeOf(here(), `http://127.0.0.1:${port}/`), 'answered');
    assert.equal(await codeOf(here(), `http://localhost:${port}/`), 'ADDRESS_REFUSED');
    assert.equal(await codeOf(here(), `http://127.0.0.1:${port + 1}/`), 'ADDRESS_REFUSED');
    assert.equal(
      await codeOf(fencedFetch({ allowed: hosts('127.0.0.1') }), `http://127.0.0.1:${port}/`),
      'ADDRESS_REFUSED',
      'at 80 and 443',
    );
  });
});

describe('a host in the configuration', () => {
  it('is a name or an address, with a port or without', () => {
    assert.deepEqual(readAllowedHost('CRL.intranet'), { hostname: 'crl.intranet', port: null });
    assert.deepEqual(readAllowedHost('127.0.0.1:80'), { hostname: '127.0.0.1', port: 80 });
    assert.deepEqual(readAllowedHost('[::1]:8080'), { hostname: '[::1]', port: 8080 });
    for (const text of ['', 'http://x', 'x/y', 'a b', '10.0.0.0/8', 'x:', 'x:99999', '*', '*.exemplo.com.br', 'u@x'])
      assert.equal(readAllowedHost(text), null, text);
  });
});

describe('an https address', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lavra-https-'));
  const file = (name: string) => join(directory, name);
  after(() => rmSync(directory, { recursive: true }));

  it('is believed by its name, wherever its connection is pinned to', async () => {
    const subject = ['-subj', '/CN=crl.exemplo.com.br', '-addext', 'subjectAltName=DNS:crl.exemplo.com.br'];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file('key.pem')];
    execFileSync('openssl', ['req', '-x509', ...key, ...subject, '-out', file('cert.pem')], { stdio: 'ignore' });
    const secure = createSecureServer(
      { key: readFileSync(file('key.pem')), cert: readFileSync(file('cert.pem')) },
      (_request, response) => {
        response.end('list');
      },
    );
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const { port: own } = secure.address() as AddressInfo;
    const allowed = hosts(`crl.exemplo.com.br:${own}`, `outra.exemplo.com.br:${own}`);
    const outside = fencedFetch({ allowed, resolve: async () => ['127.0.0.1'] });
    assert.equal(await codeOf(outside, `https://crl.exemplo.com.br:${own}/`), 'UNREACHABLE', 'nobody vouches for it');
    const usual = getCACertificates('default');
    setDefaultCACertificates([...usual, readFileSync(file('cert.pem'), 'latin1')]);
    assert.equal(await codeOf(outside, `https://crl.exemplo.com.br:${own}/`), 'answered');
    assert.equal(await codeOf(outside, `https://outra.exemplo.com.br:${own}/`), 'UNREACHABLE', 'another name');
    setDefaultCACertificates(usual);
    secure.close();
  });
});

describe('a redirect', () => {
  it('is followed three times at most', async () => {
    answering(({ url = '' }, response) => {
      const left = Number(url.slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
      else response.end('list');
    });
    assert.equal(await codeOf(here(), `http://127.0.0.1:${port}/3`), 'answered');
    assert.equal(await codeOf(here(), `http://127.0.0.1:${port}/4`), 'ANSWER_REFUSED');
  });

  it('is checked as the first address was', async () => {
    for (const to of [`http://localhost:${port}/`, 'http://169.254.169.254/latest/meta-data/', 'http://[::1]/', 'file:///etc/passwd']) {
      answering((_request, response) => void response.writeHead(301, { location: to }).end());
      assert.equal(await codeOf(here(), `http://127.0.0.1:${port}/`), 'ADDRESS_REFUSED', to);
    }
  });

  it('takes a question along only where the standard says so', async () => {
    const body = { type: 'application/ocsp-request', bytes: Uint8Array.of(1, 2, 3) };
    const seen: string[] = [];
    const redirect = (status: number) =>
      answering((request, response) => {
        seen.push(`${request.method} ${request.url}`);
        if (request.url === '/') response.writeHead(status, { location: '/there' }).end();
        else request.pipe(response);
      });
    redirect(307);
    assert.deepEqual(await here().fetch({ url: `http://127.0.0.1:${port}/`, body, maxBytes: 10 }), body.bytes);
    redirect(302);
    assert.equal(await codeOf(here(), `http://127.0.0.1:${port}/`, { body }), 'ANSWER_REFUSED');
    assert.deepEqual(seen, ['POST /', 'POST /there', 'POST /']);
  });
});

describe('an answer', () => {
  it('that drips for ever is given up after the time for all of it', async () => {
    answering((_request, response) => {
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const started = performance.now();
    assert.equal(await codeOf(here({ timeoutMs: 200 }), `http://127.0.0.1:${port}/`), 'TIMED_OUT');
    assert.ok(performance.now() - started < 2000);
  });

  it('that never begins is given up, and so is a name server that is silent', async () => {
    answering(() => {});
    assert.equal(await codeOf(here({ timeoutMs: 100 }), `http://127.0.0.1:${port}/`), 'TIMED_OUT');
    const silent = fencedFetch({ allowed: [], timeoutMs: 100, resolve: () => new Promise(() => {}) });
    assert.equal(await codeOf(silent, 'http://crl.exemplo.com.br/'), 'TIMED_OUT');
  });

  it('without an end is stopped at its ceiling, and the connection closed', async () => {
    let sent = 0;
    const closed = new Promise<void>((resolve) => {
      answering((_request, response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(16 * 1024))) sent += 16 * 1024;
        };
        response.on('drain', more);
        response.on('close', resolve);
        more();
      });
    });
    assert.equal(await codeOf(here(), `http://127.0.0.1:${port}/`), 'TOO_LARGE');
    await closed;
    assert.ok(sent < 16 << 20);
  });

  it('that announces too much, is packed, or is no success, is refused', async () => {
    answering((_request, response) => void response.writeHead(200, { 'content-length': '999999' }).write('x'));
    assert.equal(await codeOf(here(), `http://127.0.0.1:${port}/`), 'TOO_LARGE');
    answering((_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'));
    assert.equal(await codeOf(here(), `http://127.0.0.1:${port}/`), 'ANSWER_REFUSED');
    for (const status of [204, 206, 404, 500]) {
      answering((_request, response) => void response.writeHead(status).end());
      assert.equal(await codeOf(here(), `http://127.0.0.1:${port}/`), 'ANSWER_REFUSED', String(status));
    }
  });

  it('that breaks off is none', async () => {
    answering((_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('half', () => response.destroy());
    });
    assert.equal(await codeOf(here(), `http://127.0.0.1:${port}/`), 'UNREACHABLE');
    const plain = createPlainServer((socket) => socket.end('hello\r\n\r\n'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const other = (plain.address() as AddressInfo).port;
    assert.equal(await codeOf(fencedFetch({ allowed: hosts(`127.0.0.1:${other}`) }), `http://127.0.0.1:${other}/`), 'UNREACHABLE');
    plain.close();
    assert.equal(await codeOf(fencedFetch({ allowed: hosts(`127.0.0.1:${other}`) }), `http://127.0.0.1:${other}/`), 'UNREACHABLE');
  });
});

describe('a silent address', () => {
  it('is asked once at a time, and not again for half a minute after it failed', async () => {
    let asked = 0;
    let works = false;
    const clock = frozenClock();
    const outside = spareTheSilent(
      {
        async fetch() {
          asked += 1;
          await Promise.resolve();
          if (!works) throw new OutsideFault('UNREACHABLE', 'away');
          return Uint8Array.of(asked);
        },
      },
      clock,
    );
    const ask = () => codeOf(outside, 'http://crl.exemplo.com.br/');
    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['UNREACHABLE', 'UNREACHABLE', 'UNREACHABLE']);
    assert.deepEqual([await ask(), asked], ['UNREACHABLE', 1]);
    assert.equal(await codeOf(outside, 'http://outra.exemplo.com.br/'), 'UNREACHABLE');
    works = true;
    clock.advance({ seconds: 31 });
    assert.deepEqual([await ask(), asked], ['answered', 3]);
  });

  it('that failed while the clock was ahead is asked again when the clock is right', async () => {
    let works = false;
    const clock = frozenClock();
    const outside = spareTheSilent(
      { fetch: () => (works ? Promise.resolve(Uint8Array.of(1)) : Promise.reject(new OutsideFault('UNREACHABLE', 'away'))) },
      clock,
    );
    const ask = () => codeOf(outside, 'http://crl.exemplo.com.br/');
    clock.advance({ hours: 1 });
    assert.equal(await ask(), 'UNREACHABLE');
    works = true;
    clock.advance({ hours: -1 });
    assert.equal(await ask(), 'answered');
  });
});
