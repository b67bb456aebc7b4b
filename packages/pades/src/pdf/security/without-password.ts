import { PadesError } from '../../errors.ts';
import { readPermissions } from '../permissions.ts';
import { PdfRef, PdfStream, isDict, isName, latin1Bytes } from '../objects.ts';
import type { PdfDict, PdfObject } from '../objects.ts';
import type { Pdf } from '../pdf.ts';
import { ByteWriter, writeObject } from '../serialize.ts';

/** What of a trailer belongs to its section, or to the protection. */
const ofSection = new Set(['Size', 'Prev', 'XRefStm', 'Encrypt', 'Type', 'W', 'Index', 'Filter', 'DecodeParms', 'Length', 'DL']);
const maxOffset = 9_999_999_999;
/** Rows for numbers that nothing has, beyond which a table is mostly them. */
const spareRows = 100_000;

/**
 * A protected file, opened with its password, as a file that needs none, in pieces: what its newest state shows, every object under its own
 * number, strings and streams as they were before they were encrypted (not unpacked, not packed anew), objects of object streams by
 * themselves, one cross-reference table. It is another file than the protected one, not a revision of it.
 *
 * Throws INVALID_PLAN (it is not protected), ENCRYPTED (it is not open), OWNER_FORBIDS (opened with the user's password, and the owner
 * leaves others less than everything: a copy would leave them all; `bits`), CHANGE_NOT_PERMITTED (it carries signatures, which would
 * not be valid in the copy), DAMAGED, TOO_COMPLEX.
 */
export async function* withoutPassword(pdf: Pdf): AsyncGenerator<Uint8Array> {
  await assertMayBeCopied(pdf);
  const rows = new Map<number, { offset: number; gen: number }>();
  let offset = 0;
  const piece = (write: (out: ByteWriter) => void): Uint8Array => {
    const out = new ByteWriter();
    write(out);
    const bytes = out.finish();
    offset += bytes.length;
    return bytes;
  };
  const kept = new Map([...pdf.trailer].filter(([key]) => !ofSection.has(key)));
  const queue = new Set<number>();
  const meet = (value: PdfObject): void => eachReference(value, (num) => queue.add(num));
  meet(kept);
  yield piece((out) => out.bytes(latin1Bytes(`%PDF-${pdf.headerVersion}\n%\xe2\xe3\xcf\xd3\n`)));
  // Whatever is added while it runs is visited too.
  for (const num of queue) {
    const value = await openObject(pdf, num);
    if (value === null) continue;
    meet(value);
    const { gen } = await pdf.refTo(num);
    if (offset > maxOffset) throw new PadesError('TOO_COMPLEX', 'a file of ten thousand million bytes');
    rows.set(num, { offset, gen });
    yield piece((out) => {
      out.text(`${num} ${gen} obj\n`);
      writeObject(out, value);
      out.text('\nendobj\n');
    });
  }
  yield piece((out) => writeTable(out, rows, kept, offset));
}

async function assertMayBeCopied(pdf: Pdf): Promise<void> {
  if (!pdf.encrypted) throw new PadesError('INVALID_PLAN', 'the file has no password');
  if (pdf.security === null) throw new PadesError('ENCRYPTED');
  const { forbidden } = pdf.security.permissions;
  if (forbidden.length > 0) throw new PadesError('OWNER_FORBIDS', `bits ${forbidden.join(', ')} of P`, { bits: forbidden.join(',') });
  const { signatures } = await readPermissions(pdf);
  if (signatures.some(({ signed }) => signed)) throw new PadesError('CHANGE_NOT_PERMITTED', 'signatures do not survive a copy');
}

/** An object that says nothing of the protection any more; null for what only held others. */
async function openObject(pdf: Pdf, num: number): Promise<PdfObject> {
  const value = await pdf.object(num);
  if (!(value instanceof PdfStream)) return value;
  if (isName(value.dict.get('Type'), 'XRef') || isName(value.dict.get('Type'), 'ObjStm')) return null;
  const data = await pdf.rawStreamData(value);
  return new PdfStream(await withoutCryptFilter(pdf, value.dict), data);
}

/** A stream may name its own crypt filter, first of its filters (ISO 32000-2 §7.4.10). */
async function withoutCryptFilter(pdf: Pdf, entries: PdfDict): Promise<PdfDict> {
  const filter = await pdf.resolve(entries.get('Filter'));
  const names = Array.isArray(filter) ? filter : [filter];
  if (!isName(await pdf.resolve(names[0]), 'Crypt')) return entries;
  const given = await pdf.resolve(entries.get('DecodeParms'));
  const parameters = Array.isArray(given) ? given : [given];
  const result = new Map([...entries].filter(([key]) => key !== 'Filter' && key !== 'DecodeParms'));
  if (names.length > 1) result.set('Filter', names.slice(1));
  if (parameters.slice(1).some((one) => one !== null)) result.set('DecodeParms', parameters.slice(1));
  return result;
}

function eachReference(value: PdfObject, visit: (num: number) => void): void {
  if (value instanceof PdfRef) visit(value.num);
  else if (Array.isArray(value)) for (const item of value) eachReference(item, visit);
  else if (value instanceof PdfStream) eachReference(value.dict, visit);
  else if (isDict(value)) for (const item of value.values()) eachReference(item, visit);
}

/** One section from 0 on, with the numbers that nothing has in a list of their own (ISO 32000-2 §7.5.4). */
function writeTable(out: ByteWriter, rows: ReadonlyMap<number, { offset: number; gen: number }>, kept: PdfDict, start: number): void {
  const last = [...rows.keys()].reduce((most, num) => Math.max(most, num), 0);
  if (last > rows.size * 8 + spareRows) throw new PadesError('TOO_COMPLEX', 'object numbers far apart');
  const free = [0];
  for (let num = 1; num <= last; num++) if (!rows.has(num)) free.push(num);
  const nextFree = new Map(free.map((num, index) => [num, free[index + 1] ?? 0]));
  const digits = (value: number, count: number): string => String(value).padStart(count, '0');
  out.text(`xref\n0 ${last + 1}\n`);
  for (let num = 0; num <= last; num++) {
    const row = rows.get(num);
    if (row === undefined) out.text(`${digits(nextFree.get(num) ?? 0, 10)} ${num === 0 ? '65535' : '00001'} f \n`);
    else out.text(`${digits(row.offset, 10)} ${digits(row.gen, 5)} n \n`);
  }
  out.text('trailer\n');
  writeObject(out, new Map<string, PdfObject>([['Size', last + 1], ...kept]));
  out.text(`\nstartxref\n${start}\n%%EOF\n`);
}
