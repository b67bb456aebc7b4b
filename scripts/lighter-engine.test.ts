import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync } from 'node:zlib';
import { DICTIONARY_PATH, lighterEngine } from '../apps/web/lighter-engine.ts';
import { readManifest } from '../apps/server/src/http/page-scripts.ts';

const whole = readFileSync(fileURLToPath(import.meta.resolve('pdfjs-dist/legacy/build/pdf.worker.mjs')), 'utf8');
const { script, dictionary } = lighterEngine(whole);

/** What of it unpacks Brotli, alone, and what it asked the server for. */
function unpacker(status: number) {
  const asked: string[] = [];
  class XMLHttpRequest {
    status = status;
    responseText = dictionary;
    open(...of: readonly unknown[]): void {
      asked.push(of.join(' '));
    }
    send(): void {}
  }
  const section = script.slice(script.indexOf(';// ./external/brotli/decode.js'), script.indexOf(';// ./src/core/brotli_stream.js'));
  const unpack = runInNewContext(`${section};(bytes) => BrotliDecode(new Int8Array(bytes))`, { XMLHttpRequest }) as (
    bytes: Uint8Array,
  ) => Int8Array;
  return { asked, unpack };
}

describe('the lighter engine', () => {
  it('is what the pages are built with', () => {
    const built = Object.values(readManifest('apps/web/dist')).map(({ file }) => file);
    const worker = built.find((file) => file.startsWith('assets/pdf.worker'));
    assert.ok(worker);
    const code = readFileSync(`apps/web/dist/${worker}`, 'utf8');
    assert.match(code, /^\/\*\*[^]*Licensed under the Apache License[^]*Changed for Lavra/);
    assert.ok(code.includes(DICTIONARY_PATH) && code.length < 1_000_000);
    assert.equal(readFileSync(`apps/web/dist/${DICTIONARY_PATH}`, 'utf8'), dictionary);
  });

  it('unpacks words that stand in the dictionary, which it asks for then and once', () => {
    const said = 'The information that you want, and the government of the people, has been available for some time. '.repeat(3);
    const { asked, unpack } = unpacker(200);
    assert.deepEqual(asked, []);
    for (let again = 0; again < 2; again += 1) assert.equal(Buffer.from(unpack(brotliCompressSync(said))).toString(), said);
    assert.deepEqual(asked, [`GET /${DICTIONARY_PATH} false`]);
  });

  it('unpacks nothing where the dictionary does not come, and asks again', () => {
    const { asked, unpack } = unpacker(503);
    for (let again = 0; again < 2; again += 1) assert.throws(() => unpack(brotliCompressSync('the time')), /503/);
    assert.equal(asked.length, 2);
  });

  it('is not made of an engine that is put together otherwise', () => {
    assert.throws(() => lighterEngine(whole.replace('let BrotliDecode = makeBrotliDecode();', '')));
    assert.throws(() => lighterEngine(whole.replaceAll('./src/core/xfa/', './src/core/forms/')));
    assert.throws(() => lighterEngine(whole.replace('class BrotliStream', 'new Template(1);\nclass BrotliStream')), /Template/);
  });
});
