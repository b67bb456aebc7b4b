import { at, contract, handMade } from './bases.ts';
import { family } from './variant.ts';
import type { AttackContext, Variant } from './variant.ts';
import { edit, revise, streamText, withEntries } from './write-revision.ts';

const own = contract();
const page = own[at.page] ?? '';
const form = own[at.form] ?? '';
const picture = (text: string): string =>
  streamText(`BT /F1 24 Tf 10 10 Td (${text}) Tj ET`, '/Type/XObject/Subtype/Form/BBox[0 0 400 60]/Resources 7 0 R');
const honest = picture('Valor: 100,00');
const evil = picture('Valor: 900,00');
const off = streamText('', '/Type/XObject/Subtype/Form/BBox[0 0 400 60]');
const widget = (entries: string): string => `<</Type/Annot/Subtype/Widget/T(botao)/F 4/P 3 0 R/Rect[50 600 450 660]${entries}>>`;

type Objects = Readonly<Record<number, string>>;

function base(world: AttackContext['world'], objects: Objects, list = '50 0 R'): Promise<Uint8Array> {
  return handMade(world, {
    objects: {
      [at.form]: form.replace('/Fields[', '/Fields[50 0 R '),
      [at.page]: page.replace('/Annots[', `/Annots[${list} `),
      51: honest,
      52: off,
      ...objects,
    },
  });
}

/** A field with a look, and the look it gets with a value nobody asked for. */
function dressed(entries: string, change: (text: string) => string, more: Objects = {}): Variant['make'] {
  return async ({ world }) => edit(await base(world, { 50: widget(entries) }), 50, change, { objects: { 60: evil, ...more } });
}

const looks = (text: string): string => text.replace('51 0 R', '60 0 R');
const valued =
  (value: string) =>
  (text: string): string =>
    withEntries(looks(text), value);
const states = '/AP<</N<</Sim 51 0 R/Off 52 0 R>>>>';

/** Looks that no value is shown by. */
export const looksOfFields = family('LOOKS', {
  'button-with-a-value': ['a push button gets a value, and another look', dressed('/FT/Btn/Ff 65536/AP<</N 51 0 R>>', valued('/V(x)'))],
  'button-with-a-name': ['the same with a name', dressed('/FT/Btn/Ff 65536/AP<</N 51 0 R>>', valued('/V/Sim'))],
  'button-in-place': [
    'the look of a push button is written over, with a value',
    async ({ world }) => {
      const file = await base(world, { 50: widget('/FT/Btn/Ff 65536/AP<</N 51 0 R>>') });
      return edit(file, 50, (text) => withEntries(text, '/V/Sim'), { objects: { 51: evil } });
    },
  ],
  'read-only-text': [
    'a read-only text without a value gets one, and another look',
    dressed('/FT/Tx/Ff 1/AP<</N 51 0 R>>', valued('/V(x)')),
  ],
  'read-only-text-with-an-empty-value': [
    'the same, its value was empty',
    dressed('/FT/Tx/Ff 1/V()/AP<</N 51 0 R>>', (text) => looks(text).replace('/V()', '/V(x)')),
  ],
  'read-only-box': [
    'a read-only box',
    dressed(`/FT/Btn/Ff 1/AS/Off${states}`, (text) => withEntries(looks(text).replace('/AS/Off', '/AS/Sim'), '/V/Sim')),
  ],
  'read-only-choice': ['a read-only choice', dressed('/FT/Ch/Ff 1/Opt[(a)(b)]/AP<</N 51 0 R>>', valued('/V(b)'))],
  'box-with-another-look': [
    'a box is ticked, and its tick is another picture',
    dressed(`/FT/Btn/V/Off/AS/Off${states}`, (text) => looks(text).replace('/V/Off/AS/Off', '/V/Sim/AS/Sim')),
  ],
  'box-in-a-state-of-its-own': [
    'a box shows a state that is not its value',
    dressed('/FT/Btn/V/Off/AS/Off/AP<</N<</Sim 52 0 R/Outra 51 0 R/Off 52 0 R>>>>', (text) =>
      text.replace('/V/Off/AS/Off', '/V/Sim/AS/Outra'),
    ),
  ],
  'box-in-a-state-without-a-value': [
    'a box shows another state, its value stays',
    dressed(`/FT/Btn/V/Off/AS/Off${states}`, (text) => text.replace('/AS/Off', '/AS/Sim')),
  ],
  'box-with-a-text-for-a-value': [
    'a box whose value becomes a text',
    dressed(`/FT/Btn/V/Off/AS/Off${states}`, (text) => looks(text).replace('/V/Off', '/V(x)')),
  ],
  'text-with-a-look-and-no-value': [
    'a field shows a text and has no value: it gets one, and another look',
    dressed('/FT/Tx/AP<</N 51 0 R>>', valued('/V(900)')),
  ],
  'text-with-a-stream-for-a-value': [
    'the value of a text becomes a stream',
    dressed('/FT/Tx/V(100)/AP<</N 51 0 R>>', (text) => looks(text).replace('/V(100)', '/V 60 0 R')),
  ],
  'text-whose-value-stays': [
    'another look, the same value written in another way',
    dressed('/FT/Tx/V(100)/AP<</N 51 0 R>>', (text) => looks(text).replace('/V(100)', '/V<313030>')),
  ],
  'text-whose-value-moves-away': [
    'another look, the same value as an object of its own',
    dressed('/FT/Tx/V(100)/AP<</N 51 0 R>>', (text) => looks(text).replace('/V(100)', '/V 61 0 R'), { 61: '(100)' }),
  ],
  'field-of-no-type': ['a field of no type gets a value and a look', dressed('/AP<</N 51 0 R>>', valued('/V(x)'))],
  'widget-with-a-value-of-its-own': [
    'one of two widgets gets a value that its field has not',
    async ({ world }) => {
      const kid = '<</Type/Annot/Subtype/Widget/Parent 50 0 R/F 4/P 3 0 R/Rect[50 600 450 660]/AP<</N 51 0 R>>>>';
      const file = await base(world, { 50: '<</T(botao)/FT/Tx/V(100)/Kids[53 0 R 54 0 R]>>', 53: kid, 54: kid }, '53 0 R 54 0 R');
      return edit(file, 53, (text) => withEntries(looks(text), '/V(900)'), { objects: { 60: evil } });
    },
  ],
  'widget-of-a-read-only-field': [
    'the widget says that its read-only field may be written',
    async ({ world }) => {
      const kid = '<</Type/Annot/Subtype/Widget/Parent 50 0 R/Ff 0/F 4/P 3 0 R/Rect[50 600 450 660]/AP<</N 51 0 R>>>>';
      const file = await base(world, { 50: '<</T(botao)/FT/Tx/Ff 1/Kids[53 0 R]>>', 53: kid }, '53 0 R');
      return revise(file, { objects: { 50: '<</T(botao)/FT/Tx/Ff 1/Kids[53 0 R]/V(900)>>', 53: looks(kid), 60: evil } });
    },
  ],
  'font-that-was-awaited': [
    'a field without a look names a font that comes later',
    async ({ world }) => {
      const closed = (own[at.fixed] ?? '').replace('/AP<</N 25 0 R>>', '').replace('/F1 12 Tf', '/F9 12 Tf');
      return edit(
        await handMade(world, { objects: { [at.fixed]: closed } }),
        at.form,
        (text) => text.replace('/F1 5 0 R', '/F1 5 0 R/F9 60 0 R'),
        {
          objects: { 60: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>' },
        },
      );
    },
  ],
  'signatures-taken-back': [
    'the form says that there are no signatures',
    ({ bases }) => edit(bases.table, at.form, (text) => text.replace('/SigFlags 3', '/SigFlags 0')),
  ],
  'page-of-a-widget': [
    'a box says that it stands on another page',
    dressed('/FT/Tx/AP<</N 51 0 R>>', (text) => text.replace('/P 3 0 R', '/P 9 0 R')),
  ],
});

const element = own[at.element] ?? '';

function spoken(change: (text: string) => string, objects: Objects = {}): Variant['make'] {
  return ({ bases }) => edit(bases.table, at.element, change, { objects });
}

/** What is read out or copied instead of what is shown. */
export const readAloud = family('READ_ALOUD', {
  'text-instead': ['an element gets ActualText', spoken((text) => withEntries(text, '/ActualText(Valor: 900,00)'))],
  'description-instead': ['an element gets Alt', spoken((text) => withEntries(text, '/Alt(Valor: 900,00)'))],
  'expansion-instead': ['an element gets E', spoken((text) => withEntries(text, '/E(Valor: 900,00)'))],
  'other-language': ['an element speaks another language', spoken((text) => withEntries(text, '/Lang(en)'))],
  'other-kind': ['an element becomes an artifact that nobody reads', spoken((text) => text.replace('/S/Document', '/S/Artifact'))],
  'content-left-out': ['an element no longer holds its content', spoken((text) => text.replace('/K 0', '/K[]'))],
  'content-named-again': ['an element holds more of the page', spoken((text) => text.replace('/K 0', '/K[0 1]'))],
  'content-turned-round': ['an element holds its content in another order', spoken((text) => text.replace('/K 0', '/K[1 0]'))],
  'content-wrapped': [
    'an element gets a kid that says something else of the same content',
    spoken((text) => text.replace('/K 0', '/K[0 60 0 R]'), {
      60: '<</Type/StructElem/S/Span/P 14 0 R/Pg 3 0 R/K 0/ActualText(Valor: 900,00)>>',
    }),
  ],
  'text-of-no-content': [
    'an element gets a kid that is nothing but text',
    spoken((text) => text.replace('/K 0', '/K[0 60 0 R]'), { 60: '<</Type/StructElem/S/P/P 14 0 R/Pg 3 0 R/ActualText(Valor: 900,00)>>' }),
  ],
  'element-comes-twice': [
    'an element is read twice',
    ({ bases }) => edit(bases.table, at.structure, (text) => text.replace('/K 14 0 R', '/K[14 0 R 14 0 R]')),
  ],
  'another-tree': [
    'the catalog gets another structure tree',
    ({ bases }) =>
      edit(bases.table, at.catalog, (text) => text.replace('/StructTreeRoot 13 0 R', '/StructTreeRoot 60 0 R'), {
        objects: { 60: '<</Type/StructTreeRoot/K 61 0 R>>', 61: element.replace('/P 13 0 R', '/P 60 0 R/ActualText(Valor: 900,00)') },
      }),
  ],
  'a-tree-where-there-was-none': [
    'a file without structure gets one',
    async ({ world }) => {
      const catalog = '<</Type/Catalog/Pages 2 0 R/AcroForm 20 0 R>>';
      const file = await handMade(world, { objects: { [at.catalog]: catalog } });
      return edit(file, at.catalog, (text) => withEntries(text, '/StructTreeRoot 60 0 R/MarkInfo<</Marked true>>'), {
        objects: {
          60: '<</Type/StructTreeRoot/K 61 0 R>>',
          61: '<</Type/StructElem/S/P/P 60 0 R/Pg 3 0 R/K 0/ActualText(Valor: 900,00)>>',
        },
      });
    },
  ],
  'no-longer-marked': [
    'the document says it has no structure',
    ({ bases }) => edit(bases.table, at.catalog, (text) => text.replace('/Marked true', '/Marked false')),
  ],
  'kinds-mapped-anew': [
    'a kind of element is mapped to another',
    ({ bases }) => edit(bases.table, at.structure, (text) => withEntries(text, '/RoleMap<</Document/Artifact>>')),
  ],
});
