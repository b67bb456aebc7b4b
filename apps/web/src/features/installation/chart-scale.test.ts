import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hourOf, scaleOf } from './chart-scale.ts';

const megabyte = 1024 * 1024;

describe('the scale of a chart', () => {
  it('begins at nothing, ends at or above the highest value, and has at most five equal steps of whole units', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), fc.constantFrom(1, megabyte, 0.01), (most, unit) => {
        const marks = scaleOf(most, unit);
        assert.equal(marks[0], 0);
        assert.ok((marks.at(-1) ?? 0) >= most * (1 - 1e-6));
        assert.ok(marks.length >= 2 && marks.length <= 6, String(marks));
        const step = (marks[1] ?? 0) / unit;
        assert.ok(Math.abs(step - Math.round(step)) < 1e-6 && step >= 1 - 1e-9);
        for (const [index, mark] of marks.entries()) assert.ok(Math.abs(mark / unit - index * step) < 1e-6 * Math.max(1, mark / unit));
      }),
    );
  });

  it('says round numbers of what is read: 0 to 300 MB by hundreds, and no third of a call', () => {
    assert.deepEqual(
      scaleOf(292 * megabyte, megabyte).map((mark) => mark / megabyte),
      [0, 100, 200, 300],
    );
    assert.deepEqual(scaleOf(0, 1), [0, 1]);
    assert.deepEqual(scaleOf(7, 1), [0, 2, 4, 6, 8]);
  });

  it('is an hour wide from the first sample on', () => {
    assert.deepEqual(hourOf(10_000, 12_345), [6430, 10_030]);
    assert.deepEqual(hourOf(undefined, 12_345), [8775, 12_375]);
  });
});
