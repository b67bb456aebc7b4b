import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PadesError } from '../errors.ts';
import { openPdf } from '../open-pdf.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import type { PdfSource } from '../source.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { throwawaySigner } from '../testing/throwaway-signer.ts';
import { hasTool, pdfsig, qpdf } from '../testing/tools.ts';
import { verifyPdf } from '../verify/verify-pdf.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import { latin1Bytes, latin1Text } from './objects.ts';

/** Tables that other readers mend, and files beyond what a table can say. */

const signer = throwawaySigner('Ana');
const request = { field: { name: 'Ana' }, signingTime: new Date(0) };

/** The rows of a good table, changed; what is behind moves along. */
function withRows(change: (rows: string[]) => string[]): Uint8Array {
  const text = latin1Text(simplePdf({ more: ['<</Um 1>>', '<</Dois 2>>'] }));
  const table = /(\d{10} \d{5} [nf] \n)+/.exec(text)?.[0] ?? '';
  const rows = table.match(/.{19}\n/g) ?? [];
  return latin1Bytes(text.replace(table, change(rows).join('')));
}

const tables: Readonly<Record<string, Uint8Array>> = {
  'a first row of nineteen bytes': withRows(([first = '', ...rest]) => [first.replace(' \n', '\n'), ...rest]),
  'a first row of nineteen bytes, and one more at the end': withRows(([first = '', ...rest]) => [
    first.replace(' \n', '\n'),
    ...rest.slice(0, -1),
    ` ${rest.at(-1)}`,
  ]),
  'a row that begins late': withRows((rows) =>
    rows.map((row, index) => (index === 2 ? row.replace(' \n', '\n') : index === 3 ? ` ${row}` : row)),
  ),
  'letters in a row': withRows((rows) => rows.map((row, index) => (index === 2 ? row.replace(/^\d{10}/, 'xxxxxxxxxx') : row))),
};

for (const [what, bytes] of Object.entries(tables)) {
  test(`a table with a bad row is read again from the objects, and the file is signed: ${what}`, async (t) => {
    const source = memorySource(bytes);
    assert.equal((await inspectPdf(await openPdf(source))).refusal, null);
    const signed = await readAll(withRevision(source, await signPdf(await openPdf(source), signer, request)));
    const { signatures } = await verifyPdf(await openPdf(memorySource(signed)), {
      trust: { anchors: [], intermediates: [] },
      at: new Date('2026-06-01'),
    });
    assert.deepEqual(
      signatures.map(({ reasons }) => reasons.join()),
      ['CHAIN_UNTRUSTED'],
    );
    if (!(await hasTool('pdfsig')) || !(await hasTool('qpdf'))) return t.diagnostic('no pdfsig or qpdf');
    assert.deepEqual(await pdfsig(signed), { valid: 1, total: 1 });
    const [before, after] = [await qpdf(bytes), await qpdf(signed)];
    assert.ok(after.code === 0 || after.code === before.code, `qpdf: ${before.code} -> ${after.code}`);
  });
}

/** As if so many bytes of nothing stood before the file's last ones: an end that only says where the rest is. */
function reaching(size: number): PdfSource {
  const text = latin1Text(simplePdf());
  const start = text.lastIndexOf('xref\n0');
  const gap = size - text.length;
  // The table stands at the end; the objects, at the beginning.
  const tail = latin1Bytes(text.slice(start).replace(/startxref\n\d+/, `startxref\n${start + gap}`));
  const head = latin1Bytes(text.slice(0, start));
  const end = start + gap + tail.length;
  return {
    size: end,
    read: (offset, length) => {
      const out = new Uint8Array(Math.min(length, end - offset)).fill(0x20);
      for (const [at, part] of [
        [0, head],
        [start + gap, tail],
      ] as const) {
        const from = Math.max(offset, at);
        const to = Math.min(offset + out.length, at + part.length);
        if (to > from) out.set(part.subarray(from - at, to - at), from - offset);
      }
      return Promise.resolve(out);
    },
  };
}

test('a file of ten thousand million bytes is refused: no row of a table says where its end is', async () => {
  assert.equal((await inspectPdf(await openPdf(reaching(5_000_000_000)))).refusal, null);
  const pdf = await openPdf(reaching(10_000_000_000));
  assert.equal((await inspectPdf(pdf)).refusal, 'TOO_COMPLEX');
  await assert.rejects(signPdf(pdf, signer, request), (error) => error instanceof PadesError && error.code === 'TOO_COMPLEX');
});
