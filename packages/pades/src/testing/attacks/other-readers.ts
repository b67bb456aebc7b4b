import { deflateRawSync, deflateSync } from 'node:zlib';
import { latin1Bytes, latin1Text } from '../../pdf/objects.ts';
import { at, contract, handMade } from './bases.ts';
import type { AttackContext, Tricks } from './variant.ts';
import { family } from './variant.ts';
import { edit, objectText, revise, streamText, withEntries } from './write-revision.ts';
import type { RevisionText } from './write-revision.ts';

/** What an uploader prepared, signed by Ana, with what is appended to it afterwards. */
type Trap = (context: AttackContext) => Promise<Uint8Array>;

const evil = streamText('BT /F1 24 Tf 60 700 Td (Valor: 999,00) Tj ET');
const late = 570;

/** A definition that no section names, behind the one in force: who rebuilds the file from its objects takes it. */
const shadowed = { tail: `${at.content} 0 obj\n${evil}\nendobj\n` };

function rebuilt(change: (bytes: Uint8Array) => Uint8Array, form: 'table' | 'stream' = 'table'): Trap {
  return async ({ world }) => change(await handMade(world, { ...shadowed, form }));
}

const padded = (padding: string) => rebuilt((bytes) => latin1Bytes(latin1Text(bytes) + padding));
const updated = (update: RevisionText, form: 'table' | 'stream' = 'table') => rebuilt((bytes) => revise(bytes, update), form);
const inCatalog = (entries: string) => rebuilt((bytes) => edit(bytes, at.catalog, (text) => withEntries(text, entries)));

/** A file that becomes as long as its first object says: readers begin at the section behind that object. */
function asLong(spell: (length: number) => string, grow: (bytes: Uint8Array, length: number) => Uint8Array): Trap {
  return async ({ world }) => {
    const trap = (length: number) => {
      const first = `90 0 obj\n<</Linearized 1/L ${spell(length)}/H[10 10]/O 3/E 10/N 1/T 10>>\nendobj\n`;
      return handMade(world, { lead: `${first}xref\n0 1\n0000000000 65535 f \ntrailer\n<</Size 91/Root 1 0 R>>\nstartxref\n0\n%%EOF\n` });
    };
    const length = (await trap(11_111)).length + 1000;
    return grow(await trap(length), length);
  };
}

/** With an update that may be: an object that nobody asks for. */
function byAnUpdate(bytes: Uint8Array, length: number): Uint8Array {
  for (let room = 500; room < 1000; room++) {
    const grown = revise(bytes, { objects: { 60: `(${'x'.repeat(room)})` } });
    if (grown.length === length) return grown;
  }
  throw new Error('no update of that length');
}

export const rebuiltByReaders = family('REBUILT', {
  'spaces-behind-the-end': ['PDFium and MuPDF find no startxref near the end and rebuild', padded(' '.repeat(5000))],
  'many-spaces-behind-the-end': ['poppler too', padded(' '.repeat(70_000))],
  'lines-behind-the-end': ['the same with line ends', padded('\n'.repeat(1100))],
  'zeros-behind-the-end': ['the same with NUL', padded('\0'.repeat(5000))],
  'spaces-behind-an-update': [
    'the same behind an update that may be',
    rebuilt((bytes) => latin1Bytes(latin1Text(revise(bytes, { objects: { 60: '<<>>' } })) + ' '.repeat(5000))),
  ],
  'size-of-two-billion': ['poppler and MuPDF rebuild', updated({ objects: { 60: '<<>>' }, size: 2_000_000_000 })],
  'size-of-twenty-million': ['MuPDF rebuilds', updated({ objects: { 60: '<<>>' }, size: 20_000_000 })],
  'size-in-a-stream': ['the same in a stream', updated({ objects: { 60: '<<>>' }, size: 7_000_000 }, 'stream')],
  'number-behind-size': ['an object that only some readers have', updated({ objects: { 60: '<<>>' }, size: 60 })],
  'root-of-another-generation': [
    'who looks at generations finds no catalog, and rebuilds',
    updated({ objects: { 61: contract()[at.catalog] ?? '' }, root: '61 5 R' }),
  ],
  'number-of-millions': ['Ghostscript gives up', updated({ objects: { 4_194_304: '<<>>' } })],
  'long-string-in-the-catalog': ['poppler rebuilds', inCatalog(`/DSS<</A(${'A'.repeat(300)})>>`)],
  'long-name-in-the-catalog': ['beyond what readers must keep', inCatalog(`/DSS<</${'A'.repeat(300)} 1>>`)],
  'deep-list-in-the-catalog': ['beyond what readers follow', inCatalog(`/DSS<</Certs${'['.repeat(60)}${']'.repeat(60)}>>`)],
  'long-number-in-the-catalog': ['Ghostscript gives up', inCatalog(`/DSS<</A ${'1'.repeat(1200)}>>`)],
  'big-number-in-the-catalog': ['beyond what readers count', inCatalog('/DSS<</A 99999999999>>')],
  'version-of-no-pdf': ['a version that no reader knows', inCatalog('/Version/9.99999')],
  'identifier-of-lists': ['an ID that is none', updated({ trailer: `/ID ${'['.repeat(80)}${']'.repeat(80)}` })],
  'identifier-is-long': ['an ID without end', updated({ trailer: `/ID[<${'00'.repeat(400)}><00>]` })],
  'information-in-the-trailer': [
    'Info must be an object',
    async ({ bases }) => {
      const text = latin1Text(revise(bases.table, { objects: { 60: '<<>>' } }));
      const from = text.lastIndexOf('/Info');
      return latin1Bytes(text.slice(0, from) + text.slice(from).replace(/\/Info \d+ 0 R/, '/Info<</Title(x)>>'));
    },
  ],
  'length-of-a-linearized-file': ['poppler, pdf.js and PDFium begin at the first section', asLong(String, byAnUpdate)],
  'length-with-a-point': ['the same, for those that cut', asLong((length) => `${length}.4`, byAnUpdate)],
  'length-rounded': ['the same, for those that round', asLong((length) => `${length - 1}.6`, byAnUpdate)],
  'length-by-few-spaces': [
    'fewer spaces than are passed over',
    asLong(
      (length) => String(length - 950),
      (bytes) => latin1Bytes(`${latin1Text(bytes)}${' '.repeat(50)}`),
    ),
  ],
});

/** The appended cross-reference stream says otherwise how it is coded. */
const coded = (filter: string) =>
  updated({ objects: { 60: '<<>>' }, section: (text) => text.replace('/Filter/ASCIIHexDecode', filter) }, 'stream');

/** The catalog, with an entry that may come, in a new object stream. */
function contained(entries: string, encode: (body: Buffer) => Buffer): Trap {
  return rebuilt((bytes) => {
    const catalog = (contract()[at.catalog] ?? '').replace(/>>$/, '/DSS<<>>>>');
    const data = encode(Buffer.from(`${at.catalog} 0 ${catalog}`, 'latin1')).toString('latin1');
    const stream = streamText(data, `/Type/ObjStm/N 1/First ${String(at.catalog).length + 3}${entries}`);
    return revise(bytes, { objects: { 60: stream }, rows: { [at.catalog]: { stream: 60, index: 0 } } });
  }, 'stream');
}

export const oddlyCoded = family('CODED', {
  'short-name-of-a-filter': ['a name for inline images', coded('/Filter/AHx')],
  'filter-in-a-list': ['Ghostscript rebuilds', coded('/Filter[/ASCIIHexDecode]')],
  'filter-for-encryption': ['a filter that does nothing, to some', coded('/Filter[/Crypt/ASCIIHexDecode]')],
  'entry-of-null': ['Ghostscript rebuilds', coded('/DecodeParms null/Filter/ASCIIHexDecode')],
  'parameters-of-a-list': ['poppler, MuPDF and pdf.js rebuild', coded('/DecodeParms[<<>>]/Filter/ASCIIHexDecode')],
  'container-without-head': ['poppler, PDFium, Ghostscript and pdf.js rebuild', contained('/Filter/FlateDecode', deflateRawSync)],
  'container-of-two-filters': ['PDFium and Ghostscript rebuild', contained('/Filter[/Crypt/FlateDecode]', deflateSync)],
  'container-by-another-entry': ['the same', contained('/F/FlateDecode', deflateSync)],
  'container-of-short-name': ['the same', contained('/Filter/Fl', deflateSync)],
});

/** The page's pictures are spelled in this way, and object 570 comes later. */
function spelled(reference: string, form: 'table' | 'stream' = 'table'): Trap {
  return async ({ world }) => {
    const resources = `<</Font<</F1 5 0 R>>/XObject<</X1 10 0 R/X2 ${reference}>>>>`;
    const content = streamText('BT /F1 24 Tf 60 700 Td (Valor: 100,00) Tj ET /X2 Do');
    const bytes = await handMade(world, { form, objects: { [at.resources]: resources, [at.content]: content } });
    return revise(bytes, { objects: { [late]: streamText('0 0 500 500 re f', '/Type/XObject/Subtype/Form/BBox[0 0 500 500]') } });
  };
}

const references: Readonly<Record<string, string>> = {
  plain: '570 0 R',
  'a-point': '570. 0 R',
  'cut-at-the-point': '570.9 0 R',
  'rounded-at-the-point': '569.9 0 R',
  'a-plus': '+570 0 R',
  'two-signs': '+-570 0 R',
  'a-minus-inside': '57-0 0 R',
  'a-zero-before-and-a-plus': '+0570 0 R',
  'generation-with-a-plus': '570 +0 R',
  'generation-with-a-minus': '570 -0 R',
  'generation-with-a-point': '570 0.0 R',
  'generation-of-many-zeros': '570 0000000000000000 R',
  'generation-too-high': '570 65536 R',
  'generation-wraps': '570 4294967296 R',
  'number-wraps': '4294967866 0 R',
  'number-wraps-twice': '18446744073709552186 0 R',
  'number-wraps-below': '-4294966726 0 R',
  'first-of-a-key-twice': '570 0 R/X2 10 0 R',
  'last-of-a-key-twice': '10 0 R/X2 570 0 R',
  'first-of-a-key-spelled': '570 0 R/#58#32 10 0 R',
  'second-value': '10 0 R 570 0 R',
  'behind-a-word': 'foo 570 0 R',
  'behind-a-comment': '%x\n570 0 R',
  'no-room-before-R': '570 0R',
};

export const spelledReferences = family('SPELLED', {
  ...(Object.fromEntries(
    Object.entries(references).map(([name, text]) => [name, [`${text}: a reference to some`, spelled(text)]]),
  ) as Tricks),
  'in-a-file-with-streams': ['the same where the cross-reference is a stream', spelled('570.9 0 R', 'stream')],
});

const type3 = {
  [late]: `<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 571 0 R>>/Encoding<</Differences[0${'/a'.repeat(256)}]>>/FirstChar 0/LastChar 255/Widths[${'9 '.repeat(256)}]>>`,
  571: streamText('9 0 d0 0 0 9 9 re f'),
};

/** The open field of the contract waits in its own way; the font comes under `name`. */
function awaited(entries: string, name: string, more: Readonly<Record<number, string>> = {}): Trap {
  return async ({ world }) => {
    const field = (contract()[at.open] ?? '').replace(/\/DA\([^)]*\)/, '').replace('/MaxLen 40', entries);
    const bytes = await handMade(world, { objects: { [at.open]: field, ...more } });
    return edit(bytes, at.form, (text) => text.replace('/Font<<', `/Font<</${name} ${late} 0 R `), { objects: type3 });
  };
}

const ownForm = (da: string) => ({ [at.form]: (contract()[at.form] ?? '').replace('/DA(/F1', `/DA(${da}`) });

export const awaitedFonts = family('AWAITED', {
  'plain-name': ['a font comes under the name that a field without look asks for', awaited('/V(100)/DA(/Fx 9 Tf)', 'Fx')],
  'tab-behind-the-name': ['white space of another kind', awaited('/V(100)/DA(/Fx\t9 Tf)', 'Fx')],
  'line-behind-the-name': ['a line end', awaited('/V(100)/DA(/Fx\n9 Tf)', 'Fx')],
  'name-by-numbers': ['spelled by numbers', awaited('/V(100)/DA(/#46x 9 Tf)', 'Fx')],
  'name-by-numbers-in-both': ['spelled by numbers here and there', awaited('/V(100)/DA(/Fx#20y 9 Tf)', 'Fx#20y')],
  'empty-appearance': ['an appearance dictionary without one', awaited('/V(100)/DA(/Fx 9 Tf)/AP<<>>', 'Fx')],
  'only-pressed': ['no normal appearance', awaited('/V(100)/DA(/Fx 9 Tf)/AP<</D 10 0 R>>', 'Fx')],
  'inherited-from-the-form': ['the form names it for all', awaited('/V(100)', 'Fx', ownForm('/Fx'))],
  'chosen-without-value': ['a choice shown by its index', awaited('/Opt[(100)]/I[0]/DA(/Fx 9 Tf)', 'Fx')],
  'caption-of-a-button': ['a caption', awaited('/MK<</CA(100)>>/DA(/Fx 9 Tf)', 'Fx')],
  'free-text': [
    'a note that is no field',
    awaited('', 'Fx', { [at.link]: '<</Type/Annot/Subtype/FreeText/F 4/Rect[60 600 200 620]/Contents(100)/DA(/Fx 9 Tf)>>' }),
  ],
  ticks: ['the font of ticks, and it is another', awaited('/V(100)/DA(/F1 9 Tf)', 'ZaDb')],
});

/** An empty signature field, bare and without a box. */
function newField(entries: string, more: Readonly<Record<number, string>> = {}): Trap {
  return ({ bases }) => {
    const field = `<</Type/Annot/Subtype/Widget/FT/Sig/F 132/P 3 0 R/Rect[0 0 0 0]${entries}>>`;
    const listed = edit(bases.table, at.form, (text) => text.replace(/\/Fields\s*\[/, '/Fields[61 0 R '), {
      objects: { 61: field, ...more },
    });
    return Promise.resolve(listed);
  };
}

const evilLook = 'BT /F1 24 Tf 10 10 Td (999,00) Tj ET';
const lookText = (content: string, resources = '/Resources<<>>') =>
  streamText(content, `/Type/XObject/Subtype/Form/BBox[0 0 150 40]${resources}`);

/** A new empty signature field in sight, with a look. */
export function dressedField({ bases: { table } }: AttackContext, content: string, resources?: string): Promise<Uint8Array> {
  const field = '<</Type/Annot/Subtype/Widget/FT/Sig/T(z)/F 132/P 3 0 R/Rect[400 40 550 80]/AP<</N 62 0 R>>>>';
  return Promise.resolve(
    revise(table, {
      objects: {
        61: field,
        62: lookText(content, resources),
        [at.page]: objectText(table, at.page).replace('/Annots[', '/Annots[61 0 R '),
        [at.form]: objectText(table, at.form).replace('/Fields[', '/Fields[61 0 R '),
      },
    }),
  );
}

export const newFields = family('NEW_FIELD', {
  'name-with-a-point': ['passes for a field below another', newField('/T(ana.x)')],
  'no-name': ['passes for anybody’s', newField('')],
  'empty-name': ['the same', newField('/T()')],
  'taken-in-utf-16': ['the name of Ana’s field, spelled otherwise', newField('/T<FEFF0061006E0061>')],
  popup: [
    'a note that is open',
    newField('/T(z)/Popup 62 0 R', { 62: '<</Type/Annot/Subtype/Popup/Rect[0 0 500 500]/Open true/Parent 61 0 R>>' }),
  ],
  contents: ['words that are read out', newField('/T(z)/Contents(999,00)')],
  'optional-content': ['shown here and there', newField('/T(z)/OC 62 0 R', { 62: '<</Type/OCG/Name(x)>>' })],
  'associated-file': ['another document', newField('/T(z)/AF[62 0 R]', { 62: '<</Type/Filespec/F(x)>>' })],
  'look-of-one-letter': ['drawn before anybody has signed', (context) => dressedField(context, evilLook)],
  'look-of-blanks': ['not a byte is nothing to paint, a blank is something to replace', (context) => dressedField(context, ' ')],
  'look-with-resources': ['fonts and pictures that wait', (context) => dressedField(context, '', '/Resources<</Font<</F1 5 0 R>>>>')],
  'empty-look-dressed-later': [
    'one step brings the look that shows nothing, the next one fills it',
    async (context) => revise(await dressedField(context, ''), { objects: { 62: lookText(evilLook) } }),
  ],
});
