import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displaySize, isOnPage, type PageGeometry, toDisplay } from '@lavra/domain';
import fc from 'fast-check';
import { fromPixels, keepInPlace, layOutPages, pageAt, pagesInView, toPixels } from './page-layout.ts';

const length = fc.double({ min: 200, max: 2000, noNaN: true });
const origin = fc.double({ min: -500, max: 500, noNaN: true });
const geometry: fc.Arbitrary<PageGeometry> = fc
  .record({
    x: origin,
    y: origin,
    width: length,
    height: length,
    rotate: fc.constantFrom(0 as const, 90 as const, 180 as const, 270 as const),
    userUnit: fc.constantFrom(1, 2.5),
  })
  .map(({ x, y, width, height, rotate, userUnit }) => ({ box: [x, y, x + width, y + height] as const, rotate, userUnit }));
const geometries = fc.array(geometry, { minLength: 1, maxLength: 30 });
const zoom = fc.double({ min: 0.25, max: 4, noNaN: true });
const part = fc.double({ min: 0, max: 1, noNaN: true });
const near = (a: number, b: number, tolerance = 1e-6) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

test('a box put at a pixel comes back at that pixel, on every page, turned, cropped and at any zoom', () => {
  fc.assert(
    fc.property(geometries, zoom, part, part, part, (pages, scale, which, across, down) => {
      const layout = layOutPages(pages, scale);
      const page = layout.pages[Math.min(pages.length - 1, Math.floor(which * pages.length))];
      assert.ok(page);
      const corner = { left: page.left + across * (page.width - 150 * scale), top: page.top + down * (page.height - 75 * scale) };
      const rect = fromPixels(corner, { width: 150, height: 75 }, page, scale);
      const shown = toPixels(rect, page, scale);
      near(shown.left, corner.left);
      near(shown.top, corner.top);
      near(shown.width, 150 * scale);
      near(shown.height, 75 * scale);
    }),
  );
});

test('a box dropped anywhere, outside of the page too, ends inside the page and keeps its size', () => {
  const pixel = fc.double({ min: -5000, max: 5000, noNaN: true });
  fc.assert(
    fc.property(geometry, zoom, pixel, pixel, (one, scale, left, top) => {
      const [page] = layOutPages([one], scale).pages;
      assert.ok(page);
      const rect = fromPixels({ left, top }, { width: 150, height: 75 }, page, scale);
      assert.ok(isOnPage(rect, one, 1e-6));
      const display = toDisplay(rect, one);
      near(display.width, 150);
      near(display.height, 75);
    }),
  );
});

test('the same point of the page is stored at every zoom', () => {
  fc.assert(
    fc.property(geometry, zoom, zoom, part, part, (one, first, second, across, down) => {
      const at = (scale: number) => {
        const [page] = layOutPages([one], scale).pages;
        assert.ok(page);
        return fromPixels(
          { left: page.left + across * page.width, top: page.top + down * page.height },
          { width: 150, height: 75 },
          page,
          scale,
        );
      };
      near(at(first).x, at(second).x);
      near(at(first).y, at(second).y);
    }),
  );
});

test('pages never overlap, and each is found at its own height', () => {
  fc.assert(
    fc.property(geometries, zoom, (pages, scale) => {
      const layout = layOutPages(pages, scale);
      for (const [index, page] of layout.pages.entries()) {
        near(page.width, displaySize(pages[index] ?? page.geometry).width * scale);
        assert.ok(page.left >= -1e-6 && page.left + page.width <= layout.width + 1e-6);
        assert.equal(pageAt(layout, page.top + page.height / 2)?.number, page.number);
        const next = layout.pages[index + 1];
        if (next) assert.ok(next.top >= page.top + page.height);
      }
    }),
  );
});

test('every page in view is drawn, and where one fills the view no more than three are', () => {
  fc.assert(
    fc.property(geometries, zoom, part, fc.double({ min: 100, max: 1200, noNaN: true }), (pages, scale, down, height) => {
      const layout = layOutPages(pages, scale);
      const top = down * Math.max(0, layout.height - height);
      const drawn = pagesInView(layout, top, height).map(({ number }) => number);
      const seen = layout.pages.filter((page) => page.top < top + height && page.top + page.height > top).map(({ number }) => number);
      for (const number of seen) assert.ok(drawn.includes(number), `page ${number} stays blank`);
      assert.ok(drawn.length <= Math.max(3, seen.length + 1), `${drawn.length} pages are drawn for ${seen.length} seen`);
    }),
  );
});

test('changing the zoom leaves what is read where it is', () => {
  fc.assert(
    fc.property(geometries, zoom, zoom, part, (pages, first, second, down) => {
      const before = layOutPages(pages, first);
      const after = layOutPages(pages, second);
      const page = before.pages[Math.min(pages.length - 1, Math.floor(down * pages.length))];
      assert.ok(page);
      const view = { left: 0, top: page.top + page.height * 0.4 - 300, width: 800, height: 600 };
      const moved = keepInPlace(before, after, view);
      const there = after.pages[page.number - 1];
      assert.ok(there);
      near((moved.top + 300 - there.top) / there.height, 0.4, 1e-9);
    }),
  );
});
