import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, it } from 'node:test';
import { askOwnAddress } from './own-address.ts';

const answers: Record<string, [number, string]> = {
  '/away': [503, '203.0.113.1'],
  '/page': [200, '<html>203.0.113.2</html>'],
  '/broken': [200, '{"ip":'],
  '/other': [200, '{"ip":7}'],
  '/json': [200, '{"ip":"203.0.113.9","city":"Olinda"}'],
  '/text': [200, '2001:db8::7\n'],
};
const asked: string[] = [];
let server: Server;
const at = (...paths: string[]) => paths.map((path) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);

before(async () => {
  server = createServer((request, reply) => {
    const path = request.url ?? '';
    asked.push(path);
    const [status, text] = answers[path] ?? [404, ''];
    // A service that never answers.
    if (path !== '/silent') reply.writeHead(status).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
after(() => {
  server.closeAllConnections();
  server.close();
});

it('the electronic dialog queries public IP lookup services in turn, until one says an address', async () => {
  const urls = at('/away', '/page', '/broken', '/other', '/json', '/text');
  assert.equal(await askOwnAddress(urls, new AbortController().signal), '203.0.113.9');
  assert.deepEqual(asked, ['/away', '/page', '/broken', '/other', '/json']);
  assert.equal(await askOwnAddress(at('/text'), new AbortController().signal), '2001:db8::7');
  assert.equal(await askOwnAddress(at('/away', '/page'), new AbortController().signal), null);
});

it('each is waited for 5 s, and none is asked once the dialog is left', async ({ mock }) => {
  asked.length = 0;
  mock.timers.enable({ apis: ['setTimeout'] });
  const told = askOwnAddress(at('/silent', '/json'), new AbortController().signal);
  mock.timers.tick(4999);
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(!asked.includes('/json'));
  mock.timers.tick(1);
  assert.equal(await told, '203.0.113.9');
  const left = new AbortController();
  const unheard = askOwnAddress(at('/silent', '/text'), left.signal);
  left.abort();
  assert.equal(await unheard, null);
  assert.ok(!asked.includes('/text'));
});
