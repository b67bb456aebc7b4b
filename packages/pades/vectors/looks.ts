import type { Story } from '../src/testing/looks/story.ts';

/** A story that `npm run fuzz:looks` told, shortened, and what is expected of the first signature in it. */
export interface LookVector extends Pick<Story, 'document' | 'steps'> {
  readonly expected: 'TOTAL-PASSED' | 'not passed';
}

const plain = { objects: {}, form: 'table', packed: [], certified: 0 } as const;
const copied =
  '<</Type/Page/Parent 2 0 R/Resources 71 0 R/Contents 4 0 R/Annots[12 0 R 21 0 R 24 0 R 26 0 R 27 0 R 31 0 R 32 0 R]/StructParents 0>>';
const update = { objects: {}, hidden: {}, packed: false, split: false, trick: null, root: null } as const;

/** What was found, by what was wrong. */
export const lookVectors: Readonly<Record<string, LookVector>> = {
  'a stream beside the table whose Index is a reference, and the catalog anew: the verifier broke': {
    document: plain,
    steps: [
      {
        ...update,
        form: 'table',
        objects: { 1: '<</Type/Catalog/Pages 2 0 R/Metadata 8 0 R/AcroForm 20 0 R/StructTreeRoot 13 0 R/MarkInfo<</Marked true>>/Dests<<>>>>' },
        hidden: { 24: '<</Type/Annot>>' },
        trick: 'beside, Index elsewhere',
      },
    ],
    expected: 'not passed',
  },
  'a catalog under a new number, then a further signature: called forged': {
    document: plain,
    steps: [
      {
        ...update,
        form: 'table',
        objects: { 63: '<</Type/Catalog/Pages 2 0 R/Metadata 8 0 R/AcroForm 20 0 R/StructTreeRoot 13 0 R/MarkInfo<</Marked true>>>>' },
        root: 63,
      },
      'somebody signs unseen',
      'rui signs',
    ],
    expected: 'TOTAL-PASSED',
  },
  "a page's resources through an object that is nothing but a reference: poppler and pdf.js show no letter": {
    document: plain,
    steps: [{ ...update, form: 'table', objects: { 3: copied, 71: '7 0 R' } }],
    expected: 'not passed',
  },
  'the same in an object stream': {
    document: { ...plain, form: 'stream', packed: [3] },
    steps: [{ ...update, form: 'stream', packed: true, objects: { 3: copied, 71: '7 0 R' } }],
    expected: 'not passed',
  },
  'a field with a value that becomes locked: Ghostscript shows it no more': {
    document: plain,
    steps: [
      {
        ...update,
        form: 'table',
        objects: {
          24: '<</Type/Annot/Subtype/Widget/FT/Tx/T(fixo)/F 132/P 3 0 R/Rect[60 450 210 490]/Ff 1/V(Prazo: 30 dias)/DA(/F1 12 Tf 0 g)/AP<</N 25 0 R>>>>',
        },
      },
    ],
    expected: 'not passed',
  },
  'a table behind a file whose objects stand in streams: Ghostscript and qpdf find them no more': {
    document: { ...plain, form: 'stream', packed: [6, 7, 9, 12, 24, 26, 32] },
    steps: ['rui signs', { ...update, form: 'table', objects: {} }],
    expected: 'not passed',
  },
  'a filter that is null: one reader takes it for none, the next for one that it does not know': {
    document: plain,
    steps: [
      {
        ...update,
        form: 'table',
        objects: { 11: '<</Length 45/Filter null>>\nstream\nBT /F1 12 Tf 60 700 Td (Segunda pagina) Tj ET\nendstream' },
      },
    ],
    expected: 'not passed',
  },
  'a text without a look of its own, in larger letters than were signed: Ghostscript lets it run over the page': {
    document: plain,
    steps: [{ ...update, form: 'table', objects: { 21: '<</Type/Annot/Subtype/Widget/FT/Tx/T(livre)/F 4/P 3 0 R/Rect[60 500 210 540]/DA(/F1 40 Tf 1 0 0 rg)/MaxLen 40/V(Valor: 900,00)>>' } }],
    expected: 'not passed',
  },
  'the same in the letters that were signed, too long for its box': {
    document: plain,
    steps: [{ ...update, form: 'table', objects: { 21: '<</Type/Annot/Subtype/Widget/FT/Tx/T(livre)/F 4/P 3 0 R/Rect[60 500 210 540]/DA(/F1 12 Tf 0 g)/MaxLen 40/V(Valor: 900,00, com juros de 5 % ao dia)>>' } }],
    expected: 'not passed',
  },
  'the same of more lines than fit': {
    document: plain,
    steps: [{ ...update, form: 'table', objects: { 21: '<</Type/Annot/Subtype/Widget/FT/Tx/T(livre)/F 4/P 3 0 R/Rect[60 500 210 540]/DA(/F1 12 Tf 0 g)/MaxLen 40/V(a\\nb\\nc\\nd)>>' } }],
    expected: 'not passed',
  },
  'the same in letters of a size that readers choose': {
    document: plain,
    steps: [{ ...update, form: 'table', objects: { 21: '<</Type/Annot/Subtype/Widget/FT/Tx/T(livre)/F 4/P 3 0 R/Rect[60 500 210 540]/DA(/F1 0 Tf 0 g)/MaxLen 40/V(900)>>' } }],
    expected: 'not passed',
  },
  'rich text without a look of its own': {
    document: plain,
    steps: [{ ...update, form: 'table', objects: { 21: '<</Type/Annot/Subtype/Widget/FT/Tx/T(livre)/F 4/P 3 0 R/Rect[60 500 210 540]/DA(/F1 12 Tf 0 g)/MaxLen 40/V(900)/RV(<body xmlns="http://www.w3.org/1999/xhtml"><p style="font-size:40pt">900</p></body>)>>' } }],
    expected: 'not passed',
  },
  'a text without a look of its own that stays in its box, in the letters that were signed': {
    document: plain,
    steps: [{ ...update, form: 'table', objects: { 21: '<</Type/Annot/Subtype/Widget/FT/Tx/T(livre)/F 4/P 3 0 R/Rect[60 500 210 540]/DA(/F1 12 Tf 0 g)/MaxLen 40/V(Brasil 57)>>' } }],
    expected: 'TOTAL-PASSED',
  },
};
