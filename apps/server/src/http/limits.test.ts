import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import Fastify from 'fastify';
import { signedInAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { createDraft } from '../testing/processes.ts';
import { isDeeperThan } from './json-depth.ts';
import { endSlowBodies } from './slow-bodies.ts';

describe('a body', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  const post = (url: string, payload: string) =>
    app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload });

  it('may be 64 KB, unless its call carries a picture', async () => {
    const large = JSON.stringify({ username: 'x'.repeat(70 * 1024), password: 'Segredo123' });
    assert.equal((await post('/api/authenticate', large)).statusCode, 413);
    assert.equal((await post('/api/signature-evidences/initEletronicSignature', large)).statusCode, 400);
    const tooLarge = JSON.stringify({ image: 'x'.repeat(api.pictureBodyBytes) });
    assert.equal((await post('/api/signature-evidences/initEletronicSignature', tooLarge)).statusCode, 413);
  });

  it('that nests deep is refused before it is parsed', async () => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
    const begin = performance.now();
    const answer = await post('/api/signature-evidences/initEletronicSignature', deep);
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.headers['x-app-error'], 'request.invalid');
    // Three quarters of a second when it was parsed; generous.
    assert.ok(performance.now() - begin < 500);
    assert.equal(isDeeperThan('{"a":[[1]]}', 3), false);
    assert.equal(isDeeperThan('{"a":[[1]]}', 2), true);
    assert.equal(isDeeperThan(JSON.stringify({ text: '[[[[{{{{\\"[[[["', more: [] }), 2), false);
    assert.equal(isDeeperThan('"[[[[', 2), false);
    assert.equal(isDeeperThan('[]'.repeat(1000), 1), false);
  });

  it('of a thousand faults is told fifty', async () => {
    const body = { files: Array.from({ length: 5000 }, () => 1), title: 'x', type: null, dueDate: null, reminderIn: null };
    const { token } = await signedInAccount(app);
    const answer = await app.inject({
      method: 'POST',
      url: '/api/signature-processes',
      headers: { authorization: `Bearer ${token}` },
      payload: body,
    });
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().fieldErrors.length, 50);
  });

  it('is repeated in the answer in part only, and its header names the entity', async () => {
    const ana = await signedInAccount(app, { email: 'outra@exemplo.com.br' });
    const { id } = await createDraft(app, ana, { signers: [] });
    const letters = Array.from({ length: 5000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
    const answer = await app.call(api.createSigner, {
      token: ana.token,
      body: {
        signer: { name: letters, email: 'bia@exemplo.com.br', order: 0, dueDate: null, signatureProcess: { id } },
        signatureVisibleActive: false,
        visibleSignature: [],
        modelId: null,
      },
    });
    assert.equal(answer.code, 'signer.nameUndrawable');
    assert.deepEqual([answer.headers['x-app-params'], answer.raw.json().params], ['signer', { characters: '一丁丂七丄丅丆万丈三' }]);
  });
});

describe('a body that drips', () => {
  const limits = { graceMs: 300, bytesPerSecond: 1000, everyMs: 50 };

  async function listening() {
    const app = Fastify();
    endSlowBodies(app, limits);
    app.post('/', (request) => ({ size: String(request.body).length }));
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    return { app, port };
  }

  /** Sends `pieces`, the first with the head, then one every 100 ms; answers the first line of what comes back. */
  function drip(port: number, pieces: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let heard = '';
      let sent = 1;
      const length = pieces.join('').length;
      socket.write(
        `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${pieces[0]}`,
      );
      const timer = setInterval(() => {
        if (sent < pieces.length && socket.writable) socket.write(pieces[sent] ?? '');
        sent += 1;
      }, 100);
      socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
      socket.on('error', () => {});
      socket.setTimeout(20_000, () => reject(new Error('never closed')));
      socket.on('close', () => {
        clearInterval(timer);
        socket.destroy();
        resolve(heard.split('\r\n')[0] ?? '');
      });
    });
  }

  it('is ended after its grace, and one that comes steadily is not', async () => {
    const { app, port } = await listening();
    const [slow, steady] = await Promise.all([
      drip(
        port,
        Array.from({ length: 100 }, () => 'x'),
      ),
      drip(
        port,
        Array.from({ length: 10 }, () => 'x'.repeat(5000)),
      ),
    ]);
    assert.equal(slow, 'HTTP/1.1 408 Request Timeout');
    assert.equal(steady, 'HTTP/1.1 200 OK');
    await app.close();
  });

  it('and connections on which nothing moves have an end in the product', async () => {
    const app = await startTestApp();
    const { server } = app.installation.app;
    assert.deepEqual([server.timeout, server.headersTimeout], [60_000, 20_000]);
    await app.close();
  });
});

describe('a request with two hosts', () => {
  it('is refused: what stands before us may have gone by the other', async () => {
    const app = await startTestApp();
    await app.installation.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.installation.app.server.address() as AddressInfo;
    const statusOf = (hosts: readonly string[]) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1').once('error', reject);
        socket.once('data', (answer: Buffer) => resolve(answer.toString().slice(9, 12))).once('data', () => socket.destroy());
        socket.write(`GET /management/health/liveness HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}\r\n`);
      });
    assert.deepEqual([await statusOf(['um']), await statusOf(['um', 'dois']), await statusOf(['um', 'um'])], ['200', '400', '400']);
    await app.close();
  });
});
