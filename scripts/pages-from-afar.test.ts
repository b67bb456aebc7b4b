import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { sendFile } from '../apps/server/src/http/file-reply.ts';
import { beginAhead } from '../apps/web/src/pdf/remote-bytes.ts';
import { GRAIN, openRemote } from '../apps/web/src/pdf/remote-file.ts';
import { hostileFiles } from '../bench/hostile-files.ts';
import { makeBases } from '../packages/pades/src/testing/attacks/bases.ts';
import { attackWorld } from '../packages/pades/src/testing/attacks/world.ts';

/** A server that hands a file over as the product does, and counts. */
async function serve(files: ReadonlyMap<string, Uint8Array>) {
  const app: FastifyInstance = Fastify();
  const sent = { bytes: 0, answers: 0, open: 0 };
  app.addHook('onRequest', async () => void (sent.open += 1));
  app.addHook('onResponse', async () => void (sent.open -= 1));
  app.addHook('onSend', async (_, reply) => void (sent.bytes += Number(reply.getHeader('content-length'))));
  app.get<{ Params: { name: string } }>('/:name', (request, reply) => {
    const bytes = files.get(request.params.name) ?? new Uint8Array();
    sent.answers += 1;
    return sendFile(request, reply, {
      name: 'contrato.pdf',
      contentType: 'application/pdf',
      etag: request.params.name,
      size: bytes.length,
      // eslint-disable-next-line @typescript-eslint/require-await
      async *stream(offset, length) {
        yield bytes.subarray(offset, offset + length);
      },
    });
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  /** What was asked for has come: a document that is let go of before leaves reads behind that nobody waits for, and Node tells of them. */
  const quiet = async (): Promise<void> => {
    for (let calm = 0, seen = -1; calm < 5; seen = sent.answers) {
      await sleep(50);
      calm = sent.open === 0 && sent.answers === seen ? calm + 1 : 0;
    }
  };
  return { url, sent, quiet, stop: () => app.close() };
}

const engine = { disableAutoFetch: true, disableStream: true, rangeChunkSize: GRAIN, useWorkerFetch: false, verbosity: 0 };

/** What is drawn of every page, and its words. */
async function drawnOf(document: PDFDocumentProxy): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { fnArray } = await page.getOperatorList();
    const { items } = await page.getTextContent();
    const { view, rotate, userUnit } = page;
    pages.push({ view, rotate, userUnit, fnArray, words: items.map((item) => ('str' in item ? item.str : '')) });
  }
  return pages;
}

describe('a document that is read over the network', () => {
  const files = new Map<string, Uint8Array>();
  let server: Awaited<ReturnType<typeof serve>>;
  before(async () => {
    const bases = await makeBases(await attackWorld());
    for (const [name, bytes] of Object.entries(bases)) if (bytes instanceof Uint8Array) files.set(name, bytes);
    files.set('scans', hostileFiles.scans(3));
    files.set('pages', hostileFiles.manyPages(700));
    files.set('long', hostileFiles.scans(100));
    server = await serve(files);
  });
  after(() => server.stop());

  it('shows on every page what the file shows, whatever comes when', async () => {
    assert.ok(files.size > 4);
    for (const [name, bytes] of files) {
      const remote = await openRemote({ url: `${server.url}/${name}`, headers: {} }, assert.ifError);
      const afar = getDocument({ ...engine, ...remote });
      const whole = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
      assert.deepEqual(await drawnOf(await afar.promise), await drawnOf(await whole.promise), name);
      await server.quiet();
      await Promise.all([afar.destroy(), whole.destroy()]);
    }
  });

  it('shows the first page of a long flat file after little of it', async () => {
    const bytes = files.get('long') ?? new Uint8Array();
    Object.assign(server.sent, { bytes: 0, answers: 0 });
    const remote = await openRemote({ url: `${server.url}/long`, headers: {} }, assert.ifError);
    const task = getDocument({ ...engine, ...remote });
    await (await (await task.promise).getPage(1)).getOperatorList();
    const { bytes: read, answers } = server.sent;
    await server.quiet();
    await task.destroy();
    // Its picture, what begins and ends the file, and for each page what tells it from a node of the tree.
    assert.ok(read < 200_000 + 6 * 32_768 + 100 * 3 * GRAIN, `${read} of ${bytes.length}`);
    assert.ok(answers < 20, `${answers} answers`);
  });

  it('is fetched once where it is short, also while it grows', async () => {
    const whole = new Uint8Array(hostileFiles.manyPages(1));
    files.set('short', whole);
    const source = { url: `${server.url}/short`, headers: {}, size: whole.length };
    Object.assign(server.sent, { bytes: 0, answers: 0 });
    beginAhead(source);
    assert.deepEqual(await openRemote(source, assert.ifError), { data: whole });
    await server.quiet();
    assert.deepEqual(server.sent, { bytes: whole.length, answers: 1, open: 0 });
    // What was fetched ahead is handed over once.
    const grown = new Uint8Array([...whole, ...new Uint8Array(20_000)]);
    files.set('short', grown);
    assert.deepEqual(await openRemote(source, assert.ifError), { data: grown });
    await server.quiet();
    assert.deepEqual(server.sent, { bytes: whole.length + grown.length, answers: 2, open: 0 });
  });

  it('says so when the file stops coming', async () => {
    const stopping = await serve(files);
    const fault = Promise.withResolvers<unknown>();
    const remote = await openRemote({ url: `${stopping.url}/long`, headers: {} }, fault.resolve);
    const task = getDocument({ ...engine, ...remote });
    task.promise.catch(() => {});
    files.delete('long');
    assert.equal(((await fault.promise) as Error).name, 'RemoteFault');
    // Never let go of: what it still waits for does not come any more.
    await stopping.stop();
  });
});
