import { at, contract, handMade, sign } from './bases.ts';
import type { HandMade } from './bases.ts';
import { fillSignature, signatureText } from './forge-signature.ts';
import { shownField } from './forgeries.ts';
import { family } from './variant.ts';
import type { AttackContext, Tricks, Variant } from './variant.ts';
import { edit, objectText, revise, streamText, withEntries } from './write-revision.ts';

const own = contract();
const page = own[at.page] ?? '';
const over = streamText(
  '1 1 1 rg 0 0 400 60 re f 0 g BT /F1 24 Tf 10 10 Td (Valor: 1,00) Tj ET',
  '/Type/XObject/Subtype/Form/BBox[0 0 400 60]/Resources 7 0 R',
);
const rect = '/Rect[50 690 450 750]';

/** A contract with more fields on its page, signed: `fields` by number, from 50 on. */
function prepared(
  world: AttackContext['world'],
  fields: Readonly<Record<number, string>>,
  more: HandMade['objects'] = {},
  order = '',
): Promise<Uint8Array> {
  const refs = Object.keys(fields)
    .map((num) => `${num} 0 R`)
    .join(' ');
  const form = (own[at.form] ?? '').replace('/Fields[', `/Fields[${refs} `);
  const listed = page.replace('/Annots[', `/Annots[${order === '' ? refs : order} `);
  return handMade(world, { objects: { [at.form]: form, [at.page]: listed, ...fields, ...more } });
}

const signatureBox = (entries: string): string =>
  `<</Type/Annot/Subtype/Widget/FT/Sig/T(escondida)/P 3 0 R${rect}/AP<</N 58 0 R>>${entries}>>`;

/** A field with a look, prepared by whoever uploaded the file, and what is made of its flags. */
function flags(from: number, to: number, make = signatureBox): Variant['make'] {
  return async ({ world }) => {
    const base = await prepared(world, { 50: make(`/F ${from}`) }, { 58: over });
    return edit(base, 50, (text) => text.replace(`/F ${from}`, `/F ${to}`));
  };
}

const textBox = (entries: string): string =>
  `<</Type/Annot/Subtype/Widget/FT/Tx/T(escondida)/Ff 1/V(Valor: 1,00)/P 3 0 R${rect}/AP<</N 58 0 R>>${entries}>>`;
const note = (entries: string): string => `<</Type/Annot/Subtype/FreeText/Contents(x)${rect}/AP<</N 58 0 R>>${entries}>>`;

const hiding: Tricks = {
  'hidden-signature-box-shown': ['an empty signature field with a look comes out of hiding, and nobody signs it', flags(2, 4)],
  'hidden-signature-box-shown-on-the-screen': ['the same, on the screen only', flags(2, 0)],
  'unseen-signature-box-shown': ['NoView is taken away', flags(36, 4)],
  'unseen-signature-box-printed': ['NoView, and printed now', flags(32, 36)],
  'switched-signature-box-shown': ['ToggleNoView joins NoView', flags(32, 288)],
  'hidden-and-unseen-becomes-unseen': ['Hidden is taken away, NoView stays', flags(34, 32)],
  'hidden-and-printed-becomes-printed': ['Hidden is taken away, Print stays', flags(6, 4)],
  'hidden-box-locked-and-shown': ['locked, and out of hiding', flags(2, 132)],
  'unseen-text-box-printed': ['a text box that is not shown is printed', flags(32, 36, textBox)],
  'screen-box-printed': ['a text box of the screen is printed', flags(0, 4, textBox)],
  'hidden-text-box-shown': ['a hidden text box is shown', flags(2, 4, textBox)],
  'flags-beyond-what-counts': ['flags beyond 32 bits', flags(2, 4_294_967_300)],
  'flags-by-reference': [
    'the flags are an object of their own, and change there',
    async ({ world }) => {
      const base = await prepared(world, { 50: signatureBox('/F 57 0 R') }, { 57: '2', 58: over });
      return revise(base, { objects: { 57: '4' } });
    },
  ],
  'flags-become-a-reference': [
    'the flags become a reference, and change in the next update',
    async ({ world }) => {
      const base = await prepared(world, { 50: signatureBox('/F 2') }, { 58: over });
      const first = edit(base, 50, (text) => text.replace('/F 2', '/F 70 0 R'), { objects: { 70: '2' } });
      return revise(first, { objects: { 70: '4' } });
    },
  ],
  'box-shown-by-a-signature-elsewhere': [
    'a hidden box comes out of hiding in the revision in which another field is signed',
    async ({ world }) => {
      const base = await prepared(world, { 50: signatureBox('/F 2') }, { 58: over });
      return sign(
        edit(base, 50, (text) => text.replace('/F 2', '/F 4')),
        world,
        'rui',
      );
    },
  ],
  'hidden-note-shown': [
    'a hidden note that is no field is shown',
    async ({ world }) => {
      const base = await prepared(world, {}, { 50: note('/F 2'), 58: over }, '50 0 R');
      return edit(base, 50, (text) => text.replace('/F 2', '/F 4'));
    },
  ],
};

const twoNotes = { 50: note('/F 4'), 51: note('/F 4').replace('58 0 R', '59 0 R') };
const looks = { 58: over, 59: streamText('1 g 0 0 400 60 re f', '/Type/XObject/Subtype/Form/BBox[0 0 400 60]') };

/** The page's list of annotations, changed. */
function listed(change: (list: string) => string, base?: HandMade['objects']): Variant['make'] {
  return async ({ world }) => {
    const file = await prepared(world, {}, base ?? { ...twoNotes, ...looks }, '50 0 R 51 0 R');
    return edit(file, at.page, (text) => text.replace('50 0 R 51 0 R', change('50 0 R 51 0 R')));
  };
}

const ordering: Tricks = {
  'annotations-swapped': ['what lay below lies on top', listed(() => '51 0 R 50 0 R')],
  'annotation-listed-twice': ['what lay below is listed again, on top', listed((list) => `${list} 50 0 R`)],
  'annotation-listed-twice-at-once': ['the same, side by side', listed((list) => `50 0 R ${list}`)],
  'annotation-listed-at-the-end': [
    'the first becomes the last',
    ({ bases }) =>
      edit(bases.table, at.page, (text) => text.replace('/Annots[12 0 R ', '/Annots[').replace(/(\/Annots\[[^\]]*)\]/, '$1 12 0 R]')),
  ],
  'annotation-of-another-generation': ['the same number under another generation', listed(() => '50 1 R 51 0 R')],
  'annotations-reversed': [
    'the whole list turned round',
    ({ bases }) =>
      edit(bases.table, at.page, (text) =>
        text.replace(/\/Annots\s*\[([^\]]*)\]/, (_, list: string) => `/Annots[${(list.match(/\d+ 0 R/g) ?? []).toReversed().join(' ')}]`),
      ),
  ],
  'list-becomes-its-own-and-turns': [
    'the list becomes an object of its own, in another order',
    listed(() => '50 0 R 51 0 R 12 0 R', { ...twoNotes, ...looks }),
  ],
  'shared-list-turned': [
    'the list is an object of its own, and is turned round',
    async ({ world }) => {
      const base = await handMade(world, {
        objects: { ...twoNotes, ...looks, [at.page]: page.replace(/\/Annots\[[^\]]*\]/, '/Annots 57 0 R'), 57: '[31 0 R 50 0 R 51 0 R]' },
      });
      return revise(base, { objects: { 57: '[31 0 R 51 0 R 50 0 R]' } });
    },
  ],
  'annotations-swapped-by-the-next-signer': [
    'the order changes in the revision of an honest signature',
    async ({ world }) => {
      const file = await prepared(world, {}, { ...twoNotes, ...looks }, '50 0 R 51 0 R');
      return sign(
        edit(file, at.page, (text) => text.replace('50 0 R 51 0 R', '51 0 R 50 0 R')),
        world,
        'rui',
      );
    },
  ],
  'field-also-on-another-page': [
    'a box of the first page is listed on the second too',
    ({ bases }) => edit(bases.table, at.secondPage, (text) => withEntries(text, `/Annots[${at.fixed} 0 R]`)),
  ],
  'new-box-listed-twice': [
    'a further signature whose box is listed twice',
    ({ bases, world }) => {
      const field = `<</Type/Annot/Subtype/Widget/FT/Sig/T(nova)/F 4/P 3 0 R/Rect[400 80 500 120]/V 60 0 R/AP<</N 61 0 R>>>>`;
      const file = shownField(bases.table, field, { 60: signatureText(), 61: over });
      const num = Number(/(\d+) 0 R/.exec(objectText(file, at.page).split('/Annots')[1] ?? '')?.[1]);
      void num;
      return fillSignature(
        edit(file, at.page, (text) => text.replace(/\/Annots\s*\[\s*(\d+ 0 R)/, '/Annots[$1 $1')),
        world.rui,
      );
    },
  ],
};

const box = (entries: string): string => `<</Type/Annot/Subtype/Widget/FT/Sig/T(nova)/P 3 0 R${rect}${entries}/AP<</N 61 0 R>>>>`;
const unsigned =
  (entries: string): Variant['make'] =>
  ({ bases }) =>
    shownField(bases.table, box(entries), { 61: over });
const stamped =
  (value: string, entries = ''): Variant['make'] =>
  ({ bases }) =>
    shownField(bases.table, box(`/F 4${entries}/V 60 0 R`), { 60: value, 61: over });
const hole = (contents: string): string =>
  `<</Type/DocTimeStamp/Filter/Adobe.PPKLite/SubFilter/ETSI.RFC3161/ByteRange[0 10 20 30]/Contents<${contents}>>>`;

/** A signed box whose CMS is spoiled after it was made. */
function spoiled(entries: string, subFilter = 'ETSI.CAdES.detached'): Variant['make'] {
  return async ({ bases, world }) => {
    const file = shownField(bases.table, box(`${entries}/V 60 0 R`), { 60: signatureText({ subFilter }), 61: over });
    return fillSignature(file, world.rui, () => Promise.resolve(Uint8Array.of(0x30, 3, 2, 1, 5)));
  };
}

const newBoxes: Tricks = {
  'new-box-unseen-and-printed': ['a new unsigned field with a look, for paper only', unsigned('/F 36')],
  'new-box-unseen': ['the same with NoView alone', unsigned('/F 32')],
  'new-box-switched': ['the same with ToggleNoView', unsigned('/F 292')],
  'new-box-without-flags': ['the same without flags', unsigned('')],
  'new-box-hidden': [
    'a new hidden field with a look, for another day',
    async (context) => {
      const first = await unsigned('/F 2')(context);
      return edit(first, Number(/T\(nova\)/.test(latin(first)) ? numberOfNew(first) : 0), (text) => text.replace('/F 2', '/F 4'));
    },
  ],
  'new-box-without-an-area': [
    'a new unsigned field without an area, whose look Ghostscript draws as large as it is',
    ({ bases }) => shownField(bases.table, box('/F 4').replace(rect, '/Rect[50 690 50 690]'), { 61: over }),
  ],
  'new-box-with-a-border': [
    'a new unsigned field with a border as thick as the text below it',
    ({ bases }) => shownField(bases.table, box('/F 4/Border[0 0 40]').replace('/AP<</N 61 0 R>>', ''), {}),
  ],
  'new-box-with-a-colour': [
    'the same with a colour',
    ({ bases }) => shownField(bases.table, box('/F 4/C[1 1 1]').replace('/AP<</N 61 0 R>>', ''), {}),
  ],
  'new-box-below-a-closed-field': [
    'a new field that says it belongs to a read-only one',
    ({ bases }) => shownField(bases.table, box('/F 4/Parent 24 0 R').replace('/AP<</N 61 0 R>>', ''), {}),
  ],
  'signed-box-without-an-area': [
    'a further signature without an area, and with a look',
    ({ bases, world }) =>
      fillSignature(
        shownField(bases.table, box('/F 4/V 60 0 R').replace(rect, '/Rect[50 690 50 690]'), { 60: signatureText(), 61: over }),
        world.rui,
      ),
  ],
  'new-box-with-flags-that-are-none': ['flags that are no whole number', unsigned('/F 2.5')],
  'new-timestamp-of-garbage': ['a visible document timestamp of five bytes', stamped(hole('3003020105'))],
  'new-timestamp-of-zeros': ['a visible placeholder of a document timestamp', stamped(hole('0000000000'))],
  'new-timestamp-called-a-signature': ['the same, its Type is Sig', stamped(hole('3003020105').replace('/DocTimeStamp', '/Sig'))],
  'new-timestamp-unseen-and-printed': [
    'the same for paper only',
    ({ bases }) => shownField(bases.table, box('/F 36/V 60 0 R'), { 60: hole('3003020105'), 61: over }),
  ],
  'new-signature-of-garbage': ['a visible signature whose CMS is none', spoiled('/F 4')],
  'new-signature-of-garbage-for-paper': ['the same for paper only', spoiled('/F 36')],
  'new-timestamp-by-a-signer': ['a visible timestamp that is a signature', spoiled('/F 4', 'ETSI.RFC3161')],
  'reserved-box-dressed-by-garbage': [
    'the reserved box of the second signer gets a look and a CMS that is none',
    async ({ bases, world }) => {
      const field = objectText(bases.table, at.rui).replace(/>>$/, '/V 60 0 R/AP<</N 61 0 R>>>>');
      return fillSignature(revise(bases.table, { objects: { [at.rui]: field, 60: signatureText(), 61: over } }), world.rui, () =>
        Promise.resolve(Uint8Array.of(0x30, 3, 2, 1, 5)),
      );
    },
  ],
  'evidence-box-filled-by-a-stranger': [
    'a stranger fills the empty evidence box of somebody who has not signed',
    ({ bases }) => edit(bases.table, at.boxOfRui, (text) => text.replace('/V()', '/V(Rui aprovou tudo)')),
  ],
  'evidence-box-filled-beside-garbage': [
    'the same, with a signature that is none',
    async ({ bases, world }) => {
      const filled = objectText(bases.table, at.boxOfRui).replace('/V()', '/V(Rui aprovou tudo)');
      const field = objectText(bases.table, at.rui).replace(/>>$/, '/V 60 0 R>>');
      return fillSignature(
        revise(bases.table, { objects: { [at.boxOfRui]: filled, [at.rui]: field, 60: signatureText() } }),
        world.rui,
        () => Promise.resolve(Uint8Array.of(0x30, 3, 2, 1, 5)),
      );
    },
  ],
  'evidence-box-filled-in-a-new-field': [
    'the same, with an honest signature in a field that came along',
    async ({ bases, world }) => {
      const filled = objectText(bases.table, at.boxOfRui).replace('/V()', '/V(Rui aprovou tudo)');
      const file = shownField(bases.table, box('/F 4/V 60 0 R').replace(rect, '/Rect[400 80 500 120]'), {
        60: signatureText(),
        61: over,
        [at.boxOfRui]: filled,
      });
      return fillSignature(file, world.mallory);
    },
  ],
  'evidence-box-filled-by-another-signer': [
    'a box that a Lock gives to one signer is filled when another signs',
    async ({ world }) => {
      const lock = '/Lock<</Type/SigFieldLock/Action/Include/Fields[(caixa)]>>';
      const theirs = `<</Type/Annot/Subtype/Widget/FT/Sig/T(bia)/F 4/P 3 0 R/Rect[0 0 0 0]${lock}>>`;
      const caixa = '<</Type/Annot/Subtype/Widget/FT/Tx/T(caixa)/Ff 1/V()/F 4/P 3 0 R/Rect[60 300 200 340]/DA(/F1 8 Tf 0 g)>>';
      const base = await prepared(world, { 50: theirs, 51: caixa });
      const field = objectText(base, at.rui).replace(/>>$/, '/V 60 0 R>>');
      const file = revise(base, { objects: { [at.rui]: field, 51: caixa.replace('/V()', '/V(Bia aprovou)'), 60: signatureText() } });
      return fillSignature(file, world.rui);
    },
  ],
};

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

function numberOfNew(bytes: Uint8Array): number {
  const text = latin(bytes);
  return Number([...text.slice(0, text.lastIndexOf('/T(nova)')).matchAll(/(\d+) 0 obj/g)].at(-1)?.[1] ?? 0);
}

/** Boxes: their order, how often they stand there, where they are hidden, and by whose signature they come. */
export const order = family('ORDER', { ...hiding, ...ordering, ...newBoxes });
