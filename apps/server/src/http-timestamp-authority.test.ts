import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { readConfig } from './config.ts';
import { httpTimestampAuthority, TimestampStatusError } from './http-timestamp-authority.ts';

describe('a timestamp authority’s answer', () => {
  let server: Server;
  let written = 0;
  afterEach(() => server.close());

  async function answering(chunks: number): Promise<string> {
    written = 0;
    const chunk = Buffer.alloc(64 * 1024);
    server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/timestamp-reply' });
      const go = () => {
        while (written < chunks && !response.destroyed) {
          written += 1;
          if (!response.write(chunk)) return void response.once('drain', go);
        }
        response.end();
      };
      go();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  it('is counted while it comes in, and left where it is too much', async () => {
    const authority = httpTimestampAuthority({ url: await answering(12_800) }, [], null);
    await assert.rejects(authority.timestamp(Uint8Array.of(1)), /too much/);
    // What the system's buffers took, of 800 MB.
    assert.ok(written < 500, `${written} pieces of 64 KB were sent`);
  });

  it('is taken whole where it is small', async () => {
    const authority = httpTimestampAuthority({ url: await answering(2) }, [], null);
    assert.equal((await authority.timestamp(Uint8Array.of(1))).length, 128 * 1024);
  });
});

describe('a timestamp authority that fails', () => {
  let server: Server;
  let asked = 0;
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function doing(act: (response: ServerResponse, time: number) => void): Promise<string> {
    asked = 0;
    server = createServer((_request, response) => act(response, (asked += 1)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  it('by a status is told with it', async () => {
    const url = await doing((response) => response.writeHead(503).end('later'));
    const refused = (error: unknown) => error instanceof TimestampStatusError && error.status === 503;
    await assert.rejects(httpTimestampAuthority({ url }, [], null).timestamp(Uint8Array.of(1)), refused);
  });

  it('in the middle of its answer has answered nothing, and is not asked again for it', async () => {
    const url = await doing((response, time) => {
      response.writeHead(200, { 'content-length': 1000 });
      if (time === 1) response.end(Buffer.alloc(1000));
      else response.write(Buffer.alloc(500), () => response.destroy());
    });
    const authority = httpTimestampAuthority({ url }, [], null);
    await authority.timestamp(Uint8Array.of(1));
    await assert.rejects(authority.timestamp(Uint8Array.of(1)));
    assert.equal(asked, 2);
  });

  it('by leaving a kept connection is asked over another', async () => {
    const url = await doing((response, time) => {
      if (time === 2) response.destroy();
      else response.end('token');
    });
    const authority = httpTimestampAuthority({ url }, [], null);
    for (let n = 0; n < 2; n += 1) assert.equal(Buffer.from(await authority.timestamp(Uint8Array.of(1))).toString(), 'token');
    assert.equal(asked, 3);
  });

  for (const [how, act] of [
    ['never answers', () => {}],
    ['never ends its answer', (response: ServerResponse) => void response.writeHead(200).write('to')],
  ] as const) {
    it(`and ${how} is given up after 15 seconds`, async (t) => {
      const arrived = Promise.withResolvers<void>();
      const url = await doing((response) => {
        act(response);
        arrived.resolve();
      });
      t.mock.timers.enable({ apis: ['setTimeout'] });
      const answer = httpTimestampAuthority({ url }, [], null).timestamp(Uint8Array.of(1));
      await arrived.promise;
      t.mock.timers.tick(15_000);
      await assert.rejects(answer, /in time/);
    });
  }

  it('or not leaves no timer behind that goes off in vain', async () => {
    const url = await doing((response) => response.end('token'));
    const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
    const before = timers();
    await httpTimestampAuthority({ url }, [], null).timestamp(Uint8Array.of(1));
    await new Promise(setImmediate);
    assert.equal(timers(), before);
  });
});

describe('a timestamp authority that wants to see a certificate', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lavra-tsa-'));
  after(() => rmSync(directory, { recursive: true }));
  /** Key and certificate of its own, in one file. */
  const identity = (name: string) => {
    const file = join(directory, name);
    const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost'];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${file}.key`];
    execFileSync('openssl', ['req', '-x509', ...key, ...subject, '-out', `${file}.cert`], { stdio: 'ignore' });
    writeFileSync(`${file}.pem`, readFileSync(`${file}.cert`, 'latin1') + readFileSync(`${file}.key`, 'latin1'));
    return `${file}.pem`;
  };

  it('is shown the configured one, and answers nobody else', async () => {
    const [own, client, other] = [identity('servidor'), identity('lavra'), identity('outro')];
    const pem = readFileSync(own);
    const server = createSecureServer(
      { key: pem, cert: pem, ca: readFileSync(client), requestCert: true, rejectUnauthorized: true },
      (_request, response) => response.end('token'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const usual = getCACertificates('default');
    setDefaultCACertificates([...usual, readFileSync(own, 'latin1')]);
    const TSA_ICP_BRASIL_URL = `https://localhost:${(server.address() as AddressInfo).port}/`;
    const ask = (path: string) => {
      const { icpBrasilTsa } = readConfig({ TSA_ICP_BRASIL_URL, LAVRA_ICP_BRASIL_CAS: own, TSA_ICP_BRASIL_CLIENT: path });
      return httpTimestampAuthority(icpBrasilTsa ?? assert.fail(), [], null).timestamp(Uint8Array.of(1));
    };
    try {
      assert.equal(Buffer.from(await ask(client)).toString(), 'token');
      await assert.rejects(ask(other));
      await assert.rejects(httpTimestampAuthority({ url: TSA_ICP_BRASIL_URL }, [], null).timestamp(Uint8Array.of(1)));
    } finally {
      setDefaultCACertificates(usual);
      server.close();
    }
  });
});
