import type { Story } from '../src/testing/looks/story.ts';

/** A story that `npm run fuzz:looks` told, shortened, and what is expected of the first signature in it. */
export interface LookVector extends Pick<Story, 'document' | 'steps'> {
  readonly expected: 'TOTAL-PASSED' | 'not passed';
}

const plain = { objects: {}, form: 'table', packed: [], certified: 0 } as const;
const copied =
  '<</Type/Page/Parent 2 0 R/Resources 71 0 R/Contents 4 0 R/Annots[12 0 R 21 0 R 24 0 R 26 0 R 27 0 R 31 0 R 32 0 R]/StructParents 0>>';
const update = { objects: {}, hidden: {}, packed: false, split: false, trick: null, root: null } as const;

const letters = '/DA(/F1 12 Tf 0 g)';
const text = (entries: string, rect = '60 500 210 540'): string =>
  `<</Type/Annot/Subtype/Widget/FT/Tx/T(livre)/F 4/P 3 0 R/Rect[${rect}]${entries}>>`;
const formOf = (fields: string, fonts = ''): string =>
  `<</Fields[${fields} 24 0 R 26 0 R 27 0 R 31 0 R 32 0 R]/SigFlags 3/DA(/F1 0 Tf 0 g)/DR<</Font<</F1 5 0 R${fonts}>>>>>>`;
const stream = (entries: string, data: string): string => `<<${entries}/Length ${data.length}>>
stream
${data}
endstream`;
const large = (entries: string): string => stream(`/Type/XObject/Subtype/Form${entries}`, '1 0 0 rg -500 -500 2000 2000 re f');

/** A document with a text field that somebody fills after the signature. */
function filled(signed: Record<number, string>, later: Record<number, string>, expected: LookVector['expected'] = 'not passed'): LookVector {
  return { document: { ...plain, objects: signed }, steps: [{ ...update, form: 'table', objects: later }], expected };
}

/** The field is filled as the uploader has prepared it. */
const prepared = (entries: string, value = '/V(Val 900)', rect?: string): LookVector =>
  filled({ 21: text(entries, rect) }, { 21: text(entries + value, rect) });
const dressed = (look: string): LookVector => filled({ 21: text(letters) }, { 21: text(`${letters}/V(x)/AP<</N 73 0 R>>`), 73: large(look) });
const kid = '/Parent 60 0 R/DA(/F1 40 Tf 1 0 0 rg)';

/** Text that runs out of the box of the field that is named, by the way in which it does. */
const outOfItsBox: Readonly<Record<string, LookVector>> = {
  'letters moved by the default appearance that was signed': prepared('/DA(3 0 0 3 -100 -900 cm /F1 12 Tf 0 g)'),
  'letters stretched by it': prepared('/DA(/F1 12 Tf 900 Tz 0 g)'),
  'letters spaced by it': prepared('/DA(/F1 12 Tf 60 Tc 0 g)'),
  'letters raised by it': prepared('/DA(/F1 12 Tf 100 Ts 0 g)'),
  'letters drawn by it with a broad pen': prepared('/DA(/F1 12 Tf 1 Tr 90 w 0 g)'),
  'a small size in a comment of it': prepared('/DA(/F1 90 Tf 0 g %/F1 5 Tf\n)'),
  'a font whose letters the uploader drew': filled(
    {
      20: formOf('21 0 R', '/T3 70 0 R'),
      21: text('/DA(/T3 12 Tf 0 g)'),
      70: '<</Type/Font/Subtype/Type3/FontBBox[-500 -500 900 900]/FontMatrix[0.01 0 0 0.01 0 0]/CharProcs<</a 71 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[100]/Resources<<>>>>',
      71: stream('', '100 0 d0 1 0 0 rg -2000 -2000 4000 1500 re f'),
    },
    { 21: text('/DA(/T3 12 Tf 0 g)/V(a)') },
  ),
  'a font whose letters are as wide as the uploader says': filled(
    {
      20: formOf('21 0 R', '/W1 70 0 R'),
      21: text('/DA(/W1 12 Tf 0 g)'),
      70: `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 32/LastChar 122/Widths[${'5000 '.repeat(91)}]>>`,
    },
    { 21: text('/DA(/W1 12 Tf 0 g)/V(Val 900)') },
  ),
  'two bytes a letter, of which Ghostscript draws each': prepared(letters, `/V<FEFF${'0057'.repeat(12)}>`),
  'three bytes a letter': prepared(letters, `/V<EFBBBF${'E28AA4'.repeat(12)}>`),
  'halves of letters that pass for the ends of lines': prepared(letters, `/V<FEFF${'0A57'.repeat(14)}>`, '60 200 100 540'),
  'a box without area': prepared('/DA(/F1 40 Tf 1 0 0 rg)', '/V(Valor: 900,00)', '60 500 60 500'),
  'a box without area, whose look has one': filled(
    { 21: text(letters, '60 500 60 500') },
    { 21: text(`${letters}/V(x)/AP<</N 73 0 R>>`, '60 500 60 500'), 73: large('/BBox[0 0 150 40]') },
  ),
  'a look without a box: PDFium cuts nothing off': dressed(''),
  'a look that lies in no way: poppler cuts nothing off in print': dressed('/BBox[0 0 150 40]/Matrix[0 0 0 0 0 0]'),
  'a look that lies flat': dressed('/BBox[0 0 150 40]/Matrix[1 0 0 0 0 0]'),
  'a field of another name that inherits the value': filled(
    { 20: formOf('60 0 R'), 21: text(kid).replace('/FT/Tx', ''), 60: '<</T(pai)/FT/Tx/Kids[21 0 R]>>' },
    { 60: '<</T(pai)/FT/Tx/Kids[21 0 R]/V(Valor: 900,00)>>' },
  ),
  'a field that calls another one its parent, and is none of its kids': filled(
    { 20: formOf('60 0 R 21 0 R'), 21: text(kid), 60: '<</T(pai)/FT/Tx>>' },
    { 60: '<</T(pai)/FT/Tx/V(Valor: 900,00)>>' },
  ),
  'no more than fits, in letters of one byte': filled({}, { 21: text(`${letters}/MaxLen 40/V<C2206DE36F>`) }, 'TOTAL-PASSED'),
  'no more than fits, in letters of two bytes': filled({}, { 21: text(`${letters}/MaxLen 40/V<FEFF0041006E0061>`) }, 'TOTAL-PASSED'),
  'a look that is cut off': filled(
    {},
    { 21: text(`${letters}/MaxLen 40/V(x)/AP<</N 73 0 R>>`), 73: large('/BBox[0 0 150 40]') },
    'TOTAL-PASSED',
  ),
};

/** What was found, by what was wrong. */
export const lookVectors: Readonly<Record<string, LookVector>> = {
  ...outOfItsBox,
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
  'a form whose fields readers were asked to draw, and are asked no more': asked('true', 'false'),
  'a form whose fields readers are asked to draw later': asked('false', 'true'),
};

/** What the form says of who draws its fields, as it was signed and after. */
function asked(signed: string, later: string): LookVector {
  const form = (flag: string) =>
    `<</Fields[21 0 R 24 0 R 26 0 R 27 0 R 31 0 R 32 0 R 69 0 R]/SigFlags 3/DA(/F1 0 Tf 0 g)/DR<</Font<</F1 5 0 R>>>>/NeedAppearances ${flag}>>`;
  return {
    document: { ...plain, objects: { 20: form(signed) } },
    steps: [{ ...update, form: 'table', objects: { 20: form(later) } }],
    expected: 'not passed',
  };
}
