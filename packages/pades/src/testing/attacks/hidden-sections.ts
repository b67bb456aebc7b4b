import { latin1Text } from '../../pdf/objects.ts';
import { at, compressedObjects, container, contract, handMade, objectStream } from './bases.ts';
import type { Bases } from './bases.ts';
import { evilContent } from './savings.ts';
import { family } from './variant.ts';
import type { Tricks, Variant } from './variant.ts';
import { edit, objectText, offsetOf, revise, withEntries } from './write-revision.ts';
import type { RevisionText, Row } from './write-revision.ts';

const own = contract();
const other = (own[at.page] ?? '').replace('/Contents 4 0 R', '/Contents 62 0 R');

/** What a stream beside the table of an update says: everything that readers need of it can be told elsewhere, or oddly. */
interface Beside {
  readonly dict?: (plain: string, length: number) => string;
  /** Objects that the stream moves into an object stream. */
  readonly moves?: Readonly<Record<number, string>>;
  readonly more?: RevisionText;
  /** How the trailer names it. */
  readonly named?: (offset: number) => string;
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** An honest table, and a stream beside it that moves a page into an object stream. */
function beside(base: Uint8Array, { dict = (plain) => plain, moves = { [at.page]: other }, more = {}, named }: Beside = {}): Uint8Array {
  const start = base.length;
  const holder = `61 0 obj\n${objectStream(moves)}\nendobj\n`;
  const content = `62 0 obj\n${evilContent}\nendobj\n`;
  const offset = start + holder.length + content.length;
  const numbers = Object.keys(moves).map(Number);
  const index = [...numbers.flatMap((num) => [num, 1]), 61, 1, 62, 1, 63, 1].join(' ');
  const rows = [
    ...numbers.map((_, place) => `02${hex(61, 8)}${hex(place, 4)}`),
    `01${hex(start, 8)}0000`,
    `01${hex(start + holder.length, 8)}0000`,
    `01${hex(offset, 8)}0000`,
  ].join('');
  const plain = `/Type/XRef/W[1 4 2]/Index[${index}]/Size 64/Root 1 0 R/Filter/ASCIIHexDecode/Length ${rows.length}`;
  const stream = `63 0 obj\n<<${dict(plain, rows.length)}>>\nstream\n${rows}\nendstream\nendobj\n`;
  return revise(base, {
    form: 'table',
    size: 72,
    ...more,
    lead: holder + content + stream + (more.lead ?? ''),
    trailer: named?.(offset) ?? `/XRefStm ${offset}`,
  });
}

const elsewhere = (key: RegExp, value: string, text: string): Beside => ({
  dict: (plain) => plain.replace(key, `${text} 70 0 R`),
  more: { objects: { 70: value } },
});

const onBase = (base: keyof Bases, how: Beside = { dict: (plain) => plain.replace('/Type/XRef', '') }): Variant['make'] => {
  return ({ bases }) => beside(bases[base], how);
};

const streams: Tricks = {
  'stream-read-by-all': ['the stream beside the table is proper', onBase('table', {})],
  'stream-without-type': ['it has no Type: many read it all the same', onBase('table')],
  'stream-type-elsewhere': ['its Type is a reference', onBase('table', elsewhere(/\/Type\/XRef/, '/XRef', '/Type'))],
  'stream-type-misspelled': ['its Type is another name', onBase('table', { dict: (plain) => plain.replace('/XRef', '/Xref') })],
  'stream-widths-elsewhere': ['its W is a reference', onBase('table', elsewhere(/\/W\[[^\]]*\]/, '[1 4 2]', '/W'))],
  'stream-index-elsewhere': [
    'its Index is a reference',
    onBase('table', { ...elsewhere(/\/Index\[[^\]]*\]/, '[3 1 61 1 62 1 63 1]', '/Index') }),
  ],
  'stream-size-elsewhere': ['its Size is a reference', onBase('table', elsewhere(/\/Size 64/, '64', '/Size'))],
  'stream-length-elsewhere': [
    'its Length is a reference',
    onBase('table', { dict: (plain) => plain.replace(/\/Length \d+/, '/Length 70 0 R'), more: { objects: { 70: '56' } } }),
  ],
  'stream-filter-elsewhere': [
    'its Filter is a reference',
    onBase('table', elsewhere(/\/Filter\/ASCIIHexDecode/, '/ASCIIHexDecode', '/Filter')),
  ],
  'stream-widths-of-four': ['its W has a fourth number', onBase('table', { dict: (plain) => plain.replace('[1 4 2]', '[1 4 2 0]') })],
  'stream-widths-with-points': [
    'its W is written with points',
    onBase('table', { dict: (plain) => plain.replace('[1 4 2]', '[1. 4. 2.]') }),
  ],
  'stream-type-twice': ['its Type is said twice', onBase('table', { dict: (plain) => plain.replace('/XRef', '/X/Type/XRef') })],
  'stream-named-by-reference': [
    'the trailer names it by a reference to a number',
    ({ bases }) => beside(bases.table, { named: (offset) => `/XRefStm 70 0 R %${offset}\n` }),
  ],
  'stream-named-with-a-point': ['the number is written with a point', onBase('table', { named: (offset) => `/XRefStm ${offset}.0` })],
  'stream-named-with-a-sign': ['the number has a sign', onBase('table', { named: (offset) => `/XRefStm +${offset}` })],
  'stream-named-twice': ['it is named twice, once wrongly', onBase('table', { named: (offset) => `/XRefStm 15/XRefStm ${offset}` })],
  'stream-of-a-signed-place': [
    'it is named at a place inside the signed bytes, where a stream of another kind stands',
    ({ bases: { table } }) => revise(table, { objects: { 60: '<<>>' }, trailer: `/XRefStm ${offsetOf(table, at.content)}` }),
  ],
  'stream-beside-a-stream-file': ['a table with a stream, behind a file of streams', onBase('stream')],
  'stream-on-closed-certification': ['P=1', onBase('certified1')],
  'stream-on-form-certification': ['P=2', onBase('certified2')],
  'stream-on-open-certification': ['P=3', onBase('certified3')],
  'stream-moves-the-page-tree': [
    'the stream moves the page tree',
    onBase('table', {
      dict: (plain) => plain.replace('/Type/XRef', ''),
      moves: { [at.pages]: '<</Type/Pages/Kids[9 0 R]/Count 1/MediaBox[0 0 595 842]>>' },
    }),
  ],
  'stream-moves-the-catalog': [
    'the stream moves the catalog, and adds a script',
    onBase('table', {
      dict: (plain) => plain.replace('/Type/XRef', ''),
      moves: { [at.catalog]: withEntries(own[at.catalog] ?? '', '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>') },
    }),
  ],
  'stream-moves-a-box': [
    "the stream moves a signer's evidence box",
    onBase('table', {
      dict: (plain) => plain.replace('/Type/XRef', ''),
      moves: { [at.boxOfAna]: (own[at.boxOfAna] ?? '').replace('/V()', '/V(Recusado)') },
    }),
  ],
};

/** The compressed base with its held objects under other places. */
function places(rows: Readonly<Record<number, Row>>, objects: Readonly<Record<number, string>> = { 60: '<<>>' }): Variant['make'] {
  return ({ bases }) => revise(bases.compressed, { objects, rows });
}

const indexes: Tricks = {
  'place-of-another': ['the page at the place of the font', places({ [at.page]: { stream: container, index: 1 } })],
  'places-swapped': [
    'page and resources change places',
    places({ [at.page]: { stream: container, index: 2 }, [at.resources]: { stream: container, index: 0 } }),
  ],
  'place-behind-the-last': ['the page at a place behind the last', places({ [at.page]: { stream: container, index: 9 } })],
  'place-of-the-font': ['the font at the first place', places({ [at.font]: { stream: container, index: 0 } })],
  'place-without-a-definition': ['only rows, nothing else', places({ [at.font]: { stream: container, index: 2 } }, {})],
  'place-wrong-in-a-new-stream': [
    'a new stream holds the page again, at another place than its row says',
    ({ bases }) => {
      const held = compressedObjects();
      const objects = { 58: objectStream({ [at.page]: held[at.page] ?? '', 59: '<<>>' }) };
      return revise(bases.compressed, { objects, rows: { [at.page]: { stream: 58, index: 1 }, 59: { stream: 58, index: 0 } } });
    },
  ],
  'new-stream-holds-more': [
    'a new stream holds a page too that no row names',
    ({ bases }) => {
      const objects = { 58: objectStream({ [at.page]: other, 59: '<<>>' }), 62: evilContent };
      return revise(bases.compressed, { objects, rows: { 59: { stream: 58, index: 1 } } });
    },
  ],
  'new-stream-nobody-names': [
    'a new stream holds a page, and no row names anything of it',
    ({ bases }) => revise(bases.compressed, { objects: { 58: objectStream({ [at.page]: other }), 62: evilContent } }),
  ],
  'new-stream-is-not-listed': [
    'the same, and the stream itself has no row either',
    ({ bases }) => revise(bases.compressed, { objects: { 58: objectStream({ [at.page]: other }), 62: evilContent }, unlisted: [58] }),
  ],
  'new-stream-extends-the-old': [
    'a stream that extends the signed one, and holds the page anew',
    ({ bases }) => {
      const text = objectStream({ [at.page]: other }).replace('<<', `<</Extends ${container} 0 R`);
      return revise(bases.compressed, { objects: { 58: text, 62: evilContent } });
    },
  ],
  'new-stream-says-fewer': [
    'a stream that says it holds one object and holds two',
    ({ bases }) => {
      const text = objectStream({ 59: '<<>>', [at.page]: other }).replace('/N 2', '/N 1');
      return revise(bases.compressed, { objects: { 58: text, 62: evilContent }, rows: { 59: { stream: 58, index: 0 } } });
    },
  ],
  'row-in-a-stream-of-another-kind': [
    'the row of the page names a stream that holds no objects',
    places({ [at.page]: { stream: at.content, index: 0 } }),
  ],
};

/** An object written again as it was, in text that some read otherwise. */
function again(num: number, change: (text: string) => string, base: keyof Bases = 'table'): Variant['make'] {
  return ({ bases }) => edit(bases[base], num, change, { objects: { 62: evilContent } });
}

const spelled: Tricks = {
  'content-named-twice': [
    'Contents twice, the signed one last',
    again(at.page, (text) => text.replace('/Contents', '/Contents 62 0 R/Contents')),
  ],
  'content-named-twice-escaped': [
    'the same, once escaped',
    again(at.page, (text) => text.replace('/Contents', '/Conten#74s 62 0 R/Contents')),
  ],
  'content-named-twice-behind': ['Contents again behind it', again(at.page, (text) => text.replace(/>>$/, '/Contents 4 0 R>>'))],
  'kids-twice': ['Kids twice in the page tree', again(at.pages, (text) => text.replace('/Kids', '/Kids[9 0 R]/Kids'))],
  'rotate-null-first': ['an entry that is null the second time', again(at.page, (text) => withEntries(text, '/Rotate 180/Rotate null'))],
  'pages-twice-in-the-catalog': ['Pages twice in the catalog', again(at.catalog, (text) => text.replace('/Pages', '/Pages 9 0 R/Pages'))],
  'two-values': ['another value before endobj', again(at.page, (text) => `${text}\n${other}`)],
  'two-values-the-signed-last': ['another value, and then the signed one', again(at.page, (text) => `${other}\n${text}`)],
  'words-before-endobj': ['words before endobj', again(at.page, (text) => `${text}\n62 0 R`)],
  'comment-inside': [
    'a comment inside that ends where a carriage return stands',
    again(at.page, (text) => text.replace('<<', '<<%\r/Rotate 180%\n')),
  ],
  'end-word-missing': ['endobj is missing, and the next object follows', again(at.page, (text) => `${text}\n62 0 obj\n${evilContent}`)],
  'number-with-two-signs': ['numbers that are none', again(at.pages, (text) => text.replace('[0 0 595', '[0 --0 595'))],
  'number-with-an-exponent': ['a number with an exponent', again(at.pages, (text) => text.replace('595', '595e0'))],
  'stream-length-shortened': [
    'Length is too small, the data are all there',
    again(at.content, (text) => text.replace(/\/Length \d+/, '/Length 5')),
  ],
  'stream-length-too-large': ['Length is too large', again(at.content, (text) => text.replace(/\/Length \d+/, '/Length 900'))],
  'stream-length-with-a-point': ['Length is no whole number', again(at.content, (text) => text.replace(/\/Length (\d+)/, '/Length $1.5'))],
  'stream-word-with-a-carriage-return': [
    'a bare carriage return behind stream',
    again(at.content, (text) => text.replace('stream\n', 'stream\r')),
  ],
  'stream-ends-twice': [
    'data and end word twice',
    again(at.content, (text) => text.replace('\nendstream', '\nendstream\n1 1 1 rg 0 0 595 842 re f\nendstream')),
  ],
  'string-with-odd-digits': [
    'a hexadecimal string with letters that are no digits',
    again(at.info, (text) => text.replace('(Lavra)', '<4czz617672>')),
  ],
};

/** An honest update whose section is written oddly. */
function section(change: (text: string) => string, more: RevisionText = {}, base: keyof Bases = 'table'): Variant['make'] {
  return ({ bases }) => revise(bases[base], { objects: { 60: '<<>>' }, ...more, section: change });
}

const odd: Tricks = {
  'junk-between-objects': ['words between objects', section((text) => text, { lead: 'lixo\n' })],
  'dictionary-between-objects': ['a dictionary between objects', section((text) => text, { lead: `${other}\n` })],
  'object-in-a-comment': ['a definition in a comment', section((text) => text, { lead: `%4 0 obj ${'<<>>'} endobj\n` })],
  'new-number-not-listed': [
    'an object under a new number that nothing names',
    ({ bases }) => revise(bases.table, { objects: { 60: '<<>>', 61: other }, unlisted: [61] }),
  ],
  'object-behind-the-section': [
    'an object between the section and startxref',
    section((text) => `${text}4 0 obj\n${evilContent}\nendobj\n`),
  ],
  'section-nobody-leads-to': [
    'a section with another content, and a second one that goes on from the signed state',
    ({ bases: { table } }) => {
      const prev = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(latin1Text(table))?.[1]);
      return revise(revise(table, { objects: { [at.content]: evilContent } }), { objects: { 60: '<<>>' }, prev });
    },
  ],
  'two-startxref': [
    'a startxref of its own for the signed section first',
    ({ bases: { table } }) => {
      const prev = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(latin1Text(table))?.[1] ?? '';
      return revise(table, { objects: { 60: '<<>>' }, lead: `startxref\n${prev}\n%%EOF\n` });
    },
  ],
  'startxref-behind-the-end-mark': ['words behind the end mark', section((text) => text, { lead: '%%EOF 4 0 obj\n' })],
  'rows-of-nineteen-bytes': ['rows a byte too short', section((text) => text.replaceAll(' \n', '\n'))],
  'row-that-is-nowhere': ['an object in use that stands nowhere', section((text) => text, { rows: { 61: { offset: 0 } } })],
  'trailer-root-in-small-letters': ['another root in small letters', section((text) => text, { trailer: '/root 9 0 R' })],
  'trailer-with-a-comment': ['a comment in the trailer', section((text) => text.replace('trailer\n<<', 'trailer\n<<%\r/Root 9 0 R%\n'))],
  'trailer-word-wrong': ['another word for trailer', section((text) => text.replace('trailer', 'trailor'))],
  'prev-by-reference': ['Prev is a reference whose number is the offset', section((text) => text.replace(/\/Prev (\d+)/, '/Prev $1 0 R'))],
  'prev-with-a-point': ['Prev is no whole number', section((text) => text.replace(/\/Prev (\d+)/, '/Prev $1.7'))],
  'prev-whole-with-a-point': [
    'Prev is whole, with a point: some take it for none',
    section((text) => text.replace(/\/Prev (\d+)/, '/Prev $1.0')),
  ],
  'size-with-a-point': ['the same of Size', section((text) => text.replace(/\/Size (\d+)/, '/Size $1.0'))],
  'flags-with-a-point': [
    "a hidden field's flags, now with a point: some take them for none",
    async ({ world }) => {
      const hidden = (own[at.fixed] ?? '').replace('/F 4', '/F 2');
      return edit(await handMade(world, { objects: { [at.fixed]: hidden } }), at.fixed, (text) => text.replace('/F 2', '/F 2.0'));
    },
  ],
  'flags-without-their-point': [
    'flags that were signed with a point, now without',
    async ({ world }) => {
      const odd = (own[at.fixed] ?? '').replace('/F 4', '/F 2.0');
      return edit(await handMade(world, { objects: { [at.fixed]: odd } }), at.fixed, (text) => text.replace('/F 2.0', '/F 2'));
    },
  ],
  'signed-twice-now-once': [
    'a page that was signed with Contents twice is written again with one',
    async ({ world }) => {
      const twice = (own[at.page] ?? '').replace('/Contents', '/Contents 11 0 R/Contents');
      return edit(await handMade(world, { objects: { [at.page]: twice } }), at.page, (text) => text.replace('/Contents 11 0 R', ''));
    },
  ],
  'prev-zero': [
    'Prev is nought: some stop there, and know a part of the file only',
    section((text) => text.replace(/\/Prev \d+/, '/Prev 0')),
  ],
  'prev-zero-with-a-whole-document': [
    'the same, with everything but what covers the price',
    ({ bases: { table } }) => {
      const objects = Object.fromEntries([at.catalog, at.pages, at.page, at.content, at.font].map((num) => [num, objectText(table, num)]));
      return revise(table, { objects, section: (text) => text.replace(/\/Prev \d+/, '/Prev 0') });
    },
  ],
  'generation-of-a-new-definition': [
    'an object under another generation in its row than where it stands',
    ({ bases: { table } }) => revise(table, { objects: { 60: '<<>>' }, rows: { 60: { offset: table.length, gen: 3 } } }),
  ],
  'definition-of-a-later-section-earlier': [
    'two updates, the second names what stands before the first: who rebuilds the file finds the other',
    ({ bases: { table } }) => {
      const value = (text: string): string => withEntries(objectText(table, at.open), `/V(${text})`);
      const lead = `${at.open} 0 obj\n${value('cem')}\nendobj\n`;
      const once = revise(table, { lead, objects: { [at.open]: value('mil') } });
      return revise(once, { rows: { [at.open]: { offset: table.length } } });
    },
  ],
  'sections-share-a-place': [
    'a section that leads to itself by way of white space before it',
    ({ bases: { table } }) => revise(table, { objects: { 60: '<<>>' }, tail: '        ', startxref: (start) => start - 30 }),
  ],
  'stream-section-with-rows-too-many': [
    'a cross-reference stream with a row more than it says',
    section(
      (text) =>
        text
          .replace(/\/Length (\d+)/, (_, n: string) => `/Length ${Number(n) + 18}`)
          .replace('>\nendstream', `${'01'.padEnd(18, '0')}>\nendstream`),
      {},
      'stream',
    ),
  ],
  'stream-section-with-an-unknown-row': [
    'a cross-reference stream with a row of a type that nobody knows',
    section(
      (text) =>
        text
          .replace(/\/Index\[/, '/Index[3 1 ')
          .replace(/\nstream\n/, '\nstream\n050000000000000000')
          .replace(/\/Length (\d+)/, (_, n: string) => `/Length ${Number(n) + 18}`),
      {},
      'stream',
    ),
  ],
  'stream-section-with-index-elsewhere': [
    'a cross-reference stream whose Index is a reference',
    section((text) => text.replace(/\/Index\[[^\]]*\]/, '/Index 60 0 R'), { objects: { 60: '[3 1]' } }, 'stream'),
  ],
  'object-with-another-name-in-the-header': [
    'a definition whose number is spelled with zeros, beside the one that is named',
    section((text) => text, { lead: `0004 0 obj\n${evilContent}\nendobj\n` }),
  ],
  'size-beyond-which-readers-see-nothing': [
    'the signed Size hides an object from some readers, the update raises it',
    async ({ world }) => {
      const page = (own[at.page] ?? '').replace('/Contents 4 0 R', '/Contents[4 0 R 58 0 R]');
      const base = await handMade(world, { objects: { [at.page]: page, 58: evilContent }, size: 50 });
      return revise(base, { objects: { 60: '<<>>' }, size: 70 });
    },
  ],
};

/** What stands behind the signed bytes and is read by some otherwise than by others, or by nobody. */
export const sections = family('SECTIONS', { ...streams, ...indexes, ...spelled, ...odd });
