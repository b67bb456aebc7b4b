import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type BoxState,
  clampToPage,
  displaySize,
  type DisplayRect,
  freePlace,
  isOnPage,
  type PageGeometry,
  positionButton,
  pressPositionButton,
  toDisplay,
  toUserSpace,
} from './placement.ts';

const side = fc.double({ min: 20, max: 5000, noNaN: true });
const origin = fc.double({ min: -2000, max: 2000, noNaN: true });
const rotate = fc.constantFrom(0 as const, 90 as const, 180 as const, 270 as const);
/** Turned in all four ways, cropped anywhere, origins below zero too. */
const geometry: fc.Arbitrary<PageGeometry> = fc
  .record({ x: origin, y: origin, width: side, height: side, rotate, userUnit: fc.constantFrom(1, 0.5, 10) })
  .map(({ x, y, width, height, rotate: turned, userUnit }) => ({ box: [x, y, x + width, y + height] as const, rotate: turned, userUnit }));
const displayRect = fc.record({ u: origin, v: origin, width: side, height: side });
const states = fc
  .array(fc.constantFrom<BoxState>('idle', 'placing', 'ready'), { minLength: 1, maxLength: 6 })
  .filter((all) => all.filter((one) => one === 'placing').length <= 1);

function assertNear(actual: object, expected: object): void {
  for (const [key, value] of Object.entries(expected)) {
    const got = (actual as Record<string, number>)[key] ?? Number.NaN;
    assert.ok(Math.abs(got - value) < 1e-6, `${key}: ${got} is not ${value}`);
  }
}

test('a box drawn on a page comes back from user space as it was, on turned and cropped pages', () => {
  fc.assert(
    fc.property(displayRect, geometry, (rect, page) => {
      assertNear(toDisplay(toUserSpace(rect, page), page), rect);
    }),
  );
});

test('the four corners of the page as displayed are the four corners of its visible box', () => {
  fc.assert(
    fc.property(geometry, (page) => {
      const { width, height } = displaySize(page);
      const [x0, y0, x1, y1] = page.box;
      assertNear(toUserSpace({ u: 0, v: 0, width, height }, page), { x: x0, y: y0, width: x1 - x0, height: y1 - y0 });
    }),
  );
});

test('the upper left of what a reader sees is the corner that the rotation brings there', () => {
  const page = (turned: PageGeometry['rotate']): PageGeometry => ({ box: [40, 60, 555, 800], rotate: turned, userUnit: 1 });
  const corner = { u: 0, v: 0, width: 10, height: 5 };
  // By hand from ISO 32000-2, 7.7.3.3: /Rotate turns clockwise when displayed.
  assert.deepEqual(toUserSpace(corner, page(0)), { x: 40, y: 795, width: 10, height: 5 });
  assert.deepEqual(toUserSpace(corner, page(90)), { x: 40, y: 60, width: 5, height: 10 });
  assert.deepEqual(toUserSpace(corner, page(180)), { x: 545, y: 60, width: 10, height: 5 });
  assert.deepEqual(toUserSpace(corner, page(270)), { x: 550, y: 790, width: 5, height: 10 });
});

test('a box kept inside the page lies on it, and one that is inside already does not move', () => {
  fc.assert(
    fc.property(displayRect, geometry, (rect, page) => {
      const kept = clampToPage(rect, page);
      assert.ok(isOnPage(toUserSpace(kept, page), page, 1e-6));
      assertNear(clampToPage(kept, page), kept);
    }),
  );
});

test('a box that is new stands on the page and on none of those that stand there already, while there is room', () => {
  const page: PageGeometry = { box: [0, 0, 595, 842], rotate: 0, userUnit: 1 };
  fc.assert(
    fc.property(fc.double({ min: 0, max: 842, noNaN: true }), fc.constantFrom(150, 260, 400), (v, width) => {
      const wanted = { u: 40, v, width, height: 75 };
      const placed: DisplayRect[] = [];
      for (let number = 0; number < 8; number += 1) {
        const place = freePlace(wanted, placed, page);
        assert.ok(isOnPage(toUserSpace(place, page), page, 1e-6));
        for (const other of placed) {
          const apart = Math.max(Math.abs(place.u - other.u) / width, Math.abs(place.v - other.v) / 75);
          assert.ok(apart >= 1, `${JSON.stringify(place)} lies on ${JSON.stringify(other)}`);
        }
        placed.push(place);
      }
    }),
  );
  assert.deepEqual(freePlace({ u: 40, v: 60, width: 150, height: 75 }, [], page), { u: 40, v: 60, width: 150, height: 75 });
});

test('on a page that is full a new box stands where it was wanted', () => {
  const page: PageGeometry = { box: [0, 0, 595, 842], rotate: 0, userUnit: 1 };
  const wanted = { u: 40, v: 60, width: 150, height: 75 };
  assert.deepEqual(freePlace(wanted, [{ u: 0, v: 0, width: 595, height: 842 }], page), wanted);
});

test('a box that leaves the visible page by more than rounding is not on it', () => {
  const page: PageGeometry = { box: [0, 0, 595, 842], rotate: 0, userUnit: 1 };
  assert.equal(isOnPage({ x: 445, y: 0, width: 150, height: 75 }, page), true);
  assert.equal(isOnPage({ x: 445.4, y: 0, width: 150, height: 75 }, page), true);
  assert.equal(isOnPage({ x: 446, y: 0, width: 150, height: 75 }, page), false);
  assert.equal(isOnPage({ x: 0, y: -1, width: 150, height: 75 }, page), false);
  assert.equal(isOnPage({ x: 0, y: 0, width: 0, height: 75 }, page), false);
});

test('per box: Iniciar, then Fixar, then Iniciar próxima while more remain, then Pronto; pressing when all are ready resets them', () => {
  const said: string[] = [];
  let boxes: BoxState[] = ['idle', 'idle'];
  for (let press = 0; press < 5; press += 1) {
    said.push(positionButton(boxes));
    boxes = pressPositionButton(boxes);
  }
  assert.deepEqual(said, ['start', 'fix', 'startNext', 'fix', 'ready']);
  assert.deepEqual(boxes, ['idle', 'idle']);
});

test('from any state the button leads to Pronto, with never two boxes under way', () => {
  fc.assert(
    fc.property(states, (begin) => {
      let boxes = [...begin];
      for (let press = 0; press < 2 * begin.length && positionButton(boxes) !== 'ready'; press += 1) {
        boxes = pressPositionButton(boxes);
        assert.ok(boxes.filter((one) => one === 'placing').length <= 1);
      }
      assert.equal(positionButton(boxes), 'ready');
    }),
  );
});
