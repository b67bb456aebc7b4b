import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOnPage, type PageGeometry, toDisplay } from '@lavra/domain';
import { boxStep } from './box-steps.ts';
import { boxesOnBoxes, boxesOnWords, standingBoxes, wordRects } from './covered-boxes.ts';
import { standingCount } from './draft-boxes.ts';
import { pageCopies, repeatedBoxes } from './page-copies.ts';
import type { DraftBox, DraftFile, ProcessDraft, SignerDraft } from './process-draft.ts';

const upright: PageGeometry = { box: [0, 0, 600, 800], rotate: 0, userUnit: 1 };
const turned: PageGeometry = { box: [0, 0, 800, 600], rotate: 90, userUnit: 1 };
const small: PageGeometry = { box: [10, 10, 210, 210], rotate: 0, userUnit: 1 };
const rect = { x: 400, y: 40, width: 150, height: 75 };
const files = [{ id: 'f1' }, { id: 'f2' }] as DraftFile[];
const signers = [
  { id: 's1', quantity: 1 },
  { id: 's2', quantity: 1 },
] as SignerDraft[];
const pages = new Map([
  ['f1', [upright, upright, upright]],
  ['f2', [turned, small]],
]);
const draft = (boxes: Record<string, DraftBox>, everyPage: Record<string, boolean> = {}) =>
  ({ files, signers, boxes, everyPage, realSignature: {}, multiple: false }) as unknown as ProcessDraft;
const at = (page: number): DraftBox => ({ state: 'ready', page, rect });
const [first, second] = files;
const [ana] = signers;
assert.ok(first && second && ana);

describe('places that are repeated', () => {
  it('stand in the other documents at the same spot as it is read, on the last page where they stood on the last', () => {
    const { boxes } = repeatedBoxes(draft({ 's1/f1/0': at(1) }), ana, first, pages);
    const there = boxes['s1/f2/0'];
    assert.ok(there?.rect && there.page === 1 && there.state === 'ready');
    const [shown, before] = [toDisplay(there.rect, turned), toDisplay(rect, upright)];
    assert.deepEqual([shown.u, shown.v, shown.width, shown.height], [before.u, before.v, before.width, before.height]);
    const last = repeatedBoxes(draft({ 's1/f1/0': at(3) }), ana, first, pages).boxes['s1/f2/0'];
    assert.equal(last?.page, 2);
    assert.ok(last?.rect && isOnPage(last.rect, small));
    assert.equal(repeatedBoxes(draft({ 's1/f1/0': at(2) }), ana, first, pages).boxes['s2/f2/0'], undefined);
  });

  it('stand on every other page of a document where that was asked for, and go with the first box', () => {
    const copies = (everyPage: Record<string, boolean>) =>
      pageCopies(draft({ 's1/f1/0': at(2) }, everyPage), ana, first, pages.get('f1') ?? []);
    assert.deepEqual(copies({ 's1/f1': true }), [
      { page: 1, rect },
      { page: 3, rect },
    ]);
    assert.deepEqual(copies({}), []);
    assert.deepEqual(pageCopies(draft({}, { 's1/f1': true }), ana, first, [upright]), []);
  });
});

describe('a box', () => {
  it('over another box or over words is told; a line to sign on is no word', () => {
    const boxes = standingBoxes(draft({ 's1/f1/0': at(1), 's2/f1/0': at(1) }), first);
    assert.deepEqual(boxesOnBoxes(boxes), new Set(['s1/f1/0', 's2/f1/0']));
    assert.deepEqual(boxesOnBoxes(standingBoxes(draft({ 's1/f1/0': at(1), 's2/f1/0': at(2) }), first)), new Set());
    const item = (str: string, x: number, y: number) => ({ str, transform: [10, 0, 0, 10, x, y], width: 100, height: 10 });
    const words = (...items: ReturnType<typeof item>[]) => new Map([[1, wordRects(items)]]);
    assert.deepEqual(boxesOnWords(boxes.slice(0, 1), words(item('Cláusula 1', 350, 60))), new Set(['s1/f1/0']));
    assert.deepEqual(boxesOnWords(boxes.slice(0, 1), words(item('______', 350, 60), item('Rodapé', 50, 20))), new Set());
  });

  it('dragged from the list waits to be fixed like any other, and the one under way is fixed where it lies', () => {
    const before = draft({ 's1/f1/0': { state: 'placing', page: 1, rect } });
    const changes = boxStep(before, { is: 'put', key: 's2/f1/0', place: { page: 2, rect } });
    assert.deepEqual([changes['s1/f1/0']?.state, changes['s2/f1/0']?.state], ['ready', 'placing']);
    assert.equal(standingCount({ ...before, boxes: { ...before.boxes, ...changes } }), 2);
  });

  it('is begun in the document that is being looked at', () => {
    const changes = boxStep(draft({}), { is: 'pressed', signerId: 's1', fileId: 'f2' });
    assert.deepEqual([changes['s1/f1/0']?.state, changes['s1/f2/0']?.state], ['idle', 'placing']);
  });
});
