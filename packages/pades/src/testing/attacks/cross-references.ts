import { latin1Bytes, latin1Text } from '../../pdf/objects.ts';
import { at, compressedObjects, container, handMade, objectStream } from './bases.ts';
import { family } from './variant.ts';
import { edit, numberOf, objectText, offsetOf, revise, streamText } from './write-revision.ts';
import { evilContent } from './savings.ts';

const nothing = { [at.free]: '<<>>' };

/** Cross-references that lead two readers to two documents. */
export const xref = family('XREF', {
  'hybrid-update': [
    'an update with table and stream, the stream naming another content',
    ({ bases: { table } }) => {
      const rows = (offset: number): string => `01${offset.toString(16).padStart(8, '0')}00`;
      const lead = `${at.content + 60} 0 obj\n${evilContent}\nendobj\n`;
      const stream = `65 0 obj\n<</Type/XRef/W[1 4 1]/Index[4 1]/Size 70/Filter/ASCIIHexDecode/Length 12>>\nstream\n${rows(table.length)}\nendstream\nendobj\n`;
      const offset = table.length + lead.length;
      return revise(table, { lead: lead.replace('64 0 obj', ' 4 0 obj') + stream, objects: nothing, trailer: `/XRefStm ${offset}` });
    },
  ],
  'two-entries-in-a-table': [
    'an object twice in one table',
    ({ bases: { table } }) => {
      const row = `${String(offsetOf(table, at.secondContent)).padStart(10, '0')} 00000 n \n`;
      return revise(table, { objects: nothing, section: (text) => text.replace('xref\n', `xref\n4 1\n${row}4 1\n${row}`) });
    },
  ],
  'two-entries-in-a-stream': [
    'an object twice in one cross-reference stream',
    ({ bases: { stream } }) =>
      revise(stream, {
        objects: nothing,
        section: (text) =>
          text
            .replace('/Index[', '/Index[60 1 ')
            .replace(/\nstream\n(.{18})/, '\nstream\n$1$1')
            .replace(/\/Length (\d+)/, (_, n: string) => `/Length ${Number(n) + 18}`),
      }),
  ],
  'prev-to-itself': [
    'Prev leads to the update itself',
    ({ bases: { table } }) =>
      revise(table, {
        objects: { [at.content]: evilContent },
        section: (text) => text.replace(/\/Prev \d+/, (found) => `/Prev ${String(99999).slice(0, found.length - 6)}`),
      }),
  ],
  'prev-loop': [
    'two updates whose Prev lead to one another',
    ({ bases: { table } }) => {
      const first = revise(table, { objects: { [at.content]: evilContent }, prev: table.length });
      return revise(first, { objects: nothing });
    },
  ],
  'prev-missing': [
    'an update that stands alone, with the page only',
    ({ bases: { table } }) => revise(table, { objects: { [at.page]: objectText(table, at.page) }, prev: null }),
  ],
  'prev-skips-the-signed-state': [
    'Prev leads past the signed state to an older one',
    ({ bases: { both } }) => {
      const [, older] = [...latin1Text(both).matchAll(/startxref\s+(\d+)/g)].map(([, start]) => Number(start));
      return revise(both, { objects: nothing, prev: older ?? 0 });
    },
    { field: 'rui' },
  ],
  'prev-into-a-stream': [
    'Prev leads to a section inside a stream of the update',
    ({ bases: { table } }) => {
      const inner = streamText(`xref\n4 1\n0000000015 00000 n \ntrailer\n<</Root 1 0 R/Size 60>>\n`);
      const lead = `61 0 obj\n${inner}\nendobj\n`;
      return revise(table, { lead, objects: nothing, prev: table.length + lead.indexOf('xref') });
    },
  ],
  'startxref-zero': [
    'startxref 0',
    ({ bases: { table } }) => revise(table, { objects: { [at.content]: evilContent }, startxref: () => 0 }),
  ],
  'startxref-beyond-the-end': [
    'startxref behind the end',
    ({ bases: { table } }) => revise(table, { objects: { [at.content]: evilContent }, startxref: (n) => n + 100_000 }),
  ],
  'startxref-twice': [
    'two startxref, the honest one last',
    ({ bases: { table } }) =>
      revise(table, { objects: { [at.content]: evilContent }, ending: `startxref\n${table.length}\nstartxref\n15\n%%EOF\n` }),
  ],
  'entry-into-the-signed-area': [
    'an entry to an object with another number inside the signed bytes',
    ({ bases: { table } }) => revise(table, { rows: { [at.content]: { offset: offsetOf(table, at.secondContent) } } }),
  ],
  'new-number-into-the-signed-area': [
    'a new number whose entry leads into the signed bytes',
    ({ bases: { table } }) => revise(table, { rows: { [at.free]: { offset: offsetOf(table, at.content) } } }),
  ],
  'entry-beyond-the-file': [
    'an entry behind the end of the file',
    ({ bases: { table } }) => revise(table, { rows: { [at.content]: { offset: 900_000 } } }),
  ],
  'entry-freed': ['the content is freed', ({ bases: { table } }) => revise(table, { rows: { [at.content]: 'free' } })],
  'entry-freed-in-a-stream': [
    'the same in a cross-reference stream',
    ({ bases: { stream } }) => revise(stream, { rows: { [at.content]: 'free' } }),
  ],
  'generation-raised': [
    'the content under its number and the next generation',
    ({ bases: { table } }) => revise(table, { rows: { [at.content]: { offset: offsetOf(table, at.content), gen: 1 } } }),
  ],
  'size-too-small': ['a Size that ends before the signed objects', ({ bases: { table } }) => revise(table, { objects: nothing, size: 4 })],
  'trailer-without-root': [
    'a trailer without Root',
    ({ bases: { table } }) => revise(table, { objects: { [at.content]: evilContent }, section: (text) => text.replace('/Root 1 0 R', '') }),
  ],
  'trailer-encrypts': [
    'a trailer that says the file is encrypted',
    ({ bases: { table } }) => revise(table, { objects: nothing, trailer: '/Encrypt<</Filter/Standard/V 1/R 2/O()/U()/P -4>>' }),
  ],
  'entry-one-byte-off': [
    'the entry of an update is one byte off, so that some readers rebuild the file and find what no entry names',
    ({ bases: { table } }) =>
      revise(table, {
        lead: `4 0 obj\n${evilContent}\nendobj\n`,
        objects: nothing,
        rows: { [at.open]: { offset: offsetOf(table, at.open) + 1 } },
      }),
  ],
  'object-stream-redefined': [
    'the object stream of the signed page is written anew under its number: no entry of the page changes',
    ({ bases: { compressed } }) => {
      const held = { ...compressedObjects(), [at.page]: '<</Type/Page/Parent 2 0 R/Resources 7 0 R/Contents 11 0 R>>' };
      return revise(compressed, { objects: { [container]: objectStream(held) } });
    },
  ],
  'object-stream-freed': [
    'the object stream is freed',
    ({ bases: { compressed } }) => revise(compressed, { rows: { [container]: 'free' } }),
  ],
  'object-stream-names-an-object-twice': [
    'an update whose object stream defines a filled field twice',
    ({ bases: { compressed } }) => {
      const honest = objectText(compressed, at.open).replace(/>>$/, '/V(sim)>>');
      const text = objectStream({ [at.open]: honest, 59: honest.replace('sim', 'nao') }).replace('59 ', `${at.open} `);
      return revise(compressed, { objects: { 58: text }, rows: { [at.open]: { stream: 58, index: 0 } } });
    },
  ],
  'page-moved-into-an-object-stream': [
    'the page, with another content, inside an object stream of an update',
    ({ bases: { stream } }) => {
      const page = objectText(stream, at.page).replace('/Contents 4 0 R', '/Contents 11 0 R');
      return revise(stream, { objects: { 58: objectStream({ [at.page]: page }) }, rows: { [at.page]: { stream: 58, index: 0 } } });
    },
  ],
  'object-with-another-number': [
    'the entry of the content leads to an appended object with another number',
    ({ bases: { table } }) =>
      revise(table, { lead: `70 0 obj\n${evilContent}\nendobj\n`, rows: { [at.content]: { offset: table.length } } }),
  ],
  'number-with-leading-zeros': [
    'the content again, its number spelled with zeros',
    ({ bases: { table } }) =>
      revise(table, { lead: `0004 0 obj\n${evilContent}\nendobj\n`, rows: { [at.content]: { offset: table.length } } }),
  ],
  'trailer-not-linked': [
    'an update carries a second trailer, with another root, that nothing leads to',
    ({ bases: { table } }) =>
      revise(table, { objects: { [at.free]: '<</Type/Catalog/Pages 9 0 R>>' }, tail: `trailer\n<</Root ${at.free} 0 R/Size 70>>\n` }),
  ],
  'huge-index': [
    'a cross-reference stream that speaks of eight million objects',
    ({ bases: { stream } }) =>
      revise(stream, { objects: { [at.content]: evilContent }, section: (text) => text.replace(/\/Index\[[^\]]*\]/, '/Index[0 8388000]') }),
  ],
  'bytes-before-the-header': [
    'bytes before the header move everything',
    ({ bases: { table } }) => latin1Bytes(`lixo\n${latin1Text(table)}`),
  ],
  'signature-dictionary-anew': [
    'the signature dictionary is written anew, with another handler',
    ({ bases: { table } }) => edit(table, numberOf(table, '/ETSI.CAdES.detached'), (text) => text.replace('Adobe.PPKLite', 'Adobe.PPKMS')),
  ],
  'base-names-an-object-twice': [
    'the signed table names an object twice, and the update replaces it',
    ({ world }) =>
      handMade(world, { section: (text) => text.replace('xref\n', 'xref\n4 1\n0000000015 00000 n \n') }).then((base) =>
        edit(base, at.content, (text) => text.replace('100,00', '900,00')),
      ),
  ],
});
