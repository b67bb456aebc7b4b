import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { PadesError } from '../errors.ts';
import { openPdf } from '../open-pdf.ts';
import { memorySource } from '../source.ts';
import { makePdf, simplePdf } from '../testing/make-pdf.ts';
import type { XrefForm } from '../testing/make-pdf.ts';
import { workOf } from '../testing/work.ts';
import { inflate } from './deflate.ts';
import { inflateTolerant } from './inflate.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import { PdfName, latin1Bytes, latin1Text } from './objects.ts';
import { Parser } from './parser.ts';
import { formatNumber } from './serialize.ts';

const forms: XrefForm[] = ['table', 'stream', 'hybrid'];

async function refusalOf(bytes: Uint8Array): Promise<string | null> {
  try {
    return (await inspectPdf(await openPdf(memorySource(bytes)))).refusal;
  } catch (error) {
    assert.ok(error instanceof PadesError, String(error));
    return error.code;
  }
}

for (const form of forms) {
  test(`opens a file with a cross-reference of the form ${form}`, async () => {
    const pdf = await openPdf(memorySource(simplePdf({ form, more: ['/Marked'] })));
    assert.equal(pdf.recovered, false);
    const object = await pdf.object(4);
    assert.ok(object instanceof PdfName && object.value === 'Marked');
    assert.equal((await inspectPdf(pdf)).pageCount, 1);
  });

  test(`whatever is done to a file of the form ${form}, it opens, is refused with a cause, and never hangs`, async () => {
    const good = simplePdf({
      form,
      catalog: '/AcroForm<</Fields[4 0 R]>>',
      more: ['<</FT/Sig/T(a)/Kids[4 0 R 5 0 R]>>', '<</FT/Tx/T(b)/Parent 4 0 R>>'],
    });
    const edits = fc.array(fc.tuple(fc.nat(good.length - 1), fc.oneof(fc.nat(255), fc.constantFrom(0x30, 0x39, 0x3c, 0x3e, 0x28, 0x5b))), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(edits, fc.option(fc.nat(good.length)), async (changes, cut) => {
        const bytes = good.slice(0, cut ?? good.length);
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        assert.ok((await workOf(() => refusalOf(bytes))) < 2000);
      }),
      { numRuns: 400 },
    );
  });
}

test('names the cause of what cannot be signed', async () => {
  assert.equal(await refusalOf(latin1Bytes('hello, this is a text')), 'NOT_A_PDF');
  assert.equal(await refusalOf(latin1Bytes('%PDF-1.4\nnothing more')), 'DAMAGED');
  assert.equal(await refusalOf(new Uint8Array(0)), 'NOT_A_PDF');
  const encrypted = makePdf(['<</Pages 2 0 R>>', '<</Kids[]>>', '<</Filter/Standard>>'], {
    trailer: '/Encrypt 3 0 R',
  });
  assert.equal(await refusalOf(encrypted), 'ENCRYPTED');
  assert.equal(await refusalOf(makePdf(['<</Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>'])), 'NO_PAGES');
  const xfa = simplePdf({ catalog: '/AcroForm<</Fields[]/XFA(x)>>' });
  assert.equal(await refusalOf(xfa), 'XFA_ONLY');
  const certified = simplePdf({
    catalog: '/Perms<</DocMDP 4 0 R>>',
    more: ['<</Type/Sig/Reference[<</TransformMethod/DocMDP/TransformParams<</P 1>>>>]>>'],
  });
  assert.equal(await refusalOf(certified), 'CERTIFIED_NO_CHANGES');
});

test('a loop in the page tree, in Prev or among references ends', async () => {
  assert.equal(await refusalOf(makePdf(['<</Pages 2 0 R>>', '<</Kids[2 0 R 2 0 R]/Count 2>>'])), 'NO_PAGES');
  assert.equal(await refusalOf(makePdf(['2 0 R', '1 0 R'])), 'TOO_COMPLEX');
  const looped = latin1Text(simplePdf());
  const start = /startxref\n(\d+)/.exec(looped)?.[1] ?? '';
  const prev = latin1Bytes(looped.replace('/Root', `/Prev ${start} /Root`));
  assert.equal(await refusalOf(prev), null);
});

test('rebuilds the objects of a file whose cross-reference is wrong, and says so', async () => {
  const broken = latin1Text(simplePdf()).replace(/startxref\n\d+/, 'startxref\n7');
  const inspection = await inspectPdf(await openPdf(memorySource(latin1Bytes(broken))));
  assert.equal(inspection.recovered, true);
  assert.equal(inspection.pageCount, 1);
});

test('bytes before the header are counted, or not, as the file itself does', async () => {
  const bytes = latin1Bytes(`junk junk\n${latin1Text(simplePdf())}`);
  const pdf = await openPdf(memorySource(bytes));
  assert.equal(pdf.bias, 10);
  assert.equal(pdf.recovered, false);
});

test('where offsets count from is told by a section, not by whatever object stands there', async () => {
  const plain = latin1Text(simplePdf());
  const start = Number(/startxref\n(\d+)/.exec(plain)?.[1]);
  // Counted from the first byte, startxref leads to the page.
  const junk = '#'.repeat(start - plain.indexOf('3 0 obj'));
  const pdf = await openPdf(memorySource(latin1Bytes(`${junk}${plain}`)));
  assert.equal(pdf.bias, junk.length);
  assert.equal(pdf.recovered, false);
});

test('of a state whose offsets lead somewhere from the header and elsewhere from the first byte, nothing is believed', async () => {
  const plain = latin1Text(simplePdf());
  const start = Number(/startxref\n(\d+)/.exec(plain)?.[1]);
  const table = plain.slice(start);
  // The same table twice: readers that count from the header meet the second, others the first.
  const second = table.replace(`startxref\n${start}`, `startxref\n${start + table.length}`);
  const twofold = latin1Bytes(`${'#'.repeat(table.length)}${plain.slice(0, start)}${table}${second}`);
  const pdf = await openPdf(memorySource(twofold));
  await assert.rejects(pdf.asOf(twofold.length), { code: 'DAMAGED' });
  const blank = latin1Bytes(`\n${plain}`);
  assert.equal((await (await openPdf(memorySource(blank))).asOf(blank.length)).bias, 1);
});

test('geometry is inherited through the page tree, and turned by any multiple of 90', async () => {
  const bytes = simplePdf({ pages: '/Rotate -90/CropBox[10 20 300 9999]', page: '/UserUnit 2' });
  const inspection = await inspectPdf(await openPdf(memorySource(bytes)));
  assert.deepEqual(inspection.pages, [
    {
      mediaBox: [0, 0, 595, 842],
      cropBox: [10, 20, 300, 9999],
      visibleBox: [10, 20, 300, 842],
      rotate: 270,
      userUnit: 2,
    },
  ]);
});

test('the portable inflater agrees with zlib, stops at its limit and keeps what it read before damage', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 4000 }), fc.nat(9), (data, level) => {
      const repeated = Uint8Array.from([...data, ...data, ...data]);
      const packed = new Uint8Array(deflateSync(repeated, { level }));
      assert.deepEqual(inflateTolerant(packed, 1 << 20), repeated);
      if (repeated.length > 0) {
        assert.equal(inflateTolerant(packed, repeated.length - 1), null);
        assert.equal(inflate(packed, repeated.length - 1), null);
      }
      const cut = inflateTolerant(packed.subarray(0, packed.length >> 1), 1 << 20);
      assert.deepEqual(cut, repeated.subarray(0, cut?.length));
    }),
  );
});

test('a stream that inflates beyond bounds is refused, not inflated', async () => {
  const bomb = deflateSync(new Uint8Array(200 << 20));
  const head = `<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length ${bomb.length}>>\nstream\n`;
  const bytes = makePdf(['<</Pages 2 0 R>>', '<</Kids[]>>', `${head}${latin1Text(bomb)}\nendstream`]);
  const pdf = await openPdf(memorySource(bytes));
  await assert.rejects(
    async () => pdf.objectStreamAt(latin1Text(bytes).indexOf('3 0 obj')),
    (error: PadesError) => error.code === 'TOO_COMPLEX',
  );
});

test('a number read and written again is the same number, however many digits it has', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
      const text = formatNumber(value);
      const read = new Parser(new TextEncoder().encode(`${text} `), 0, true).parse();
      assert.equal(formatNumber(read as number), text);
    }),
  );
});
