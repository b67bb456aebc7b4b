import { latin1Bytes, latin1Text } from '../../pdf/objects.ts';
import { at, sign } from './bases.ts';
import { family } from './variant.ts';
import { edit, numberOf, objectText, revise, streamText } from './write-revision.ts';

export const evilContent = streamText('BT /F1 24 Tf 60 700 Td (Valor: 900,00) Tj ET');

const join = (bytes: Uint8Array, text: string): Uint8Array => latin1Bytes(latin1Text(bytes) + text);
const evilObject = `${at.content} 0 obj\n${evilContent}\nendobj\n`;

/** Incremental saving: bytes behind the signed revision that some readers take for the document. */
export const isa = family('ISA', {
  'content-replaced': [
    'an update with another page content',
    ({ bases }) => revise(bases.table, { objects: { [at.content]: evilContent } }),
  ],
  'content-replaced-by-xref-stream': [
    'the same in a file of streams',
    ({ bases }) => revise(bases.stream, { objects: { [at.content]: evilContent } }),
  ],
  'content-replaced-between-signatures': [
    'an update between the first signature and the second',
    ({ bases, world }) => sign(revise(bases.table, { objects: { [at.content]: evilContent } }), world, 'rui'),
  ],
  'body-only': ['objects without cross-reference or trailer', ({ bases }) => join(bases.table, evilObject)],
  'body-and-trailer': [
    'objects and a trailer, no cross-reference',
    ({ bases }) => join(bases.table, `${evilObject}trailer\n<</Root 1 0 R/Size 60>>\n%%EOF\n`),
  ],
  'body-and-end-mark': ['objects and %%EOF', ({ bases }) => join(bases.table, `${evilObject}%%EOF\n`)],
  'without-startxref': [
    'an update whose startxref is missing',
    ({ bases }) => revise(bases.table, { objects: { [at.content]: evilContent }, ending: '%%EOF\n' }),
  ],
  'startxref-of-the-signed-state': [
    'the update repeats the signed startxref: only readers that rebuild see it',
    ({ bases }) => {
      const signed = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(latin1Text(bases.table))?.[1]);
      return revise(bases.table, { objects: { [at.content]: evilContent }, startxref: () => signed });
    },
  ],
  'definition-not-listed': [
    'a proper update carries one object that its cross-reference does not name',
    ({ bases }) => revise(bases.table, { objects: { [at.content]: evilContent, [at.free]: '<<>>' }, unlisted: [at.content] }),
  ],
  'catalog-copied': [
    'a copy of the catalog becomes the root',
    ({ bases }) =>
      revise(bases.table, {
        objects: { [at.free]: objectText(bases.table, at.catalog), [at.content]: evilContent },
        root: `${at.free} 0 R`,
      }),
  ],
  'signature-copied-along': [
    'content and a copy of the signature dictionary, so that verifiers look at the last one',
    ({ bases: { table } }) => {
      const num = numberOf(table, '/ETSI.CAdES.detached');
      return revise(table, { objects: { [at.content]: evilContent, [num]: objectText(table, num) } });
    },
  ],
  'end-mark-missing': [
    'an update without %%EOF',
    ({ bases }) => latin1Bytes(latin1Text(revise(bases.table, { objects: { [at.content]: evilContent } })).replace(/%%EOF\s*$/, '')),
  ],
});

/** Bytes behind the last %%EOF that no update explains. */
export const trailing = family('TRAILING', {
  'comment-behind-the-end': ['a comment', ({ bases }) => join(bases.table, '% nada\n')],
  'binary-behind-the-end': ['bytes that mean nothing', ({ bases }) => join(bases.table, '\x01\x02\x03')],
  'second-file-behind-the-end': [
    'a whole other PDF',
    ({ bases }) => join(bases.table, '%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n'),
  ],
  'object-behind-the-end': ['an object', ({ bases }) => join(bases.table, '70 0 obj\n<<>>\nendobj\n')],
  'archive-behind-the-end': ['a ZIP archive', ({ bases }) => join(bases.table, `PK\x03\x04${'\0'.repeat(40)}`)],
  'behind-a-proper-update': [
    'a comment behind an update that would be allowed',
    ({ bases }) =>
      join(
        edit(bases.table, at.open, (text) => text.replace(/>>$/, '/V(Brasil)>>')),
        '%%EOF\n4 0 obj\n<<>>\nendobj\n',
      ),
  ],
});
