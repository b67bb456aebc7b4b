import { latin1Bytes, latin1Text } from '../../pdf/objects.ts';
import { at } from './bases.ts';
import { signatureText } from './forge-signature.ts';
import { family } from './variant.ts';
import type { Variant } from './variant.ts';
import { edit, numberOf, objectText, overwrite, revise } from './write-revision.ts';

const evil = 'BT /F1 24 Tf 60 700 Td (Valor: 900,00) Tj ET';

/** The signature's own object, written anew by an update. */
function anew(change: (text: string) => string): Variant['make'] {
  return ({ bases: { table } }) => edit(table, numberOf(table, '/ETSI.CAdES.detached'), change);
}

const range = /\/ByteRange \[[^\]]*\] */;
const contents = /\/Contents <[0-9a-f]*>/;

/** Universal forgery: a value that makes a verifier stumble, while the panel still shows a signature. */
export const usf = family('USF', {
  'byte-range-missing': ['no ByteRange at all', ({ bases }) => overwrite(bases.table, range, () => '')],
  'byte-range-null': ['ByteRange null', ({ bases }) => overwrite(bases.table, range, () => '/ByteRange null')],
  'byte-range-empty': ['ByteRange without numbers', ({ bases }) => overwrite(bases.table, range, () => '/ByteRange []')],
  'byte-range-zeros': ['ByteRange of nothing', ({ bases }) => overwrite(bases.table, range, () => '/ByteRange [0 0 0 0]')],
  'byte-range-negative': [
    'a negative number in ByteRange',
    ({ bases }) => overwrite(bases.table, range, (found) => found.replace('[0', '[-1').slice(0, found.length)),
  ],
  'byte-range-of-two': ['only one range', ({ bases }) => overwrite(bases.table, range, (found) => found.replace(/(\[\d+ \d+).*/, '$1]'))],
  'byte-range-of-names': ['names for numbers', ({ bases }) => overwrite(bases.table, range, () => '/ByteRange [/a /b /c /d]')],
  'byte-range-of-strings': ['strings for numbers', ({ bases }) => overwrite(bases.table, range, () => '/ByteRange [(0)(1)(2)(3)]')],
  'byte-range-beyond-the-end': [
    'a range longer than the file',
    ({ bases }) => overwrite(bases.table, range, (found) => found.replace(/ \d+\] *$/, ' 9999]')),
  ],
  'byte-range-fraction': [
    'a fraction in ByteRange',
    ({ bases }) => overwrite(bases.table, range, (found) => found.replace('/ByteRange [0 ', '/ByteRange[.5 ')),
  ],
  'contents-missing': ['no Contents', anew((text) => text.replace(contents, ''))],
  'contents-null': ['Contents null', anew((text) => text.replace(contents, '/Contents null'))],
  'contents-empty': ['Contents of no byte', anew((text) => text.replace(contents, '/Contents <>'))],
  'contents-0x00': ['Contents of one zero byte', anew((text) => text.replace(contents, '/Contents <00>'))],
  'contents-number': ['Contents a number', anew((text) => text.replace(contents, '/Contents 0'))],
  'contents-reference': [
    'Contents behind a reference, so that the gap is not in the dictionary',
    ({ bases: { table } }) => {
      const num = numberOf(table, '/ETSI.CAdES.detached');
      const text = objectText(table, num);
      const value = (contents.exec(text)?.[0] ?? '').replace('/Contents ', '');
      return revise(table, { objects: { [num]: text.replace(contents, `/Contents ${at.free} 0 R`), [at.free]: value } });
    },
  ],
  'contents-garbage': [
    'Contents of a few bytes that are no CMS',
    ({ bases }) => overwrite(bases.table, contents, (found) => `/Contents <deadbeef${'0'.repeat(found.length - 20)}>`.padEnd(found.length)),
  ],
  'sub-filter-unknown': ['a SubFilter nobody knows', anew((text) => text.replace('/ETSI.CAdES.detached', '/adbe.unknown'))],
  'signature-null': [
    'the field forgets its value',
    ({ bases }) => edit(bases.table, at.ana, (text) => text.replace(/\/V \d+ 0 R/, '/V null')),
  ],
  'signature-array': [
    'the value is wrapped in an array',
    ({ bases }) => edit(bases.table, at.ana, (text) => text.replace(/\/V (\d+ 0 R)/, '/V [$1]')),
  ],
});

/** Cuts the second signed part off, to be wrapped again further down. */
function halves(table: Uint8Array): { head: string; hex: string; tail: string } {
  const text = latin1Text(table);
  const found = contents.exec(text);
  if (found === null) throw new Error('no signature');
  const start = found.index + '/Contents '.length;
  const end = found.index + found[0].length;
  return { head: text.slice(0, start), hex: text.slice(start, end), tail: text.slice(end) };
}

function claims(text: string, gapStart: number, gapEnd: number, rest: number): string {
  const found = range.exec(text)?.[0] ?? '';
  return text.replace(found, `/ByteRange [0 ${gapStart} ${gapEnd} ${rest}]`.padEnd(found.length));
}

/** Wrapping: the signed bytes are all there, and something else stands in the gap. */
export const swa = family('SWA', {
  'gap-enlarged': [
    'an object in the gap behind Contents',
    ({ bases }) => {
      const { head, hex, tail } = halves(bases.table);
      const wedge = `\n4 0 obj\n<</Length ${evil.length}>>\nstream\n${evil}\nendstream\nendobj\n`;
      const whole = claims(head, head.length, head.length + hex.length + wedge.length, tail.length);
      return latin1Bytes(whole + hex + wedge + tail);
    },
  ],
  'second-part-moved': [
    'the second signed part moved behind an update that is not signed, and a dictionary that says so',
    ({ bases }) => {
      const { head, hex, tail } = halves(bases.table);
      const first = latin1Text(
        revise(bases.table, { objects: { [at.content]: `<</Length ${evil.length}>>\nstream\n${evil}\nendstream` } }),
      );
      const gapEnd = first.length;
      return latin1Bytes(claims(head, head.length, gapEnd, tail.length) + hex + first.slice(head.length + hex.length) + tail);
    },
  ],
  'dictionary-anew-with-wider-gap': [
    'the dictionary is written anew with a ByteRange that leaves out what follows the old one',
    ({ bases: { table } }) => {
      const { head, hex, tail } = halves(table);
      return edit(table, numberOf(table, '/ETSI.CAdES.detached'), (text) =>
        claims(text, head.length, head.length + hex.length, tail.length - 9),
      );
    },
  ],
  'dictionary-copied': [
    'a copy of the dictionary, digits of ByteRange and all, becomes the value',
    ({ bases: { table } }) => {
      const copy = objectText(table, numberOf(table, '/ETSI.CAdES.detached'));
      return edit(table, at.ana, (text) => text.replace(/\/V \d+ 0 R/, `/V ${at.free} 0 R`), { objects: { [at.free]: copy } });
    },
  ],
  'copied-in-a-new-field': [
    'a new visible field shows a copy of the signature',
    ({ bases: { table } }) => {
      const copy = objectText(table, numberOf(table, '/ETSI.CAdES.detached'));
      const field = `<</Type/Annot/Subtype/Widget/FT/Sig/T(copia)/F 4/P 3 0 R/Rect[50 690 400 730]/V ${at.free} 0 R/AP<</N 10 0 R>>>>`;
      return shownField(table, field, { [at.free]: copy });
    },
  ],
  'gap-with-two-strings': [
    'two hexadecimal strings in the gap',
    ({ bases }) => overwrite(bases.table, contents, (found) => `${found.slice(0, 2000)}><${found.slice(2002)}`),
  ],
  'space-in-the-gap': [
    'white space inside the hexadecimal digits, which the range leaves out',
    ({ bases }) => overwrite(bases.table, contents, (found) => `${found.slice(0, -5)}    >`),
  ],
  'range-ends-early': [
    'the range ends before the end of its revision',
    ({ bases }) => overwrite(bases.table, range, (found) => found.replace(/(\d+)\s*\]\s*/, (_, n: string) => `${Number(n) - 6}]`)),
  ],
  'second-signature-overlaps': [
    'a further signature whose gap lies inside what is signed',
    ({ bases: { table } }) => {
      const { head, hex, tail } = halves(table);
      const copy = claims(signatureText(), head.length, head.length + hex.length, tail.length);
      const field = `<</Type/Annot/Subtype/Widget/FT/Sig/T(outra)/F 132/P 3 0 R/Rect[0 0 0 0]/V ${at.free} 0 R>>`;
      return shownField(table, field, { [at.free]: copy.replace(/\/Contents <0+>/, `/Contents ${hex}`) });
    },
  ],
});

/** A new field in the form and on the first page. */
export function shownField(bytes: Uint8Array, field: string, objects: Record<number, string> = {}, num: number = at.free + 5): Uint8Array {
  const page = objectText(bytes, at.page).replace(/\/Annots\s*\[/, (found) => `${found}${num} 0 R `);
  const form = objectText(bytes, at.form).replace(/\/Fields\s*\[/, (found) => `${found}${num} 0 R `);
  return revise(bytes, { objects: { ...objects, [at.page]: page, [at.form]: form, [num]: field } });
}
