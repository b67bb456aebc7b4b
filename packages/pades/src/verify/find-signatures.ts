import { PdfName, PdfRef, PdfString, isDict, latin1Text } from '../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../pdf/objects.ts';
import { sameBytes } from '../asn1/der.ts';
import { plainHexBytes } from '../pdf/hex.ts';
import { beginsElsewhere } from '../pdf/linearized.ts';
import { listFields } from '../pdf/form.ts';
import type { Pdf } from '../pdf/pdf.ts';
import type { ReasonCode } from './report.ts';

/** A signature or document timestamp as the file presents it. */
export interface FoundSignature {
  readonly kind: 'signature' | 'timestamp';
  readonly fields: string[];
  /** The object that holds the dictionary: its own, or the field's when it stands inside. */
  readonly num: number;
  readonly dict: PdfDict;
  readonly subFilter: string;
  readonly contents: Uint8Array;
  /** Null when `fault` says that it cannot be believed. */
  readonly range: SignedRange | null;
  readonly fault: ReasonCode | null;
}

/** Signed bytes: 0 to `gapStart` and `gapEnd` to `end`. */
export interface SignedRange {
  readonly gapStart: number;
  readonly gapEnd: number;
  readonly end: number;
}

/**
 * Every signature of the newest state, each dictionary once, in the order they were made. Empty fields and placeholders
 * (Contents of zeros only) are no signatures. Anything odd becomes a fault, never an exception: fail closed.
 */
export async function findSignatures(pdf: Pdf): Promise<FoundSignature[]> {
  const byObject = new Map<number, FoundSignature>();
  const found: FoundSignature[] = [];
  for (const field of await listFields(pdf)) {
    if (field.type !== 'Sig') continue;
    const num = field.value instanceof PdfRef ? field.value.num : null;
    const known = num === null ? undefined : byObject.get(num);
    if (known !== undefined) {
      known.fields.push(field.name);
      continue;
    }
    const value = await pdf.resolve(field.value);
    if (value === null) continue;
    // Some readers find a dictionary in a stream or an array: told as a signature that is none.
    const dict = isDict(value) ? value : new Map<string, PdfObject>();
    const signature = await describe(pdf, num ?? field.ref.num, dict, field.name);
    if (signature === null) continue;
    if (num !== null) byObject.set(num, signature);
    found.push(signature);
  }
  const sorted = found.toSorted((a, b) => (a.range?.end ?? 0) - (b.range?.end ?? 0));
  return sorted.map((one, index) => (overlaps(one, sorted.slice(0, index)) ? { ...one, range: null, fault: 'RANGES_OVERLAP' } : one));
}

/** A later signature's gap lies behind everything an earlier one signed. */
function overlaps({ range }: FoundSignature, earlier: readonly FoundSignature[]): boolean {
  const last = earlier.at(-1)?.range ?? null;
  return range !== null && last !== null && range.gapStart < last.end;
}

/** Contents of zeros only: a hole nobody has filled. */
export function isPlaceholder(dict: PdfDict): boolean {
  const contents = dict.get('Contents');
  return contents instanceof PdfString && contents.bytes.length > 0 && contents.bytes.every((byte) => byte === 0);
}

async function describe(pdf: Pdf, num: number, dict: PdfDict, field: string): Promise<FoundSignature | null> {
  const subFilter = await pdf.resolve(dict.get('SubFilter'));
  const contents = dict.get('Contents');
  const bytes = contents instanceof PdfString ? contents.bytes : new Uint8Array();
  if (isPlaceholder(dict)) return null;
  const base = {
    kind: subFilter instanceof PdfName && subFilter.value === 'ETSI.RFC3161' ? ('timestamp' as const) : ('signature' as const),
    fields: [field],
    num,
    dict,
    subFilter: subFilter instanceof PdfName ? subFilter.value : '',
    contents: bytes,
  };
  if (bytes.length === 0) return { ...base, range: null, fault: 'CONTENTS_INVALID' };
  const range = rangeOf(dict.get('ByteRange'), pdf.source.size);
  if (range === null) return { ...base, range, fault: 'BYTE_RANGE_INVALID' };
  const fault = await faultOf(pdf, num, range, bytes);
  return { ...base, range: fault === null || fault === 'RANGE_NOT_A_REVISION' ? range : null, fault };
}

/** Exactly four whole numbers, from 0, in order, inside the file (ISO 32000-2 §12.8.1). */
function rangeOf(value: PdfObject | undefined, size: number): SignedRange | null {
  if (!Array.isArray(value) || value.length !== 4) return null;
  const [first, gapStart, gapEnd, rest] = value;
  if (first !== 0 || !isOffset(gapStart) || !isOffset(gapEnd) || !isOffset(rest)) return null;
  const end = gapEnd + rest;
  return gapStart > 0 && gapEnd > gapStart && rest > 0 && end <= size ? { gapStart, gapEnd, end } : null;
}

function isOffset(value: PdfObject | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** The gap is the Contents of this very dictionary and nothing else; the range ends where a revision ends. */
async function faultOf(pdf: Pdf, num: number, range: SignedRange, contents: Uint8Array): Promise<ReasonCode | null> {
  const { gapStart, gapEnd, end } = range;
  if (gapEnd - gapStart > (64 << 20) + 2) return 'CONTENTS_INVALID';
  const gap = await pdf.reader.window(gapStart, gapEnd - gapStart);
  if (!isHexOf(gap, contents)) return 'CONTENTS_NOT_IN_GAP';
  const start = Math.max(0, gapStart - 64);
  const lead = latin1Text(await pdf.reader.window(start, gapStart - start));
  if (!/\/Contents\s*$/.test(lead)) return 'CONTENTS_NOT_IN_GAP';
  if (!(await isPlainObject(pdf, num, range))) return 'SIGNATURE_DICTIONARY_AMBIGUOUS';
  const tail = latin1Text(await pdf.reader.window(Math.max(0, end - 32), Math.min(end, 32)));
  if (!/%%EOF[\s\0]*$/.test(tail)) return 'RANGE_NOT_A_REVISION';
  return null;
}

/** `<`, hexadecimal digits, `>`: the digits spell the string that readers see. */
function isHexOf(gap: Uint8Array, contents: Uint8Array): boolean {
  if (gap[0] !== 0x3c || gap.at(-1) !== 0x3e || gap.length !== contents.length * 2 + 2) return false;
  const spelled = plainHexBytes(gap, 1, gap.length - 1);
  return spelled !== null && sameBytes(spelled, contents);
}

/** The dictionary stands around its own gap, outside object streams, and says nothing twice. */
async function isPlainObject(pdf: Pdf, num: number, range: SignedRange): Promise<boolean> {
  const entry = await pdf.entry(num);
  if (entry?.kind !== 'offset' || entry.offset >= range.gapStart) return false;
  const object = await pdf.strictObject(num);
  if (object === undefined || object.ambiguous) return false;
  const between = range.gapStart - entry.offset;
  if (between > 1 << 20) return false;
  return !latin1Text(await pdf.reader.window(entry.offset, between)).includes('endobj');
}

/** Nothing but white space follows the signed bytes. */
export async function coversWhole(pdf: Pdf, end: number): Promise<boolean> {
  const { size } = pdf.source;
  if (size === end) return true;
  if (size - end > 64 || (await beginsElsewhere(pdf))) return false;
  return (await pdf.reader.window(end, size - end)).every((byte) => byte === 0 || byte === 9 || byte === 10 || byte === 13 || byte === 32);
}
