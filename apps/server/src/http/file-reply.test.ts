import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import Fastify from 'fastify';
import { parseRange, parseRanges, together } from './byte-ranges.ts';
import { contentDisposition, sendFile } from './file-reply.ts';

const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251));

async function ask(headers: Record<string, string>, read: [number, number][] = []) {
  const app = Fastify();
  app.get('/file', async (request, reply) =>
    sendFile(request, reply, {
      name: 'contrato.pdf',
      contentType: 'application/pdf',
      etag: 'v1',
      size: bytes.length,
      async *stream(offset, length) {
        read.push([offset, length]);
        for (let at = offset; at < offset + length; at += 100) yield bytes.subarray(at, Math.min(at + 100, offset + length));
      },
    }),
  );
  const answer = await app.inject({ url: '/file', headers });
  await app.close();
  return answer;
}

describe('a file', () => {
  it('comes whole, with its length and a validator', async () => {
    const answer = await ask({});
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['content-length'], '1000');
    assert.equal(answer.headers['etag'], '"v1"');
    assert.deepEqual(answer.rawPayload, bytes);
  });

  it('is not sent again to a client that has it', async () => {
    const answer = await ask({ 'if-none-match': '"v1"' });
    assert.deepEqual([answer.statusCode, answer.rawPayload.length], [304, 0]);
  });

  it('comes in the part that was asked for', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(999), fc.nat(999), async (a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const answer = await ask({ range: `bytes=${start}-${end}` });
        assert.equal(answer.statusCode, 206);
        assert.equal(answer.headers['content-range'], `bytes ${start}-${end}/1000`);
        assert.deepEqual(answer.rawPayload, bytes.subarray(start, end + 1));
      }),
      { numRuns: 30 },
    );
  });

  it('comes whole when the part belongs to another version', async () => {
    assert.equal((await ask({ range: 'bytes=0-9', 'if-range': '"v0"' })).statusCode, 200);
    assert.equal((await ask({ range: 'bytes=0-9', 'if-range': '"v1"' })).statusCode, 206);
  });

  it('refuses a part that it does not have', async () => {
    const answer = await ask({ range: 'bytes=1000-' });
    assert.deepEqual([answer.statusCode, answer.headers['content-range']], [416, 'bytes */1000']);
  });

  it('comes in several parts in one answer, as a reader of PDF asks for them', async () => {
    const cuts = fc.uniqueArray(fc.nat(999), { minLength: 4, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const sorted = places.toSorted((a, b) => a - b);
        const ranges = Array.from(
          { length: sorted.length >> 1 },
          (_, index) => [sorted[index * 2] ?? 0, sorted[index * 2 + 1] ?? 0] as const,
        );
        const answer = await ask({ range: `bytes=${ranges.map(([start, end]) => `${start}-${end}`).join(',')}` });
        assert.equal(answer.statusCode, 206);
        assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length);
        const boundary = /^multipart\/byteranges; boundary=([\w-]+)$/.exec(String(answer.headers['content-type']))?.[1];
        const parts = answer.rawPayload.toString('latin1').split(`\r\n--${boundary}`).slice(1, -1);
        assert.deepEqual(
          parts.map((part) => part.slice(part.indexOf('\r\n\r\n') + 4)),
          ranges.map(([start, end]) => bytes.subarray(start, end + 1).toString('latin1')),
        );
        assert.deepEqual(
          parts.map((part) => /content-range: (.*)\r\n/.exec(part)?.[1]),
          ranges.map(([start, end]) => `bytes ${start}-${end}/1000`),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('is not read over and over by one request: parts in no order, over one another, outside of it or too many are no parts', () => {
    assert.deepEqual(parseRanges('bytes=0-1, 5-6', 1000), [
      { start: 0, end: 1 },
      { start: 5, end: 6 },
    ]);
    const many = (count: number) => `bytes=${Array.from({ length: count }, (_, index) => `${index * 2}-${index * 2}`).join(',')}`;
    assert.equal(parseRanges(many(128), 1000)?.length, 128);
    for (const other of [
      'bytes=0-1',
      'bytes=5-6,0-1',
      'bytes=0-5,5-6',
      'bytes=0-1,999-1000',
      'bytes=0-1,-5',
      'bytes=0-1,9-',
      'bytes=3-2,5-6',
      many(129),
    ])
      assert.equal(parseRanges(other, 1000), null, other.slice(0, 40));
  });

  it('is read once where the parts of one request lie close together, as it is checked by larger parts than these', async () => {
    const read: [number, number][] = [];
    const answer = await ask(
      { range: `bytes=${Array.from({ length: 128 }, (_, index) => `${100 + index * 7}-${100 + index * 7}`).join(',')}` },
      read,
    );
    assert.equal(answer.statusCode, 206);
    assert.deepEqual(read, [[100, 127 * 7 + 1]]);
    const far = Array.from(together([0, 5, 300_000, 300_009, 700_000].map((start) => ({ start, end: start + 1 }))));
    assert.deepEqual(
      far.map((parts) => parts.map(({ start }) => start)),
      [[0, 5], [300_000, 300_009], [700_000]],
    );
  });

  it('understands open and suffix ranges and ignores what is none', () => {
    assert.deepEqual(parseRange('bytes=990-', 1000), { start: 990, end: 999 });
    assert.deepEqual(parseRange('bytes=-10', 1000), { start: 990, end: 999 });
    assert.deepEqual(parseRange('bytes=-5000', 1000), { start: 0, end: 999 });
    assert.equal(parseRange('bytes=-0', 1000), 'unsatisfiable');
    for (const other of [undefined, '', 'bytes=', 'bytes=-', 'items=0-1', 'bytes=0-1,5-6', 'bytes=a-b'])
      assert.equal(parseRange(other, 1000), null);
  });

  it('carries its name with accents, and nothing that breaks the header', () => {
    assert.equal(
      contentDisposition('attachment', 'Ação "1".pdf'),
      `attachment; filename="Acao _1_.pdf"; filename*=UTF-8''A%C3%A7%C3%A3o%20%221%22.pdf`,
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) =>
        assert.match(contentDisposition('inline', name), /^inline; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.~!%-]*$/),
      ),
    );
  });
});
