import { extendPdf } from '../../extend/extend-pdf.ts';
import { openPdf } from '../../open-pdf.ts';
import { preparePdf } from '../../prepare/prepare-pdf.ts';
import { signPdf } from '../../sign/sign-pdf.ts';
import { memorySource } from '../../source.ts';
import { latin1Bytes, latin1Text } from '../../pdf/objects.ts';
import { append, at, handMade, sign } from './bases.ts';
import { honestCms } from './forge-signature.ts';
import { dressedField } from './other-readers.ts';
import { family } from './variant.ts';
import type { Variant } from './variant.ts';
import { edit, objectText, offsetOf, revise, streamText, withEntries } from './write-revision.ts';

/** A further signature in a field that it brings along. */
function signedInNewField(place: 'visible' | 'invisible'): Variant['make'] {
  return async ({ bases, world }) => {
    const where = place === 'visible' ? { at: { page: 1, rect: { x: 420, y: 80, width: 120, height: 60 } } } : {};
    const revision = await signPdf(await openPdf(memorySource(bases.table)), world.rui, {
      field: { name: 'terceira', ...where },
      signingTime: world.at,
      appearance: { text: 'Rui' },
      crypto: world.crypto,
    });
    return append(bases.table, revision);
  };
}

function archived(base: 'table' | 'stream' | 'certified1' | 'archived'): Variant['make'] {
  return async ({ bases, world }) => {
    const { timestamps, revocations, at: time, crypto } = world;
    return append(
      bases[base],
      await extendPdf(await openPdf(memorySource(bases[base])), 'B-LTA', { timestamps, revocations, at: time, crypto }),
    );
  };
}

const everything = (bytes: Uint8Array): Record<number, { offset: number }> => {
  const numbers = [...latin1Text(bytes).matchAll(/(?:^|[\r\n])(\d+) 0 obj\s/g)].map(([, num]) => Number(num));
  return Object.fromEntries(numbers.map((num) => [num, { offset: offsetOf(bytes, num) }]));
};

/** What honest people do to a signed file: nothing of it is an alarm. */
export const benign = family('BENIGN', {
  untouched: ['nothing', ({ bases }) => bases.table],
  'untouched-stream': ['nothing, with cross-reference streams', ({ bases }) => bases.stream],
  'untouched-compressed': ['nothing, with an object stream', ({ bases }) => bases.compressed],
  'untouched-certified': ['nothing, certified', ({ bases }) => bases.certified1],
  'empty-field-filled': ['a field is filled', ({ bases }) => edit(bases.table, at.open, (text) => withEntries(text, '/V(Brasil)'))],
  'empty-field-filled-with-look': [
    'a field is filled and drawn',
    ({ bases }) =>
      edit(bases.table, at.open, (text) => withEntries(text, `/V(Brasil)/AP<</N ${at.free} 0 R>>`), {
        objects: { [at.free]: streamText('BT ET', '/Type/XObject/Subtype/Form/BBox[0 0 150 40]/Resources 7 0 R') },
      }),
  ],
  'empty-field-filled-certified': [
    'P=2: a field is filled',
    ({ bases }) => edit(bases.certified2, at.open, (text) => withEntries(text, '/V(Brasil)')),
  ],
  'field-made-read-only': ['a field is closed', ({ bases }) => edit(bases.table, at.open, (text) => withEntries(text, '/Ff 1'))],
  'reserved-field-signed': ['the second signer signs', ({ bases }) => bases.both],
  'reserved-field-signed-stream': ['the same with cross-reference streams', ({ bases, world }) => sign(bases.stream, world, 'rui')],
  'reserved-field-signed-compressed': ['the same with an object stream', ({ bases, world }) => sign(bases.compressed, world, 'rui')],
  'reserved-field-signed-certified': ['P=2: the reserved field is signed', ({ bases, world }) => sign(bases.certified2, world, 'rui')],
  'invisible-signature': ['a further invisible signature', signedInNewField('invisible')],
  'visible-signature': ['a further visible signature, beside everything', signedInNewField('visible')],
  'empty-signature-field-added': [
    'an empty signature field',
    async ({ bases }) =>
      append(bases.table, await preparePdf(await openPdf(memorySource(bases.table)), { signatureFields: [{ name: 'depois' }] })),
  ],
  'signature-field-described': [
    'an empty signature field that says in words what it is, as PDF/UA-2 asks',
    ({ bases: { table } }) =>
      revise(table, {
        objects: {
          60: '<</Type/Annot/Subtype/Widget/FT/Sig/T(depois)/TU(Assinatura)/Contents(Assinatura)/F 132/P 3 0 R/Rect[0 0 0 0]>>',
          [at.page]: objectText(table, at.page).replace('/Annots[', '/Annots[60 0 R '),
          [at.form]: objectText(table, at.form).replace('/Fields[', '/Fields[60 0 R '),
        },
      }),
  ],
  'signature-field-with-an-empty-look': [
    'an empty signature field in sight with a look that shows nothing, as PDF/A asks',
    (context) => dressedField(context, ''),
  ],
  'room-not-zero': [
    'a signer who leaves in the rest of the room what was there',
    ({ world }) => handMade(world, { cms: async (facts) => Uint8Array.of(...(await honestCms(facts)), 0xde, 0xad, 0xbe, 0xef) }),
  ],
  'catalog-under-a-new-number': [
    'the catalog under a new number, with a DSS',
    ({ bases: { table } }) =>
      revise(table, { objects: { [at.free]: withEntries(objectText(table, at.catalog), '/DSS<<>>') }, root: `${at.free} 0 R` }),
  ],
  'page-tree-with-a-producer': [
    'iText writes its name into the page tree',
    ({ bases }) => edit(bases.table, at.pages, (text) => withEntries(text, '/ITXT(5.0.0)')),
  ],
  'look-written-over': [
    'a field is filled, its look written over where it stands',
    async ({ world }) => {
      const empty = streamText('/Tx BMC EMC', '/Type/XObject/Subtype/Form/BBox[0 0 150 40]/Resources 7 0 R');
      const base = await handMade(world, {
        objects: { [at.open]: withEntries(objectText(await handMade(world), at.open), '/AP 50 0 R'), 50: '<</N 51 0 R>>', 51: empty },
      });
      return edit(base, at.open, (text) => withEntries(text, '/V(Brasil)'), {
        objects: { 51: empty.replace('/Tx BMC EMC', 'BT (Br) ET') },
      });
    },
  ],
  'box-ticked': [
    'a box is ticked',
    async ({ world }) => {
      const states = '/V/Off/AS/Off/AP<</N<</Sim 50 0 R/Off 51 0 R>>>>';
      const look = streamText('', '/Type/XObject/Subtype/Form/BBox[0 0 150 40]');
      const own = objectText(await handMade(world), at.open).replace('/FT/Tx', '/FT/Btn');
      const base = await handMade(world, { objects: { [at.open]: withEntries(own, states), 50: look, 51: look } });
      return edit(base, at.open, (text) => text.replace('/V/Off/AS/Off', '/V/Sim/AS/Sim'));
    },
  ],
  'comments-between': [
    'a writer who names itself between its objects and its section',
    ({ bases }) => revise(bases.table, { objects: { [at.free]: '<<>>' }, tail: '%iText-5.5.13 (somebody)\n' }),
  ],
  archived: ['DSS and document timestamp', archived('table')],
  'archived-stream': ['the same with cross-reference streams', archived('stream')],
  'archived-certified': ['P=1: the same', archived('certified1')],
  'archived-again': ['the archive is renewed', archived('archived')],
  'identical-object': [
    'an object is written again as it was',
    ({ bases }) => revise(bases.table, { objects: { [at.content]: objectText(bases.table, at.content) } }),
  ],
  'identical-page-respaced': [
    'the page is written again with other spaces',
    ({ bases }) => edit(bases.table, at.page, (text) => text.replaceAll(/\s*\/Resources/g, '  /Resources')),
  ],
  'metadata-updated': [
    'other metadata',
    ({ bases }) => edit(bases.table, at.metadata, () => streamText('<x:xmpmeta>2</x:xmpmeta>', '/Type/Metadata/Subtype/XML')),
  ],
  'information-updated': [
    'another title and a date',
    ({ bases }) => edit(bases.table, at.info, () => '<</Title(Contrato assinado)/Author(Lavra)/ModDate(D:20260304050607Z)>>'),
  ],
  'resources-copied': [
    'the resources of a page get a new number',
    ({ bases }) =>
      edit(bases.table, at.page, (text) => text.replace(/\/Resources 7 0 R/, `/Resources ${at.free} 0 R`), {
        objects: { [at.free]: objectText(bases.table, at.resources) },
      }),
  ],
  'structure-extended': [
    'the logical structure grows by an element for a new signature field',
    ({ bases: { table } }) =>
      edit(table, at.element, (text) => text.replace('/K 0', '/K[0 60 0 R]'), {
        objects: {
          60: '<</Type/StructElem/S/Form/P 14 0 R/Pg 3 0 R/K<</Type/OBJR/Obj 61 0 R>>>>',
          61: '<</Type/Annot/Subtype/Widget/FT/Sig/T(nova)/F 4/P 3 0 R/Rect[0 0 0 0]/StructParent 1>>',
          [at.page]: objectText(table, at.page).replace('/Annots[', '/Annots[61 0 R '),
          [at.form]: objectText(table, at.form).replace('/Fields[', '/Fields[61 0 R '),
        },
      }),
  ],
  'widget-locked': ['a widget is locked and printed', ({ bases }) => edit(bases.table, at.open, (text) => text.replace('/F 4', '/F 132'))],
  'new-line-behind-the-end': ['a line end', ({ bases }) => latin1Bytes(`${latin1Text(bases.table)}\r\n`)],
  'white-space-behind-the-end': ['some white space', ({ bases }) => latin1Bytes(`${latin1Text(bases.table)}${' \n'.repeat(20)}`)],
  'cross-reference-in-full': [
    'a cross-reference that lists everything anew',
    ({ bases }) => revise(bases.table, { rows: everything(bases.table) }),
  ],
  'unused-object-added': ['an object nobody uses', ({ bases }) => revise(bases.table, { objects: { [at.free]: '<<>>' } })],
  'several-updates': [
    'filled twice over, then signed',
    async ({ bases, world }) => {
      const once = edit(bases.table, at.open, (text) => withEntries(text, '/V(Bra)'));
      const twice = edit(once, at.open, (text) => text.replace('(Bra)', '(Brasil)'));
      return sign(twice, world, 'rui');
    },
  ],
  'annotation-page-two-signed': [
    'the second signer signs a certified file with notes allowed',
    ({ bases, world }) => sign(bases.certified3, world, 'rui'),
  ],
});
