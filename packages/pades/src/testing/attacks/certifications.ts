import { at, certified, contract, handMade } from './bases.ts';
import { contentsHole, fillSignature, rangeHole, signatureText } from './forge-signature.ts';
import { shownField } from './forgeries.ts';
import { family } from './variant.ts';
import type { Variant } from './variant.ts';
import { edit, objectText, revise, streamText, withEntries } from './write-revision.ts';

const over = streamText(
  '1 1 1 rg 0 0 400 60 re f BT /F1 24 Tf 10 10 Td (Valor: 1,00) Tj ET',
  '/Type/XObject/Subtype/Form/BBox[0 0 400 60]/Resources 7 0 R',
);
const rect = '/Rect[50 690 450 750]';

/** An annotation on the first page. */
function annotated(bytes: Uint8Array, annotation: string): Uint8Array {
  const page = objectText(bytes, at.page).replace('/Annots[', `/Annots[${at.free} 0 R `);
  return revise(bytes, { objects: { [at.page]: page, [at.free]: annotation, [at.free + 1]: over } });
}

const stamp = `<</Type/Annot/Subtype/Stamp${rect}/F 4/AP<</N ${at.free + 1} 0 R>>>>`;

/** Evil annotations: a certification that allows notes, and a note that says something else than the contract. */
export const eaa = family('EAA', {
  'free-text-over-content': [
    'P=3: a text box over the price',
    ({ bases }) =>
      annotated(
        bases.certified3,
        `<</Type/Annot/Subtype/FreeText${rect}/F 4/Contents(Valor: 1,00)/DA(/F1 24 Tf)/IC[1 1 1]/AP<</N ${at.free + 1} 0 R>>>>`,
      ),
  ],
  'stamp-over-content': ['P=3: a stamp over the price', ({ bases }) => annotated(bases.certified3, stamp)],
  'redact-over-content': [
    'P=3: a redaction over the price',
    ({ bases }) => annotated(bases.certified3, `<</Type/Annot/Subtype/Redact${rect}/F 4/OC[1 1 1]/AP<</N ${at.free + 1} 0 R>>>>`),
  ],
  'square-without-look': [
    'P=3: a filled square that readers draw themselves',
    ({ bases }) => annotated(bases.certified3, `<</Type/Annot/Subtype/Square${rect}/F 4/IC[1 1 1]>>`),
  ],
  'link-redirected': [
    'P=3: a signed link leads elsewhere',
    ({ bases }) => edit(bases.certified3, at.link, (text) => text.replace('example.com', 'example.org')),
  ],
  'annotation-on-form-certification': ['P=2: a stamp', ({ bases }) => annotated(bases.certified2, stamp)],
  'annotation-on-closed-certification': ['P=1: a stamp', ({ bases }) => annotated(bases.certified1, stamp)],
  'annotation-on-approval': ['no certification: a stamp', ({ bases }) => annotated(bases.table, stamp)],
  'privileged-script': [
    'P=3: an annotation with a script, which a trusted certificate may set free',
    ({ bases }) => annotated(bases.certified3, `<</Type/Annot/Subtype/Screen${rect}/F 4/AA<</PO<</S/JavaScript/JS(app.alert\\(1\\))>>>>>>`),
  ],
});

function signatureField(value: string, more = ''): string {
  return `<</Type/Annot/Subtype/Widget/FT/Sig/T(nova)/F 4/P 3 0 R${rect}${value}/AP<</N ${at.free + 1} 0 R>>${more}>>`;
}

/** A new visible box, signed for real by somebody nobody knows. */
function signedBox(
  base: 'table' | 'certified1' | 'certified2' | 'certified3',
  change: (field: string) => string = (field) => field,
): Variant['make'] {
  return ({ bases, world }) => {
    const field = change(signatureField(`/V ${at.free} 0 R`));
    const file = shownField(bases[base], field, { [at.free]: signatureText(), [at.free + 1]: over });
    return fillSignature(file, world.mallory);
  };
}

/** Sneaky signatures: a box of a further signature covers what was signed before. */
export const ssa = family('SSA', {
  'box-over-content': ['P=2: a visible signature over the price', signedBox('certified2')],
  'box-over-content-annotations-allowed': ['P=3: the same', signedBox('certified3')],
  'box-on-closed-certification': ['P=1: the same', signedBox('certified1')],
  'box-over-a-filled-field': [
    'a visible signature over the value of a field',
    signedBox('table', (field) => field.replace(rect, '/Rect[50 440 400 500]')),
  ],
  'box-over-a-filled-field-without-page': [
    'the same, and the widget does not say on which page it stands',
    signedBox('table', (field) => field.replace(rect, '/Rect[50 440 400 500]').replace('/P 3 0 R', '')),
  ],
  'box-over-a-filled-field-on-a-false-page': [
    'the same, and the widget names another page',
    signedBox('table', (field) => field.replace(rect, '/Rect[50 440 400 500]').replace('/P 3 0 R', '/P 9 0 R')),
  ],
  'box-over-the-signature': [
    "a visible signature over the attacked signature's box",
    signedBox('table', (field) => field.replace(rect, '/Rect[50 70 400 160]')),
  ],
  'box-with-unreadable-rectangle': [
    'P=2: a rectangle with a null in it, which some readers take for zero',
    signedBox('certified2', (field) => field.replace(rect, '/Rect[450 690 null 842]')),
  ],
  'box-with-a-script': [
    'a further signature brings a script',
    signedBox('table', (field) => withEntries(field, '/AA<</E<</S/JavaScript/JS(1)>>>>').replace(rect, '/Rect[450 690 500 720]')),
  ],
  'box-without-signature': [
    'a visible signature field with an appearance that nobody signed',
    ({ bases }) => shownField(bases.table, signatureField(''), { [at.free + 1]: over }),
  ],
  'box-with-placeholder': [
    'the same with a value whose Contents are zeros',
    ({ bases }) => shownField(bases.table, signatureField(`/V ${at.free} 0 R`), { [at.free]: signatureText(), [at.free + 1]: over }),
  ],
  'box-with-garbage': [
    'the same with a value that is no signature',
    ({ bases }) =>
      shownField(bases.table, signatureField(`/V ${at.free} 0 R`), {
        [at.free]: `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/ByteRange ${rangeHole}/Contents<3000>>>`,
        [at.free + 1]: over,
      }),
  ],
  'box-borrows-the-signature': [
    'a new visible box shows the attacked signature itself',
    ({ bases }) => {
      const value = /\/V \d+ 0 R/.exec(objectText(bases.table, at.ana))?.[0] ?? '';
      return shownField(bases.table, signatureField(value), { [at.free + 1]: over });
    },
  ],
  'box-is-a-square': [
    'a new signature field that is really a filled square, drawn without appearance',
    ({ bases }) =>
      shownField(
        bases.table,
        signatureField('')
          .replace('/Subtype/Widget', '/Subtype/Square/IC[1 1 1]')
          .replace(/\/AP<<.*?>>/, ''),
      ),
  ],
  'box-with-background': [
    'an unsigned signature field with a background that readers draw',
    ({ bases }) => shownField(bases.table, signatureField('', '/MK<</BG[1 1 1]/CA(Valor: 1,00)>>').replace(/\/AP<<.*?>>/, '')),
  ],
  'reserved-box-dressed-by-placeholder': [
    'the empty box of another signer is dressed, with a value whose Contents are zeros',
    ({ bases }) =>
      edit(bases.table, at.rui, (text) => withEntries(text, `/V ${at.free} 0 R/AP<</N ${at.free + 1} 0 R>>`), {
        objects: { [at.free]: signatureText(), [at.free + 1]: over },
      }),
  ],
  'hidden-box-shown-by-signing': [
    'P=2: an empty signature field over the price is hidden when the file is certified, and shown when it is signed',
    async ({ world }) => {
      const hidden = (own[at.rui] ?? '').replace('/F 4', '/F 2').replace(/\/Rect\[[^\]]*\]/, rect);
      const base = await certified(world, 2, { [at.rui]: hidden });
      const text = edit(
        base,
        at.rui,
        (field) => withEntries(field.replace('/F 2', '/F 4'), `/V ${at.free} 0 R/AP<</N ${at.free + 1} 0 R>>`),
        {
          objects: { [at.free]: signatureText(), [at.free + 1]: over },
        },
      );
      return fillSignature(text, world.mallory);
    },
  ],
  'box-brought-to-the-page-by-signing': [
    'P=2: the same with a field that stands on no page',
    async ({ world }) => {
      const page = (own[at.page] ?? '').replace(' 32 0 R]', ']');
      const away = (own[at.rui] ?? '').replace(/\/Rect\[[^\]]*\]/, rect);
      const base = await certified(world, 2, { [at.rui]: away, [at.page]: page });
      const text = edit(base, at.rui, (field) => withEntries(field, `/V ${at.free} 0 R/AP<</N ${at.free + 1} 0 R>>`), {
        objects: { [at.free]: signatureText(), [at.free + 1]: over, [at.page]: own[at.page] ?? '' },
      });
      return fillSignature(text, world.mallory);
    },
  ],
  'timestamp-with-a-box': [
    'P=1: a document timestamp that shows a box',
    ({ bases }) =>
      shownField(bases.certified1, signatureField(`/V ${at.free} 0 R`), {
        [at.free]: `<</Type/DocTimeStamp/Filter/Adobe.PPKLite/SubFilter/ETSI.RFC3161/ByteRange ${rangeHole}/Contents ${contentsHole(64)}>>`,
        [at.free + 1]: over,
      }),
  ],
});

const own = contract();
const twice =
  (entries: string): Variant['make'] =>
  ({ world }) =>
    handMade(world, { signature: { entries } });

/** A key twice: some readers take the first, some the last. */
export const duplicateKeys = family('DUPLICATE_KEYS', {
  'contents-twice': ['a second Contents in the signature dictionary', twice('/Contents <3000>')],
  'byte-range-twice': ['a second ByteRange in the signature dictionary', twice('/ByteRange [0 10 20 30]')],
  'contents-twice-escaped': ['the second one spelled with an escape', twice('/Cont#65nts <3000>')],
  'sub-filter-twice': ['a second SubFilter', twice('/SubFilter/adbe.pkcs7.sha1')],
  'direct-dictionary-with-contents-twice': [
    'the same in a dictionary that stands inside the field',
    ({ world }) => {
      const field = (own[at.ana] ?? '').replace(/>>$/, `/V ${signatureText({ entries: '/Contents <3000>' })}>>`);
      return handMade(world, { objects: { [at.ana]: field, 40: 'null' } });
    },
  ],
  'annots-twice': [
    'an update of the page with two lists of annotations',
    ({ bases }) => edit(bases.table, at.page, (text) => withEntries(text, '/Annots[12 0 R]')),
  ],
  'page-contents-twice': [
    'an update of the page with two contents, the signed one last',
    ({ bases }) => edit(bases.table, at.page, (text) => text.replace('<<', '<</Contents 11 0 R/Tabs/S')),
  ],
  'catalog-pages-twice': [
    'an update of the catalog with two page trees',
    ({ bases }) => edit(bases.table, at.catalog, (text) => text.replace('<<', '<</Pages 9 0 R/Version/1.7')),
  ],
  'field-value-twice': [
    'a filled field with two values',
    ({ bases }) => edit(bases.table, at.open, (text) => withEntries(text, '/V(a)/V(b)')),
  ],
  'trailer-root-twice': [
    'two roots in the trailer of an update, the signed one last',
    ({ bases }) =>
      revise(bases.table, {
        objects: { [at.free]: '<</Type/Catalog/Pages 9 0 R>>' },
        section: (text) => text.replace('<<', `<</Root ${at.free} 0 R `),
      }),
  ],
  'trailer-prev-twice': [
    'two Prev in the trailer of an update',
    ({ bases }) => revise(bases.table, { objects: { [at.free]: '<<>>' }, section: (text) => text.replace('<<', '<</Prev 15 ') }),
  ],
  'xref-stream-root-twice': [
    'two roots in the cross-reference stream of an update',
    ({ bases }) =>
      revise(bases.stream, { objects: { [at.free]: '<</Type/Catalog/Pages 9 0 R>>' }, trailer: `/Root 1 0 R`, root: `${at.free} 0 R` }),
  ],
});
