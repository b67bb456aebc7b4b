import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unzipSync } from 'fflate';
import { zipStream } from './zip-stream.ts';

async function* pieces(text: string) {
  for (const letter of text) yield Buffer.from(letter);
}

async function zipped(files: Record<string, string>, most?: { bytes: number; entries: number }): Promise<Buffer> {
  const entries = Object.entries(files).map(([name, text]) => ({ name, size: Buffer.byteLength(text), content: pieces(text) }));
  const chunks: Uint8Array[] = [];
  for await (const chunk of zipStream(entries, most)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const read = (zip: Buffer) =>
  Object.fromEntries(Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));

describe('a zip', () => {
  const files = { 'contrato é.pdf': 'o primeiro arquivo', 'vazio.txt': '', 'pasta/dados.json': '{"a":1}' };

  it('gives its files back', async () => {
    assert.deepEqual(read(await zipped(files)), files);
    assert.deepEqual(read(await zipped({})), {});
  });

  it('gives back what 32 bits do not hold: sizes, places and numbers of files', async () => {
    assert.deepEqual(read(await zipped(files, { bytes: 10, entries: 2 })), files);
    assert.deepEqual(read(await zipped(files, { bytes: 60, entries: 100 })), files);
  });

  it('breaks off rather than lie of a file that is larger than it was said to be', async () => {
    const entries = [{ name: 'a', size: 1, content: pieces('doze letras!') }];
    const read = async () => {
      for await (const _chunk of zipStream(entries, { bytes: 10, entries: 10 }));
    };
    await assert.rejects(read);
  });
});
