import { latin1Text } from '../../pdf/objects.ts';
import { at, contract, handMade, objectStream, sign } from './bases.ts';
import { family } from './variant.ts';
import { edit, objectText, offsetOf, revise, streamText, withEntries } from './write-revision.ts';
import { evilContent } from './savings.ts';

const overlay = streamText(
  '1 1 1 rg 50 690 400 60 re f BT /F1 24 Tf 60 700 Td (Valor: 1,00) Tj ET',
  '/Type/XObject/Subtype/Form/BBox[0 0 595 842]',
);
const own = contract();
const page = own[at.page] ?? '';

const invoked = {
  [at.resources]: '<</Font<</F1 5 0 R>>/XObject<</X1 10 0 R/Over 50 0 R>>>>',
  [at.content]: streamText('BT /F1 24 Tf 60 700 Td (Valor: 900,00) Tj ET /Over Do'),
};
const listAlso = (num: number): Record<number, string> => ({ [at.page]: page.replace('/Annots[', `/Annots[${num} 0 R `) });

/** Hide: what covers the true content when it is signed goes away later. */
export const hide = family('SHADOW_HIDE', {
  'overlay-freed': [
    'an overlay is freed by the cross-reference alone',
    async ({ world }) => revise(await handMade(world, { objects: { ...invoked, 50: overlay } }), { rows: { 50: 'free' } }),
  ],
  'overlay-emptied': [
    'an overlay is written anew, empty',
    async ({ world }) =>
      revise(await handMade(world, { objects: { ...invoked, 50: overlay } }), {
        objects: { 50: streamText('', '/Type/XObject/Subtype/Form/BBox[0 0 1 1]') },
      }),
  ],
  'overlay-out-of-resources': [
    'an overlay is dropped from the resources',
    async ({ world }) =>
      revise(await handMade(world, { objects: { ...invoked, 50: overlay } }), { objects: { [at.resources]: own[at.resources] ?? '' } }),
  ],
  'overlay-annotation-removed': [
    'a stamp over the content leaves the page',
    async ({ world }) => {
      const stamp = '<</Type/Annot/Subtype/Stamp/Rect[50 690 450 750]/AP<</N 50 0 R>>>>';
      const base = await handMade(world, { objects: { ...listAlso(51), 50: overlay, 51: stamp } });
      return revise(base, { objects: { [at.page]: page } });
    },
  ],
  'overlay-annotation-hidden': [
    'a stamp over the content gets the Hidden flag',
    async ({ world }) => {
      const stamp = '<</Type/Annot/Subtype/Stamp/Rect[50 690 450 750]/F 4/AP<</N 50 0 R>>>>';
      const base = await handMade(world, { objects: { ...listAlso(51), 50: overlay, 51: stamp } });
      return edit(base, 51, (text) => text.replace('/F 4', '/F 2'));
    },
  ],
  'overlay-field-hidden': [
    'a form field over the content gets the Hidden flag',
    ({ bases }) => edit(bases.table, at.fixed, (text) => text.replace(/\/F 4/, '/F 6')),
  ],
  'overlay-entry-of-other-generation': [
    'the entry of an overlay changes its generation only: readers that look at generations lose it',
    async ({ world }) => {
      const base = await handMade(world, { objects: { ...invoked, 50: overlay } });
      return revise(base, { rows: { 50: { offset: offsetOf(base, 50), gen: 1 } } });
    },
  ],
  'layer-switched-off': [
    'the optional content group of an overlay is switched off',
    async ({ world }) => {
      const catalog = withEntries(own[at.catalog] ?? '', '/OCProperties<</OCGs[52 0 R]/D 53 0 R>>');
      const objects = {
        ...invoked,
        50: overlay.replace('/Type', '/OC 52 0 R/Type'),
        52: '<</Type/OCG/Name(a)>>',
        53: '<</ON[52 0 R]>>',
        [at.catalog]: catalog,
      };
      return revise(await handMade(world, { objects }), { objects: { 53: '<</OFF[52 0 R]>>' } });
    },
  ],
  'length-shortened': [
    'the length of a content stream is an object of its own, and is made smaller',
    async ({ world }) => {
      const text = 'BT /F1 24 Tf 60 700 Td (Valor: 900,00) Tj ET';
      const stream = `<</Length 50 0 R>>\nstream\n${text}\nendstream`;
      return revise(await handMade(world, { objects: { [at.content]: stream, 50: String(text.length) } }), { objects: { 50: '3' } });
    },
  ],
  'information-is-the-page': [
    'the document information is the page itself, and loses its content',
    async ({ world }) => {
      const base = await handMade(world, { trailer: '/Info 3 0 R' });
      return edit(base, at.page, (text) => text.replace('/Contents 4 0 R', ''));
    },
  ],
  'information-is-a-graphics-state': [
    'the document information is also a graphics state whose blend mode hides a text',
    async ({ world }) => {
      const resources = '<</Font<</F1 5 0 R>>/XObject<</X1 10 0 R>>/ExtGState<</G 6 0 R>>>>';
      const base = await handMade(world, { objects: { [at.info]: '<</BM/Darken>>', [at.resources]: resources } });
      return edit(base, at.info, () => '<</BM/Lighten>>');
    },
  ],
});

/** Replace: what is harmless on its own changes what the signed content looks like. */
export const replace = family('SHADOW_REPLACE', {
  'font-redefined': [
    'another font under the same number',
    ({ bases }) => revise(bases.table, { objects: { [at.font]: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>' } }),
  ],
  'font-encoding-swapped': [
    'the same font with digits exchanged',
    ({ bases }) => edit(bases.table, at.font, (text) => text.replace('/WinAnsiEncoding', '<</Type/Encoding/Differences[49/nine 57/one]>>')),
  ],
  'read-only-value-and-look': [
    'value and appearance of a read-only field',
    ({ bases }) => edit(bases.table, at.fixed, (text) => text.replace('30 dias', '300 dias'), { objects: { [at.fixedLook]: evilContent } }),
  ],
  'look-without-value': [
    'the appearance of a field, its value left alone',
    ({ bases }) =>
      edit(bases.table, at.fixed, (text) => text.replace('/N 25 0 R', `/N ${at.free} 0 R`), {
        objects: { [at.free]: objectText(bases.table, at.fixedLook).replace('30', '90') },
      }),
  ],
  'look-in-place': [
    'the appearance stream of a field, in place',
    ({ bases }) => edit(bases.table, at.fixedLook, (text) => text.replace('30 dias', '90 dias')),
  ],
  'signature-look-in-place': [
    "the appearance of the attacked signature's own box",
    ({ bases: { table } }) => {
      const num = Number(/\/N (\d+) 0 R/.exec(objectText(table, at.ana))?.[1]);
      return edit(table, num, (text) => text.replaceAll(/Tj/g, "' "));
    },
  ],
  'signature-look-swapped': [
    'the box of the attacked signature shows another appearance',
    ({ bases }) => edit(bases.table, at.ana, (text) => text.replace(/\/N \d+ 0 R/, `/N ${at.image} 0 R`)),
  ],
  'look-shared-with-the-page': [
    'the appearance of an empty field is also painted by the page; filling the field paints the page',
    async ({ world }) => {
      const field = withEntries(own[at.open] ?? '', '/AP<</N 10 0 R>>');
      const base = await handMade(world, { objects: { [at.open]: field } });
      return edit(base, at.open, (text) => withEntries(text, '/V(x)'), { objects: { [at.image]: overlay } });
    },
  ],
  'look-used-a-hundred-times': [
    'the same, with so many uses by the field that the one by the page is lost in the crowd',
    async ({ world }) => {
      const states = Array.from({ length: 100 }, (_, i) => `/S${i} 10 0 R`).join('');
      const field = withEntries(own[at.open] ?? '', `/AP<</N<<${states}>>>>`);
      const base = await handMade(world, { objects: { [at.open]: field } });
      return edit(base, at.open, (text) => withEntries(text, '/V(x)/AS/S1'), { objects: { [at.image]: overlay } });
    },
  ],
  'metadata-is-painted': [
    'the metadata stream is also a form the page paints, under a resource called Metadata',
    async ({ world }) => {
      const painted = streamText('0 0 1 1 re f', '/Type/Metadata/Subtype/Form/BBox[0 0 595 842]');
      const objects = {
        [at.metadata]: painted,
        [at.resources]: '<</Font<</F1 5 0 R>>/XObject<</X1 10 0 R/Metadata 8 0 R>>>>',
        [at.content]: streamText('/Metadata Do'),
      };
      return revise(await handMade(world, { objects }), { objects: { [at.metadata]: overlay.replace('/Type/XObject', '/Type/Metadata') } });
    },
  ],
  'graphics-state-called-as-structure': [
    'a graphics state without type under a resource called K, as a structure element would be',
    async ({ world }) => {
      const resources = '<</Font<</F1 5 0 R>>/XObject<</X1 10 0 R>>/ExtGState<</K 50 0 R>>>>';
      return revise(await handMade(world, { objects: { [at.resources]: resources, 50: '<</ca 0>>' } }), { objects: { 50: '<</ca 1>>' } });
    },
  ],
  'resources-in-the-structure-tree': [
    'the resources are also a child of the structure tree, and so everything they name',
    async ({ world }) => {
      const objects = {
        [at.element]: '<</Type/StructElem/S/Document/P 13 0 R/K[7 0 R]>>',
        [at.resources]: '<</Font<</F1 5 0 R>>/XObject<</X1 10 0 R>>/ExtGState<</K 50 0 R>>>>',
        50: '<</ca 0>>',
      };
      return revise(await handMade(world, { objects }), { objects: { 50: '<</ca 1>>' } });
    },
  ],
  'font-called-extensions': [
    'a font under the name Extensions, as the catalog calls its own',
    async ({ world }) => {
      const resources = '<</Font<</Extensions 50 0 R/F1 5 0 R>>/XObject<</X1 10 0 R>>>>';
      const objects = { [at.resources]: resources, 50: own[at.font] ?? '' };
      return revise(await handMade(world, { objects }), { objects: { 50: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>' } });
    },
  ],
  'page-in-the-security-store': [
    'the DSS names the page, and so its content passes for validation data',
    async ({ world }) => {
      const objects = { [at.catalog]: withEntries(own[at.catalog] ?? '', '/DSS 50 0 R'), 50: '<</Type/DSS/Certs[3 0 R]>>' };
      return revise(await handMade(world, { objects }), { objects: { [at.content]: evilContent } });
    },
  ],
  'length-moved-away-in-two-steps': [
    'an equal stream with its length elsewhere, another signature, then another length',
    async ({ bases: { table }, world }) => {
      const text = objectText(table, at.content);
      const length = Number(/\/Length (\d+)/.exec(text)?.[1]);
      const data = text.slice(text.indexOf('stream'));
      const more = '\nendstream\n1 1 1 rg 0 0 595 842 re f';
      const body = data.replace('\nendstream', `${more}\nendstream`);
      const first = revise(table, { objects: { [at.content]: `<</Length 70 0 R>>\n${body}`, 70: String(length) } });
      return revise(await sign(first, world, 'rui'), { objects: { 70: String(length + more.length) } });
    },
  ],
});

const reveal = { [at.page]: page.replace('/Contents 4 0 R', '/Contents[4 0 R 50 0 R]') };
const revealed = streamText('1 1 1 rg 0 0 595 842 re f BT /F1 24 Tf 60 700 Td (Outro contrato) Tj ET');

/** Hide and replace: the other document is prepared for in the signed bytes, and comes out later. */
export const hideAndReplace = family('SHADOW_HIDE_AND_REPLACE', {
  'hidden-object-switched-on': [
    'a second definition inside the signed bytes becomes the one in force',
    async ({ world }) => {
      const lead = `4 0 obj\n${revealed}\nendobj\n`;
      const base = await handMade(world, { lead });
      const offset = latin1Text(base).indexOf('4 0 obj');
      return revise(base, { rows: { [at.content]: { offset } } });
    },
  ],
  'hidden-catalog-switched-on': [
    'another catalog inside the signed bytes becomes the root',
    async ({ world }) => {
      const objects = {
        50: '<</Type/Catalog/Pages 51 0 R/AcroForm 20 0 R>>',
        51: '<</Type/Pages/Kids[9 0 R]/Count 1/MediaBox[0 0 595 842]>>',
      };
      return revise(await handMade(world, { objects }), { root: '50 0 R' });
    },
  ],
  'dangling-content-defined': [
    'the page refers to content that is not there when it is signed',
    async ({ world }) => revise(await handMade(world, { objects: reveal }), { objects: { 50: revealed } }),
  ],
  'dangling-content-as-container': [
    'the same, defined as a stream that calls itself an object stream',
    async ({ world }) =>
      revise(await handMade(world, { objects: reveal }), { objects: { 50: revealed.replace('<<', '<</Type/ObjStm/N 0/First 0') } }),
  ],
  'dangling-entry-in-a-later-container': [
    'an entry for an object stream that is not there when it is signed',
    async ({ world }) => {
      const page2 = '<</Type/Page/Parent 2 0 R/Resources 7 0 R/Contents 50 0 R>>';
      const base = await handMade(world, { form: 'stream', objects: reveal, rows: { 50: { stream: 51, index: 0 } } });
      return revise(base, { objects: { 51: objectStream({ 50: page2 }) } });
    },
  ],
  'entry-beyond-the-end': [
    'an entry that points behind the end of the signed file, where something is put later',
    async ({ world }) => {
      const base = await handMade(world, { objects: reveal, rows: { 50: { offset: 30_000 } } });
      const lead = ' '.repeat(30_000 - base.length);
      return revise(base, { lead: `${lead}50 0 obj\n${revealed}\nendobj\n`, objects: { [at.free]: '<<>>' } });
    },
  ],
  'entry-at-the-end-mark': [
    'an entry that points at the last %%EOF, a comment that readers skip',
    async ({ world }) => {
      const draft = await handMade(world, { objects: reveal, rows: { 50: { offset: 1_000_000 } } });
      const offset = draft.length - 6;
      const base = await handMade(world, { objects: reveal, rows: { 50: { offset } } });
      return revise(base, { lead: `50 0 obj\n${revealed}\nendobj\n`, objects: { [at.free]: '<<>>' } });
    },
  ],
  'string-open-at-the-end': [
    'a string that nobody closes in the signed file: what is appended ends it and goes on',
    async ({ world }) => {
      const objects = { [at.page]: page.replace('/Contents 4 0 R', '/Contents 50 0 R') };
      const open = '50 0 obj\n[4 0 R (';
      const draft = await handMade(world, { objects, rows: { 50: { offset: 1_000_000 } }, tail: open });
      const offset = latin1Text(draft).indexOf('50 0 obj');
      const base = await handMade(world, { objects, rows: { 50: { offset } }, tail: open });
      return revise(base, { lead: `) ${at.free} 0 R]\nendobj\n`, objects: { [at.free]: revealed } });
    },
  ],
  'stream-open-at-the-end': [
    'a stream whose length reaches behind the end of the signed file',
    async ({ world }) => {
      const tail = `50 0 obj\n<</Length 20000>>\nstream\n`;
      const draft = await handMade(world, { objects: reveal, rows: { 50: { offset: 1_000_000 } }, tail });
      const offset = latin1Text(draft).indexOf('50 0 obj');
      const base = await handMade(world, { objects: reveal, rows: { 50: { offset } }, tail });
      const data = offset + tail.length;
      return revise(base, { lead: `${' '.repeat(20_000 - (base.length - data))}\nendstream\nendobj\n`, objects: { [at.free]: '<<>>' } });
    },
  ],
  'stream-without-an-end': [
    'a stream without length and end word runs to the end of the file, wherever that is',
    async ({ world }) => {
      const tail = `50 0 obj\n<<>>\nstream\n`;
      const draft = await handMade(world, { objects: reveal, rows: { 50: { offset: 1_000_000 } }, tail });
      const offset = latin1Text(draft).indexOf('50 0 obj');
      const base = await handMade(world, { objects: reveal, rows: { 50: { offset } }, tail });
      return revise(base, { lead: `1 1 1 rg 0 0 595 842 re f\n`, objects: { [at.free]: '<<>>' } });
    },
  ],
  'section-beyond-the-end': [
    'Prev of the signed file points behind its end, where a section is put later',
    async ({ world }) => {
      const base = await handMade(world, { objects: reveal, prev: 30_000 });
      const lead = ' '.repeat(30_000 - base.length);
      return revise(base, {
        lead: `${lead}xref\n50 1\n0000030100 00000 n \ntrailer\n<</Root 1 0 R/Size 60>>\n${' '.repeat(100)}50 0 obj\n${revealed}\nendobj\n`,
        objects: { [at.free]: '<<>>' },
      });
    },
  ],
  'hybrid-stream-beyond-the-end': [
    'XRefStm of the signed file points behind its end, where a stream is put later',
    async ({ world }) => {
      const base = await handMade(world, { objects: reveal, trailer: '/Info 6 0 R/XRefStm 30000' });
      const gap = ' '.repeat(30_000 - base.length);
      const rows = '0100007600'.padStart(10, '0');
      const stream = `70 0 obj\n<</Type/XRef/W[1 3 1]/Index[50 1]/Size 60/Filter/ASCIIHexDecode/Length ${rows.length}>>\nstream\n${rows}\nendstream\nendobj\n`;
      const offset = 0x7600;
      const lead = gap + stream + ' '.repeat(offset - 30_000 - stream.length);
      return revise(base, { lead: `${lead}50 0 obj\n${revealed}\nendobj\n`, objects: { [at.free]: '<<>>' } });
    },
  ],
  'field-not-on-a-page': [
    'a signed field with an appearance stands on no page, and is put on one',
    async ({ world }) => {
      const field = '<</Type/Annot/Subtype/Widget/FT/Tx/T(oculto)/Ff 1/V(Valor: 1,00)/F 4/Rect[50 690 450 750]/AP<</N 50 0 R>>>>';
      const form = (own[at.form] ?? '').replace('/Fields[', '/Fields[51 0 R ');
      const base = await handMade(world, { objects: { [at.form]: form, 50: overlay, 51: field } });
      return revise(base, { objects: { [at.page]: page.replace('/Annots[', '/Annots[51 0 R ') } });
    },
  ],
  'hidden-in-an-older-revision': [
    'the first revision of a file signed later is brought back',
    ({ bases: { both } }) => {
      const first = latin1Text(both).indexOf(`${at.boxOfAna} 0 obj`);
      return first === offsetOf(both, at.boxOfAna) ? both : revise(both, { rows: { [at.boxOfAna]: { offset: first } } });
    },
    { field: 'rui' },
  ],
});
