import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { joined, pieceOf, piecesOf } from './byte-parts.ts';

const file = Uint8Array.from({ length: 3000 }, (_, index) => (index * 7 + (index >> 8)) % 256);
const head = (begin: number, end: number) =>
  `\r\n--b-1\r\ncontent-type: application/pdf\r\ncontent-range: bytes ${begin}-${end - 1}/3000\r\n\r\n`;
const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

function answered(parts: readonly { begin: number; end: number }[], last = '\r\n--b-1--\r\n'): Uint8Array {
  const pieces = parts.flatMap(({ begin, end }) => [latin1(head(begin, end)), file.subarray(begin, end)]);
  return new Uint8Array(Buffer.concat([...pieces, latin1(last)]));
}

describe('the parts of a file that is read over the network', () => {
  it('are the file’s bytes at their places, whatever they are', () => {
    const part = fc.tuple(fc.nat(2990), fc.integer({ min: 1, max: 900 }));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), (parts) => {
        const asked = joined(parts.map(([begin, length]) => ({ begin, end: Math.min(3000, begin + length) })));
        const pieces = piecesOf('multipart/byteranges; boundary=b-1', answered(asked));
        assert.deepEqual(
          pieces?.map(({ begin, bytes }) => [begin, Buffer.from(bytes)]),
          asked.map(({ begin, end }) => [begin, Buffer.from(file.subarray(begin, end))]),
        );
      }),
    );
  });

  it('are none where the answer is cut off, goes on, or is of another kind', () => {
    const parts = [
      { begin: 0, end: 10 },
      { begin: 100, end: 200 },
    ];
    const whole = answered(parts);
    for (let length = 0; length < whole.length - 2; length += 1)
      assert.equal(piecesOf('multipart/byteranges; boundary=b-1', whole.subarray(0, length)), null, String(length));
    assert.equal(piecesOf('multipart/byteranges; boundary=b-2', whole), null);
    assert.equal(piecesOf('multipart/byteranges; boundary=b-1', answered(parts, '\r\n--b-1\r\n')), null);
    assert.equal(piecesOf('application/pdf', whole), null);
    assert.equal(pieceOf('bytes 0-9/3000', file.subarray(0, 9)), null);
    assert.equal(pieceOf('bytes 0-9/*', file.subarray(0, 10)), null);
    assert.equal(pieceOf('bytes 2995-3004/3000', file.subarray(0, 10)), null);
    assert.equal(pieceOf('bytes 10-19/3000', file.subarray(10, 20))?.begin, 10);
  });

  it('are joined where they touch, and nothing between them is asked for', () => {
    assert.deepEqual(
      joined([
        { begin: 50, end: 60 },
        { begin: 0, end: 10 },
        { begin: 10, end: 20 },
        { begin: 15, end: 18 },
      ]),
      [
        { begin: 0, end: 20 },
        { begin: 50, end: 60 },
      ],
    );
  });
});
