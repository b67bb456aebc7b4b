/** The objects of ISO 32000-2 §7.3 as plain values. A dictionary is a Map from name (without the slash) to object. */
export type PdfObject = null | boolean | number | PdfName | PdfString | PdfRef | PdfRaw | PdfDict | PdfStream | PdfObject[];

export type PdfDict = Map<string, PdfObject>;

/** A name; `value` is decoded (#xx resolved), one char per byte. */
export class PdfName {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

export class PdfString {
  readonly bytes: Uint8Array;
  readonly hex: boolean;
  constructor(bytes: Uint8Array, hex = false) {
    this.bytes = bytes;
    this.hex = hex;
  }
}

export class PdfRef {
  readonly num: number;
  readonly gen: number;
  constructor(num: number, gen: number) {
    this.num = num;
    this.gen = gen;
  }
}

/** Bytes to be written as they are: the placeholders of a signature dictionary. `label` lets the writer report where they landed. */
export class PdfRaw {
  readonly text: string;
  readonly label: string;
  constructor(text: string, label: string) {
    this.text = text;
    this.label = label;
  }
}

/** A stream: its data is at `offset` in the file, or held in `bytes` when it is new. */
export class PdfStream {
  readonly dict: PdfDict;
  readonly bytes: Uint8Array | null;
  readonly offset: number;
  constructor(dict: PdfDict, bytes: Uint8Array | null, offset = -1) {
    this.dict = dict;
    this.bytes = bytes;
    this.offset = offset;
  }
}

export function name(value: string): PdfName {
  return new PdfName(value);
}

export function dict(entries: Record<string, PdfObject | undefined>): PdfDict {
  const result: PdfDict = new Map();
  for (const [key, value] of Object.entries(entries)) if (value !== undefined) result.set(key, value);
  return result;
}

/** A text string (§7.9.2.2): PDFDocEncoding while it is plain ASCII, else UTF-16BE with its mark. */
export function textString(text: string): PdfString {
  // eslint-disable-next-line no-control-regex
  if (/^[\n\r\t\u0020-\u007e]*$/.test(text)) return new PdfString(latin1Bytes(text));
  const bytes = new Uint8Array(2 + text.length * 2);
  bytes.set([0xfe, 0xff]);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes[2 + i * 2] = unit >> 8;
    bytes[3 + i * 2] = unit & 255;
  }
  return new PdfString(bytes, true);
}

/** Decodes a text string: UTF-16BE or UTF-8 by its mark, else byte for byte. */
export function decodeText(value: PdfString): string {
  const { bytes } = value;
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes.subarray(2));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return new TextDecoder().decode(bytes.subarray(3));
  }
  return latin1Text(bytes);
}

function decodeUtf16(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i + 1 < bytes.length; i += 2) {
    text += String.fromCharCode(((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0));
  }
  return text;
}

export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

interface NodeBuffer {
  from(buffer: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'latin1'): string };
}

/** Node's own conversion where there is one; TextDecoder's "latin1" is Windows-1252. */
const nodeBuffer = (globalThis as { Buffer?: NodeBuffer }).Buffer;

export function latin1Text(bytes: Uint8Array): string {
  if (nodeBuffer !== undefined) return nodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) {
    text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  }
  return text;
}

export function isDict(value: PdfObject | undefined): value is PdfDict {
  return value instanceof Map;
}

/** The dictionary of a dictionary or stream. */
export function dictOf(value: PdfObject | undefined): PdfDict | null {
  if (value instanceof Map) return value;
  return value instanceof PdfStream ? value.dict : null;
}

export function isName(value: PdfObject | undefined, expected: string): boolean {
  return value instanceof PdfName && value.value === expected;
}
