import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PdfRef, latin1Bytes } from './objects.ts';
import { Parser } from './parser.ts';

const gap = fc.constantFrom(' ', '\n', '\r\n', '  ', '%x\n', '\t', '\0');
const element = fc.oneof(
  fc.tuple(fc.nat(9_999_999), fc.nat(12), gap, gap).map(([num, gen, one, two]) => `${num}${one}${gen}${two}R`),
  fc.constantFrom('7', '-3', '1.5', '/Name', '(text R)', '[1 0 R]', '<<>>', 'null', 'true'),
);

test('a list of references reads the same however it is spaced and whatever stands between', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(element, gap), { maxLength: 30 }), (elements) => {
      const text = `[${elements.map(([what, after]) => what + after).join('')}]`;
      // One at a time, so that the reader of long lists never sees two.
      const expected = elements.map(([what]) => new Parser(latin1Bytes(`${what} `), 0, true).parse());
      assert.deepEqual(new Parser(latin1Bytes(text), 0, true).parse(), expected);
    }),
  );
});

test('a reference cut by the end of the window is not taken for a number', () => {
  const whole = latin1Bytes('[1 0 R 22 0 R 333 0 R]');
  for (let length = 1; length <= whole.length; length++) {
    const parse = (): unknown => new Parser(whole.subarray(0, length), 0, false).parse();
    if (length < whole.length) assert.throws(parse);
    else assert.deepEqual(parse(), [new PdfRef(1, 0), new PdfRef(22, 0), new PdfRef(333, 0)]);
  }
});
