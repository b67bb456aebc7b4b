import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COLOURS, colourProfile } from './colour-profile.ts';

type Matrix = readonly (readonly number[])[];

const times = (a: Matrix, b: Matrix): number[][] =>
  a.map((row) => (b[0] ?? []).map((_, column) => row.reduce((sum, value, index) => sum + value * (b[index]?.[column] ?? 0), 0)));

function inverse(m: Matrix): number[][] {
  const [[a = 0, b = 0, c = 0] = [], [d = 0, e = 0, f = 0] = [], [g = 0, h = 0, i = 0] = []] = m;
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  return [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ].map((row) => row.map((value) => value / determinant));
}

const fromXy = (x: number, y: number) => [x / y, 1, (1 - x - y) / y];
const column = (values: readonly number[]) => values.map((value) => [value]);
const diagonal = (values: readonly number[]) => values.map((value, row) => values.map((_, at) => (at === row ? value : 0)));
const turned = (m: Matrix) => (m[0] ?? []).map((_, at) => m.map((row) => row[at] ?? 0));

/** The elements of a profile, by their names. */
function elementsOf(file: Uint8Array): Map<string, Buffer> {
  const bytes = Buffer.from(file);
  return new Map(
    Array.from({ length: bytes.readUInt32BE(128) }, (_, index) => {
      const at = 132 + 12 * index;
      const start = bytes.readUInt32BE(at + 4);
      return [bytes.toString('latin1', at, at + 4), bytes.subarray(start, start + bytes.readUInt32BE(at + 8))];
    }),
  );
}

const numbersOf = (element: Buffer | undefined, from = 8) =>
  Array.from({ length: ((element?.length ?? 0) - from) / 4 }, (_, index) => (element?.readInt32BE(from + 4 * index) ?? 0) / 65_536);

describe('the colours of a paper that is kept', () => {
  const file = colourProfile();
  const elements = elementsOf(file);

  it('are those of IEC 61966-2-1: its primaries under its white, adapted to D50 as ICC.1 says', () => {
    const d65 = fromXy(0.3127, 0.329);
    const d50 = [0.9642, 1, 0.8249];
    const primaries = turned([fromXy(0.64, 0.33), fromXy(0.3, 0.6), fromXy(0.15, 0.06)]);
    const scale = times(inverse(primaries), column(d65)).flat();
    const bradford = [
      [0.8951, 0.2664, -0.1614],
      [-0.7502, 1.7135, 0.0367],
      [0.0389, -0.0685, 1.0296],
    ];
    const [from, to] = [times(bradford, column(d65)).flat(), times(bradford, column(d50)).flat()];
    const adaptation = times(inverse(bradford), times(diagonal(to.map((value, index) => value / (from[index] ?? 1))), bradford));
    const expected = turned(times(adaptation, times(primaries, diagonal(scale))));
    for (const [index, name] of ['rXYZ', 'gXYZ', 'bXYZ'].entries())
      for (const [at, value] of numbersOf(elements.get(name)).entries())
        assert.ok(Math.abs(value - (expected[index]?.[at] ?? 0)) < 0.0003, `${name} ${at}: ${value}, ${expected[index]?.[at]}`);
    for (const [at, value] of numbersOf(elements.get('chad')).entries())
      assert.ok(Math.abs(value - (adaptation.flat()[at] ?? 0)) < 0.0005, `chad ${at}: ${value}, ${adaptation.flat()[at]}`);
  });

  it('have its curve, each the same', () => {
    const [g = 0, a = 0, b = 0, c = 0, d = 0] = numbersOf(elements.get('rTRC'), 12);
    for (let value = 0; value <= 255; value += 1) {
      const x = value / 255;
      const expected = x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
      assert.ok(Math.abs((x >= d ? (a * x + b) ** g : c * x) - expected) < 0.0001, `${value}`);
    }
    assert.deepEqual(elements.get('gTRC'), elements.get('rTRC'));
    assert.deepEqual(elements.get('bTRC'), elements.get('rTRC'));
  });

  it('stand in a file that is whole: its length, its mark, its elements on whole words', () => {
    const bytes = Buffer.from(file);
    assert.equal(bytes.readUInt32BE(0), file.length);
    assert.equal(bytes.toString('latin1', 36, 40), 'acsp');
    assert.ok([...elements.values()].every((element) => element.byteOffset % 4 === bytes.byteOffset % 4));
    assert.ok(elements.get('desc')?.subarray(28).swap16().toString('utf16le') === COLOURS);
  });
});
