import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOnPage, type PageGeometry } from '@lavra/domain';
import fc from 'fast-check';
import { layOutPages } from '../../../pdf/page-layout.ts';
import { type BoxEvent, boxStep } from './box-steps.ts';
import { boxProgress, signerBoxes } from './draft-boxes.ts';
import type { ProcessDraft } from './process-draft.ts';
import { startPlace } from './start-place.ts';

const place = (page: number) => ({ page, rect: { x: 40, y: 60, width: 150, height: 75 } });

function draftOf(files: number, quantities: readonly number[], multiple: boolean): ProcessDraft {
  return {
    files: Array.from({ length: files }, (_, index) => ({ id: `f${index}` })),
    signers: quantities.map((quantity, index) => ({ id: `s${index}`, quantity })),
    multiple,
    boxes: {},
  } as unknown as ProcessDraft;
}

const drafts = fc.tuple(
  fc.integer({ min: 1, max: 3 }),
  fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
  fc.boolean(),
);
const moves = fc.array(
  fc.record({ what: fc.constantFrom('press', 'move', 'done', 'cancel'), which: fc.nat(100), page: fc.integer({ min: 1, max: 9 }) }),
  {
    maxLength: 80,
    size: 'max',
  },
);
const all = (draft: ProcessDraft) => draft.signers.flatMap((signer) => signerBoxes(draft, signer));
const after = (draft: ProcessDraft, event: BoxEvent): ProcessDraft => ({ ...draft, boxes: { ...draft.boxes, ...boxStep(draft, event) } });

/** What a person can do to these boxes: a button, or one of those that are drawn. */
function eventOf(draft: ProcessDraft, { what, which, page }: { what: string; which: number; page: number }): BoxEvent | null {
  const signer = draft.signers[which % draft.signers.length];
  if (what === 'press') return signer ? { is: 'pressed', signerId: signer.id } : null;
  const drawn = all(draft).filter(({ box }) => box.state !== 'idle' && (what !== 'cancel' || box.state === 'placing'));
  const one = drawn[which % Math.max(1, drawn.length)];
  if (!one) return null;
  if (what === 'cancel') return { is: 'cancelled', key: one.key };
  return { is: what === 'move' ? 'moved' : 'done', key: one.key, place: place(page) };
}

describe('the boxes of a draft', () => {
  it('are placed one at a time, whoever’s they are, and one that is ready stands on a page, whatever is pressed and moved', () => {
    let ready = 0;
    fc.assert(
      fc.property(drafts, moves, ([files, quantities, multiple], history) => {
        let draft = draftOf(files, quantities, multiple);
        for (const one of history) {
          const event = eventOf(draft, one);
          if (event) draft = after(draft, event);
          const boxes = all(draft);
          assert.ok(boxes.filter(({ box }) => box.state === 'placing').length <= 1, 'two boxes are being placed');
          for (const { box } of boxes) {
            if (box.state === 'ready') assert.ok(box.page !== null && box.rect !== null, 'a box is ready and nowhere');
            if (box.state === 'idle') assert.ok(box.page === null && box.rect === null, 'a box that is taken back keeps a place');
          }
          ready = Math.max(ready, boxProgress(draft).ready);
        }
      }),
      { numRuns: 500 },
    );
    assert.ok(ready > 3);
  });

  it('are all ready when each signer’s button was pressed and each box placed, and never before', () => {
    fc.assert(
      fc.property(drafts, ([files, quantities, multiple]) => {
        let draft = draftOf(files, quantities, multiple);
        const { total } = boxProgress(draft);
        let presses = 0;
        for (const { id } of draft.signers) {
          for (;;) {
            const next = after(draft, { is: 'pressed', signerId: id });
            const placing = all(next).find(({ box }) => box.state === 'placing');
            if (
              !placing ||
              signerBoxes(draft, draft.signers.find((one) => one.id === id) as never).every(({ box }) => box.state === 'ready')
            )
              break;
            presses += 1;
            draft = after(next, { is: 'done', key: placing.key, place: place(1) });
          }
        }
        assert.deepEqual([boxProgress(draft).ready, presses], [total, total]);
      }),
    );
  });

  it('that have no place cannot be fixed; those of another signer are fixed where they lie, or taken back', () => {
    const started = after(draftOf(1, [1, 1], false), { is: 'pressed', signerId: 's0' });
    assert.deepEqual(boxStep(started, { is: 'pressed', signerId: 's0' }), {});
    const other = after(started, { is: 'pressed', signerId: 's1' });
    assert.deepEqual(
      all(other).map(({ box }) => box.state),
      ['idle', 'placing'],
    );
    const moved = after(started, { is: 'moved', key: 's0/f0/0', place: place(2) });
    assert.deepEqual(
      all(after(moved, { is: 'pressed', signerId: 's1' })).map(({ box }) => box.state),
      ['ready', 'placing'],
    );
    assert.equal(all(after(moved, { is: 'pressed', signerId: 's0' }))[0]?.box.state, 'ready');
  });
});

it('a new box stands in sight, on its page and, where there is room, on no other box', () => {
  const rotate = fc.constantFrom(0 as const, 90 as const, 180 as const, 270 as const);
  const page: fc.Arbitrary<PageGeometry> = fc
    .record({ width: fc.integer({ min: 120, max: 900 }), height: fc.integer({ min: 60, max: 900 }), rotate })
    .map((one) => ({
      box: [10, 20, 10 + one.width, 20 + one.height] as const,
      rotate: one.rotate,
      userUnit: 1,
    }));
  fc.assert(
    fc.property(
      fc.array(page, { minLength: 1, maxLength: 6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0.3, max: 3, noNaN: true }),
      (pages, part, zoom) => {
        const layout = layOutPages(pages, zoom);
        const found = startPlace({ width: 150, height: 75 }, layout, part * layout.height, []);
        assert.ok(found);
        const geometry = pages[found.page - 1];
        assert.ok(geometry && isOnPage(found.rect, geometry, 1e-6));
        const beside = startPlace({ width: 150, height: 75 }, layout, part * layout.height, [found]);
        const roomy = geometry.box[2] - geometry.box[0] > 330 && geometry.box[3] - geometry.box[1] > 330;
        if (roomy && beside?.page === found.page) assert.notDeepEqual(beside, found);
      },
    ),
  );
});
