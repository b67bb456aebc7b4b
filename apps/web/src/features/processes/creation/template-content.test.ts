import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageGeometry } from '@lavra/domain';
import type { DraftFile } from './process-draft.ts';
import { type ProcessTemplate, templateContent } from './template-content.ts';

type TemplateSigner = ProcessTemplate['signers'][number];
type TemplateBox = TemplateSigner['boxes'][number];

const upright: PageGeometry = { box: [0, 0, 600, 800], rotate: 0, userUnit: 1 };
const small: PageGeometry = { box: [10, 10, 210, 210], rotate: 0, userUnit: 1 };
const turned: PageGeometry = { box: [0, 0, 800, 600], rotate: 90, userUnit: 1 };
const files = [{ id: 'f1' }, { id: 'f2' }] as DraftFile[];
const box = (documentId: string, page: number, change: Partial<TemplateBox> = {}): TemplateBox => ({
  documentId,
  page,
  x: 400,
  y: 40,
  width: 150,
  height: 75,
  realSignature: false,
  ...change,
});
const template = (change: Partial<ProcessTemplate>): ProcessTemplate => ({
  title: 'Contrato',
  type: 'ELETRONIC_SIGNATURE',
  reminderIn: null,
  geolocation: 'required',
  langKey: 'es',
  documents: ['d1', 'd2'].map((id) => ({ id, name: `${id}.pdf`, openedFrom: null })),
  signers: [],
  stakeholders: [],
  tellStakeholders: false,
  ...change,
});
const signer = (boxes: TemplateBox[], change: Partial<TemplateSigner> = {}): TemplateSigner => ({
  name: 'Ana Lima',
  email: 'ana@exemplo.com.br',
  phoneNumber: null,
  legalIdentifier: null,
  companyIdentifier: null,
  order: 0,
  quantity: 1,
  visible: true,
  model: null,
  boxes,
  ...change,
});
const pagesOf = (first: readonly PageGeometry[], second: readonly PageGeometry[]) =>
  new Map([
    ['f1', first],
    ['f2', second],
  ]);
const pages = (count: number) => Array<PageGeometry>(count).fill(upright);

/** What of the boxes is seen in a draft, without the ids that are made for it. */
function restored(given: ProcessTemplate, filePages = pagesOf(pages(60), pages(1))) {
  const { signers = [], boxes = {}, everyPage = {}, realSignature = {}, ...rest } = templateContent(given, { files, filePages });
  const plain = <T>(values: Record<string, T>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key.split('/').slice(1).join('/'), value]));
  const quantities = signers.map(({ quantity }) => quantity);
  return { ...rest, quantities, boxes: plain(boxes), everyPage: plain(everyPage), realSignature: plain(realSignature) };
}
const pageOf = ({ boxes }: ReturnType<typeof restored>) => Object.entries(boxes).map(([key, { page }]) => [key, page]);

describe('a process that is corrected and sent again', () => {
  it('keeps the language in which its people are written to, and whether the interested parties hear of the end', () => {
    const { langKey, title, tellStakeholders } = templateContent(template({ documents: [] }), { files: [], filePages: new Map() });
    assert.deepEqual([langKey, title, tellStakeholders], ['es', 'Contrato', false]);
  });

  it('has one box where one was copied to every page of a document, however many pages and whatever came first', () => {
    const copied = Array.from({ length: 60 }, (_, index) => box('d1', index + 1, { realSignature: index === 4 }));
    const again = restored(template({ signers: [signer([...copied, box('d2', 1, { realSignature: true })])] }));
    assert.deepEqual([again.quantities, again.multiple, again.everyPage], [[1], false, { f1: true }]);
    assert.deepEqual(pageOf(again), [
      ['f1/0', 5],
      ['f2/0', 1],
    ]);
    assert.deepEqual(again.realSignature, { f1: 0, f2: 0 });
  });

  it('finds the copies on pages of other sizes, and beside the boxes that were put there besides', () => {
    const there = { realSignature: true, x: 10, y: 700 };
    const copies = [box('d1', 2, { x: 60, y: 10 }), box('d1', 3, { x: 685, y: 400, width: 75, height: 150 })];
    const boxes = [...copies, box('d1', 1), box('d1', 1, there), box('d2', 1, { realSignature: true }), box('d2', 1, { y: 300 })];
    const again = restored(template({ signers: [signer(boxes, { quantity: 2 })] }), pagesOf([upright, small, turned], pages(1)));
    assert.deepEqual([again.quantities, again.multiple, again.everyPage], [[2], true, { f1: true }]);
    assert.deepEqual([again.boxes['f1/0']?.rect?.x, again.boxes['f1/1']?.rect?.x, again.realSignature['f1']], [400, 10, 1]);
  });

  it('keeps boxes that no choice of a draft stands for, as far as a person may have so many', () => {
    const many = Array.from({ length: 55 }, (_, index) => box('d1', index + 1, { y: 10 * (index + 1), realSignature: index === 54 }));
    const again = restored(template({ signers: [signer([...many, box('d2', 1, { realSignature: true })])] }));
    assert.deepEqual([again.quantities, again.everyPage], [[50], {}]);
    assert.deepEqual([again.boxes['f1/0']?.page, again.realSignature['f1']], [55, 0], 'the signature itself among them');
  });

  it('keeps how many boxes a person has where nothing is seen', () => {
    assert.deepEqual(restored(template({ signers: [signer([], { visible: false, quantity: 3 })] })).quantities, [3]);
  });

  it('keeps the signature model; where it is another one now, the boxes have its size, on their pages', () => {
    const wide = { id: 'm1', width: 200, height: 90 };
    const own = [box('d1', 1, { width: 200, height: 90, realSignature: true })];
    const digital = (change: Partial<TemplateSigner>) =>
      restored(template({ type: 'DIGITAL_SIGNATURE', signers: [signer(own, change)] }), pagesOf([upright], []));
    const kept = digital({ model: wide });
    assert.deepEqual([kept.modelId, kept.boxes['f1/0']?.rect], ['m1', { x: 400, y: 40, width: 200, height: 90 }]);
    const gone = digital({ model: null });
    assert.deepEqual([gone.modelId, gone.boxes['f1/0']?.rect], [null, { x: 400, y: 55, width: 150, height: 75 }]);
    assert.deepEqual(digital({ model: { ...wide, width: 300 } }).boxes['f1/0']?.rect, { x: 300, y: 40, width: 300, height: 90 });
  });
});
