import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { displayToUser, displayedSize, intersectBox, normalizedBox, userToDisplay } from './geometry.ts';
import type { Rotation } from './geometry.ts';

const coordinate = fc.integer({ min: -2000, max: 4000 });
const size = fc.integer({ min: 1, max: 2000 });
const rotation = fc.constantFrom<Rotation>(0, 90, 180, 270);
const page = fc
  .record({ x: coordinate, y: coordinate, width: size, height: size, rotate: rotation })
  .map(({ x, y, width, height, rotate }) => ({
    visibleBox: [x, y, x + width, y + height] as const,
    rotate,
  }));

test('a box drawn on the screen comes back from the page exactly, whatever the rotation and CropBox', () => {
  fc.assert(
    fc.property(page, coordinate, coordinate, size, size, (on, u, v, width, height) => {
      const shown = { u, v, width, height };
      assert.deepEqual(userToDisplay(displayToUser(shown, on), on), shown);
    }),
  );
});

test('a box keeps its displayed size on a turned page, and a box on the page stays on the page', () => {
  fc.assert(
    fc.property(page, (on) => {
      const [x0, y0, x1, y1] = on.visibleBox;
      const whole = displayedSize({ width: x1 - x0, height: y1 - y0 }, on.rotate);
      const user = displayToUser({ u: 0, v: 0, ...whole }, on);
      assert.deepEqual(user, { x: x0, y: y0, width: x1 - x0, height: y1 - y0 });
      assert.deepEqual(displayedSize(user, on.rotate), whole);
    }),
  );
});

test('the top left corner of the screen is the corner a reader of a turned page sees there', () => {
  const at = (rotate: Rotation) => displayToUser({ u: 0, v: 0, width: 10, height: 4 }, { visibleBox: [100, 200, 400, 700], rotate });
  assert.deepEqual(at(0), { x: 100, y: 696, width: 10, height: 4 });
  assert.deepEqual(at(90), { x: 100, y: 200, width: 4, height: 10 });
  assert.deepEqual(at(180), { x: 390, y: 200, width: 10, height: 4 });
  assert.deepEqual(at(270), { x: 396, y: 690, width: 4, height: 10 });
});

test('a CropBox that misses the MediaBox is ignored', () => {
  const media = normalizedBox([595, 842, 0, 0]);
  assert.deepEqual(media, [0, 0, 595, 842]);
  assert.deepEqual(intersectBox([-10, 100, 300, 2000], media), [0, 100, 300, 842]);
  assert.deepEqual(intersectBox([900, 900, 950, 950], media), media);
});
