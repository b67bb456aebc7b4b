import assert from 'node:assert/strict';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PadesError } from './errors.ts';
import { fileSource, revisionBytes, writeRevised, writeRevision } from './node.ts';
import { openPdf } from './open-pdf.ts';
import { signPdf } from './sign/sign-pdf.ts';
import { chunksOf, joinRevisions, readAll, withRevision } from './source.ts';
import { simplePdf } from './testing/make-pdf.ts';
import { throwawaySigner } from './testing/throwaway-signer.ts';
import { hasTool, pdfsig } from './testing/tools.ts';

const folder = await mkdtemp(join(tmpdir(), 'pades-node-'));
after(() => rm(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

/** A document with one stream of that many bytes. */
async function made(name: string, length: number): Promise<Uint8Array> {
  const bytes = simplePdf({ more: [`<</Length ${length}>>\nstream\n${'x'.repeat(length)}\nendstream`] });
  await writeFile(at(name), bytes);
  return bytes;
}

// Held whole, and read piece by piece.
for (const [kind, length] of [
  ['small', 10],
  ['middling', 1_500_000],
  ['large', 6_000_000],
] as const) {
  test(`a ${kind} file reads the same in every way, and is signed while it is copied`, async () => {
    const original = await made(`${kind}.pdf`, length);
    await using source = await fileSource(at(`${kind}.pdf`));
    assert.equal(Buffer.compare(await readAll(source), original), 0);
    for (const [offset, size] of [
      [0, 5],
      [7, 100],
      [original.length - 3, 3],
    ] as const) {
      assert.deepEqual(await source.read(offset, size), original.subarray(offset, offset + size));
    }
    const making = signPdf(await openPdf(source), throwawaySigner('Ana'), { field: { name: 'ana' }, signingTime: new Date(0) });
    await using out = await open(at(`${kind}-1.pdf`), 'w');
    const revision = await writeRevision(out, source, making);
    await writeRevised(at(`${kind}-2.pdf`), source, revision);
    const pieces: Uint8Array[] = [];
    for await (const piece of revisionBytes(source, revision)) pieces.push(piece.slice());
    const expected = Buffer.concat([original, revision.bytes]);
    for (const file of [await readFile(at(`${kind}-1.pdf`)), await readFile(at(`${kind}-2.pdf`)), Buffer.concat(pieces)]) {
      assert.equal(Buffer.compare(file, expected), 0);
    }
    if (await hasTool('pdfsig')) assert.deepEqual(await pdfsig(expected), { valid: 1, total: 1 });
  });
}

test('a refused revision and a file that is there end the writing with their own error', async () => {
  await made('base.pdf', 10);
  await using source = await fileSource(at('base.pdf'));
  await using out = await open(at('refused.pdf'), 'w');
  const refused = Promise.reject(new PadesError('SIGNATURE_MISMATCH'));
  await assert.rejects(writeRevision(out, source, refused), (error: PadesError) => error.code === 'SIGNATURE_MISMATCH');
  await assert.rejects(writeRevised(at('base.pdf'), source, { offset: source.size, bytes: new Uint8Array(1) }), /EEXIST/);
});

test('a revision made for one file is not appended to another, one that has grown in the meantime for instance', async () => {
  await made('grown.pdf', 10);
  await using source = await fileSource(at('grown.pdf'));
  const stale = { offset: source.size - 1, bytes: new Uint8Array(1) };
  const foreign = (error: PadesError) => error.code === 'INVALID_PLAN';
  assert.throws(() => withRevision(source, stale), foreign);
  await assert.rejects(revisionBytes(source, stale).next(), foreign);
  await using out = await open(at('stale.pdf'), 'w');
  await assert.rejects(writeRevision(out, source, stale), foreign);
});

test('who stops reading early leaves nothing behind, and a file that became shorter is damaged', async () => {
  await made('shrinking.pdf', 6_000_000);
  const source = await fileSource(at('shrinking.pdf'));
  for await (const piece of chunksOf(source, 0, source.size)) {
    assert.equal(piece.length, 1 << 20);
    break;
  }
  await writeFile(at('shrinking.pdf'), 'short');
  await assert.rejects(readAll(source), (error: PadesError) => error.code === 'DAMAGED');
  await source.close();
});

test('two revisions are joined only when the second was made for the file that ends with the first', () => {
  const [first, second] = [Uint8Array.of(1, 2), Uint8Array.of(3)];
  const joined = joinRevisions({ offset: 5, bytes: first }, { offset: 7, bytes: second });
  assert.deepEqual(joined, { offset: 5, bytes: Uint8Array.of(1, 2, 3) });
  const stranger = () => joinRevisions({ offset: 5, bytes: first }, { offset: 5, bytes: second });
  assert.throws(stranger, (error: PadesError) => error.code === 'INVALID_PLAN');
});
