import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clampToPage, displaySize, isOnPage, limits, type PageGeometry, toDisplay, toUserSpace } from '@lavra/domain';
import fc from 'fast-check';
import { layOutPages, type PageLayout } from './page-layout.ts';
import { type Held, type MovableBox, type PlacementAct, type PlacementEvent, placementStep } from './placement.ts';

/** From pages that are smaller than the smallest box to posters, turned and cropped. */
const geometry: fc.Arbitrary<PageGeometry> = fc
  .record({
    x: fc.integer({ min: -300, max: 300 }),
    y: fc.integer({ min: -300, max: 300 }),
    width: fc.integer({ min: 60, max: 1500 }),
    height: fc.integer({ min: 40, max: 1500 }),
    rotate: fc.constantFrom(0 as const, 90 as const, 180 as const, 270 as const),
  })
  .map(({ x, y, width, height, rotate }) => ({ box: [x, y, x + width, y + height] as const, rotate, userUnit: 1 }));
const layouts = fc
  .record({ pages: fc.array(geometry, { minLength: 1, maxLength: 5 }), zoom: fc.double({ min: 0.3, max: 3, noNaN: true }) })
  .map(({ pages, zoom }) => layOutPages(pages, zoom));
const sizes = fc.record({
  width: fc.integer({ min: limits.modelWidthMin, max: 400 }),
  height: fc.integer({ min: limits.modelHeightMin, max: 300 }),
});
const pixel = fc.integer({ min: -2000, max: 9000 });
const point = fc.record({ x: pixel, y: pixel });
const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Enter', 'Escape', 'a'];
const event: fc.Arbitrary<PlacementEvent> = fc.oneof(
  fc.record({ is: fc.constant('taken' as const), key: fc.constantFrom('a', 'b', 'nobody'), point, client: point }),
  fc.record({ is: fc.constant('dragged' as const), point, client: point }),
  fc.constantFrom({ is: 'dropped' as const }, { is: 'lost' as const }),
  fc.record({ is: fc.constant('clicked' as const), point }),
  fc.record({ is: fc.constant('pressed' as const), key: fc.constantFrom('a', 'b'), name: fc.constantFrom(...keys), shift: fc.boolean() }),
);

/** The layer's owner: keeps what it is told. */
class Desk {
  held: Held | null = null;
  boxes: MovableBox[];
  readonly layout: PageLayout;

  constructor(layout: PageLayout, size: MovableBox['size']) {
    this.layout = layout;
    const first = layout.pages[0]?.geometry as PageGeometry;
    const rect = toUserSpace(clampToPage({ u: 10, v: 10, ...size }, first), first);
    this.boxes = [
      { key: 'a', state: 'placing', size, page: 1, rect },
      { key: 'b', state: 'ready', size, page: 1, rect },
    ];
  }

  send(what: PlacementEvent): readonly PlacementAct[] {
    const { held, acts } = placementStep(this.held, what, this.layout, this.boxes);
    this.held = held;
    for (const act of acts) {
      if (act.do === 'cancel') continue;
      const state = act.do === 'finish' ? ('ready' as const) : undefined;
      this.boxes = this.boxes.map((box) => (box.key === act.key ? { ...box, ...act.place, state: state ?? box.state } : box));
    }
    return acts;
  }

  box(key: string): MovableBox {
    return this.boxes.find((box) => box.key === key) as MovableBox;
  }
}

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);
const geometryOf = ({ layout }: Desk, { page }: MovableBox) => layout.pages[page - 1]?.geometry as PageGeometry;

describe('placing a box', () => {
  it('keeps every box on a page that exists, upright and of its model’s size wherever the page has room for it', () => {
    fc.assert(
      fc.property(layouts, sizes, fc.array(event, { maxLength: 40, size: 'max' }), (layout, size, events) => {
        const desk = new Desk(layout, size);
        for (const one of events) {
          desk.send(one);
          for (const box of desk.boxes) {
            const page = geometryOf(desk, box);
            assert.ok(isOnPage(box.rect, page, 1e-6));
            const shown = toDisplay(box.rect, page);
            const room = displaySize(page);
            near(shown.width, Math.min(size.width, room.width));
            near(shown.height, Math.min(size.height, room.height));
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  it('moves by one point with an arrow and by ten with Shift, as the reader sees it, whatever the page is turned by and the zoom is', () => {
    const rotate = fc.constantFrom(0 as const, 90 as const, 180 as const, 270 as const);
    const name = fc.constantFrom(...(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const));
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const;
    fc.assert(
      fc.property(rotate, name, fc.boolean(), fc.double({ min: 0.3, max: 3, noNaN: true }), (turned, arrow, shift, zoom) => {
        const page: PageGeometry = { box: [0, 0, 600, 700], rotate: turned, userUnit: 1 };
        const desk = new Desk(layOutPages([page], zoom), { width: 150, height: 75 });
        desk.boxes = desk.boxes.map((box) => ({ ...box, rect: toUserSpace({ u: 200, v: 200, width: 150, height: 75 }, page) }));
        desk.send({ is: 'pressed', key: 'a', name: arrow, shift });
        const shown = toDisplay(desk.box('a').rect, page);
        near(shown.u, 200 + way[arrow][0] * (shift ? 10 : 1));
        near(shown.v, 200 + way[arrow][1] * (shift ? 10 : 1));
      }),
    );
  });

  it('stops at the edges, and goes to the next page and back with Page Down and Page Up', () => {
    const pages: PageGeometry[] = [
      { box: [0, 0, 600, 800], rotate: 0, userUnit: 1 },
      { box: [0, 0, 120, 60], rotate: 0, userUnit: 1 },
      { box: [0, 0, 600, 800], rotate: 90, userUnit: 1 },
    ];
    const desk = new Desk(layOutPages(pages, 1), { width: 150, height: 75 });
    for (let press = 0; press < 30; press += 1) desk.send({ is: 'pressed', key: 'a', name: 'ArrowLeft', shift: true });
    near(desk.box('a').rect.x, 0);
    assert.deepEqual(desk.send({ is: 'pressed', key: 'a', name: 'PageUp', shift: false }), []);
    desk.send({ is: 'pressed', key: 'a', name: 'PageDown', shift: false });
    assert.deepEqual(desk.box('a').rect, { x: 0, y: 0, width: 120, height: 60 });
    // What a small page took from it comes back on the next one.
    desk.send({ is: 'pressed', key: 'a', name: 'PageDown', shift: false });
    assert.deepEqual([desk.box('a').page, desk.box('a').rect.width, desk.box('a').rect.height], [3, 75, 150]);
    assert.deepEqual(desk.send({ is: 'pressed', key: 'a', name: 'PageDown', shift: false }), []);
  });

  it('follows the pointer at the point where it was taken, also when the pages scroll under it', () => {
    const desk = new Desk(layOutPages([{ box: [0, 0, 600, 800], rotate: 0, userUnit: 1 }], 2), { width: 150, height: 75 });
    desk.send({ is: 'taken', key: 'a', point: { x: 30, y: 30 }, client: { x: 30, y: 30 } });
    // A hand that trembles moves nothing.
    assert.deepEqual(desk.send({ is: 'dragged', point: { x: 31, y: 31 }, client: { x: 31, y: 31 } }), []);
    desk.send({ is: 'dragged', point: { x: 130, y: 230 }, client: { x: 130, y: 230 } });
    let shown = toDisplay(desk.box('a').rect, geometryOf(desk, desk.box('a')));
    near(shown.u, 60);
    near(shown.v, 110);
    desk.send({ is: 'dragged', point: { x: 130, y: 330 }, client: { x: 130, y: 230 } });
    shown = toDisplay(desk.box('a').rect, geometryOf(desk, desk.box('a')));
    near(shown.v, 160);
    // A drop leaves the box to be fixed, as a click and the keys do.
    const [done] = desk.send({ is: 'dropped' });
    assert.ok(done?.do === 'move' && done.settled);
    assert.equal(desk.box('a').state, 'placing');
  });

  it('ends a drag that is lost or taken back where it began, and a press without a move does nothing', () => {
    fc.assert(
      fc.property(layouts, sizes, point, point, fc.boolean(), (layout, size, from, to, isLost) => {
        const desk = new Desk(layout, size);
        const before = desk.box('a').rect;
        desk.send({ is: 'taken', key: 'a', point: from, client: from });
        assert.deepEqual(new Desk(layout, size).send({ is: 'dropped' }), []);
        desk.send({ is: 'dragged', point: to, client: to });
        desk.send(isLost ? { is: 'lost' } : { is: 'pressed', key: 'a', name: 'Escape', shift: false });
        assert.deepEqual(desk.box('a').rect, before);
        assert.equal(desk.held, null);
        assert.deepEqual(desk.send({ is: 'dragged', point: from, client: from }), []);
      }),
    );
  });

  it('by a click puts the box that is being placed with its middle there; Enter ends it, Escape takes back one that is not done', () => {
    const desk = new Desk(layOutPages([{ box: [0, 0, 600, 800], rotate: 0, userUnit: 1 }], 1), { width: 150, height: 75 });
    desk.send({ is: 'clicked', point: { x: 300, y: 400 } });
    const shown = toDisplay(desk.box('a').rect, geometryOf(desk, desk.box('a')));
    assert.deepEqual([shown.u, shown.v], [225, 362.5]);
    assert.deepEqual(desk.send({ is: 'pressed', key: 'a', name: 'Escape', shift: false }), [{ do: 'cancel', key: 'a' }]);
    desk.send({ is: 'pressed', key: 'a', name: 'Enter', shift: false });
    assert.equal(desk.box('a').state, 'ready');
    assert.deepEqual(desk.send({ is: 'pressed', key: 'a', name: 'Escape', shift: false }), []);
    assert.deepEqual(desk.send({ is: 'clicked', point: { x: 10, y: 10 } }), []);
  });
});
