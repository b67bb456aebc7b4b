import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { httpTimestampAuthority } from './http-timestamp-authority.ts';

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
