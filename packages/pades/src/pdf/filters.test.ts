import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { PadesError } from '../errors.ts';
import { decodeStream, decodingBudget } from './filters.ts';
import { rangeFinder } from './number-ranges.ts';
import { PdfName, dict, latin1Bytes, latin1Text } from './objects.ts';

const decoded = (data: Uint8Array, ...filters: string[]): Uint8Array | null =>
  decodeStream(data, dict({ Filter: filters.map((name) => new PdfName(name)) }), decodingBudget(data.length));

test('hexadecimal, base 85 and LZW give what they stand for, whole or cut', () => {
  assert.equal(latin1Text(decoded(latin1Bytes('4c 61 76 72 61 >'), 'ASCIIHexDecode') ?? new Uint8Array()), 'Lavra');
  assert.deepEqual(decoded(latin1Bytes('4c6'), 'AHx'), Uint8Array.of(0x4c, 0x60));
  assert.equal(
    latin1Text(decoded(latin1Bytes('9jqo^BlbD-BleB1DJ+*+F(f,q~>'), 'ASCII85Decode') ?? new Uint8Array()),
    'Man is distinguished',
  );
  assert.deepEqual(decoded(latin1Bytes('z~>'), 'A85'), new Uint8Array(4));
  // ISO 32000-2 §7.4.4.2, example 1.
  const example = Uint8Array.of(0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01);
  assert.deepEqual(decoded(example, 'LZWDecode'), Uint8Array.of(45, 45, 45, 45, 45, 65, 45, 45, 45, 66));
});

test('what decoding gives is bounded for one stream and for a file', () => {
  const tooMuch = (error: PadesError) => error.code === 'TOO_COMPLEX';
  assert.throws(() => decoded(deflateSync(Buffer.alloc(40 << 20, 'z')), 'FlateDecode', 'ASCII85Decode'), tooMuch);
  const small = deflateSync(Buffer.alloc(1 << 20));
  const budget = { work: 3 << 20, rows: 0 };
  const again = () => decodeStream(small, dict({ Filter: new PdfName('FlateDecode') }), budget);
  for (let turn = 0; turn < 3; turn++) assert.equal(again()?.length, 1 << 20);
  assert.throws(again, tooMuch);
});

test('the range of a number is the same by bisection as one by one', () => {
  const apart = Array.from({ length: 200 }, (_, index) => ({ first: index * 5, count: index % 4 })).toReversed();
  const find = rangeFinder(apart, 'last');
  for (let num = 0; num < 1100; num++)
    assert.equal(
      find(num),
      apart.findLast(({ first, count }) => num >= first && num < first + count),
    );
  const same = Array.from({ length: 100 }, () => ({ first: 1, count: 3 }));
  assert.equal(rangeFinder(same, 'first')(2), same[0]);
  assert.equal(rangeFinder(same, 'last')(2), same.at(-1));
  assert.throws(
    () =>
      rangeFinder(
        Array.from({ length: 5000 }, () => ({ first: 1, count: 3 })),
        'last',
      ),
    PadesError,
  );
});
