import { PdfName, PdfRaw, PdfRef, PdfStream, PdfString, latin1Bytes, latin1Text } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';
import { PadesError } from '../errors.ts';
import { hexText } from './hex.ts';

const encoder = new TextEncoder();
const longText = 64;

/** Grows as it is written to; knows where labelled placeholders landed. */
export class ByteWriter {
  private buffer = new Uint8Array(8 << 10);
  length = 0;
  readonly labels = new Map<string, { start: number; end: number }>();

  bytes(data: Uint8Array): void {
    if (this.length + data.length > this.buffer.length) {
      const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.length + data.length + 16384));
      larger.set(this.buffer.subarray(0, this.length));
      this.buffer = larger;
    }
    this.buffer.set(data, this.length);
    this.length += data.length;
  }

  text(text: string): void {
    if (this.length + text.length > this.buffer.length) return this.bytes(latin1Bytes(text));
    if (text.length >= longText && this.ascii(text)) return;
    const { buffer, length } = this;
    for (let i = 0; i < text.length; i++) buffer[length + i] = text.charCodeAt(i);
    this.length += text.length;
  }

  /** Long plain text at the speed of the platform's encoder; false when it is not plain. */
  private ascii(text: string): boolean {
    const { read, written } = encoder.encodeInto(text, this.buffer.subarray(this.length, this.length + text.length));
    if (read !== text.length || written !== text.length) return false;
    this.length += written;
    return true;
  }

  raw(raw: PdfRaw): void {
    const start = this.length;
    this.text(raw.text);
    this.labels.set(raw.label, { start, end: this.length });
  }

  finish(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }
}

/** Writes one object in the form every reader takes: no exponents, names escaped, strings balanced. */
export function writeObject(out: ByteWriter, value: PdfObject): void {
  if (value === null) out.text('null');
  else if (typeof value === 'boolean') out.text(value ? 'true' : 'false');
  else if (typeof value === 'number') out.text(formatNumber(value));
  else if (value instanceof PdfName) out.text(formatName(value.value));
  else if (value instanceof PdfRef) out.text(`${value.num} ${value.gen} R`);
  else if (value instanceof PdfRaw) out.raw(value);
  else if (value instanceof PdfString) writeString(out, value);
  else if (Array.isArray(value)) writeArray(out, value);
  else if (value instanceof PdfStream) writeStream(out, value);
  else writeDict(out, value);
}

/** One object as text, a byte a letter. */
export function spelledObject(value: PdfObject): string {
  const out = new ByteWriter();
  writeObject(out, value);
  return latin1Text(out.finish());
}

function writeArray(out: ByteWriter, items: PdfObject[]): void {
  out.text('[');
  items.forEach((item, index) => {
    if (index > 0) out.text(' ');
    writeObject(out, item);
  });
  out.text(']');
}

function writeDict(out: ByteWriter, entries: PdfDict): void {
  out.text('<<');
  for (const [key, value] of entries) {
    out.text(`${formatName(key)} `);
    writeObject(out, value);
    out.text('\n');
  }
  out.text('>>');
}

function writeStream(out: ByteWriter, stream: PdfStream): void {
  if (stream.bytes === null) throw new PadesError('DAMAGED', 'stream data was not loaded');
  writeDict(out, new Map([...stream.dict, ['Length', stream.bytes.length]]));
  out.text('\nstream\n');
  out.bytes(stream.bytes);
  out.text('\nendstream');
}

function writeString(out: ByteWriter, value: PdfString): void {
  if (value.hex) {
    out.text(`<${hexText(value.bytes)}>`);
    return;
  }
  let text = '(';
  for (const byte of value.bytes) {
    if (byte === 0x28 || byte === 0x29 || byte === 0x5c) text += `\\${String.fromCharCode(byte)}`;
    else if (byte === 0x0d) text += '\\r';
    else text += String.fromCharCode(byte);
  }
  out.text(`${text})`);
}

export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '0';
  if (Number.isInteger(value)) return BigInt(value).toString();
  const text = String(value);
  if (!text.includes('e')) return text;
  const plain = value.toFixed(10).replace(/\.?0+$/, '');
  return plain === '-0' ? '0' : plain;
}

export function formatName(value: string): string {
  let text = '/';
  for (let i = 0; i < value.length; i++) {
    const c = value.charCodeAt(i);
    const plain = c > 32 && c < 127 && !'()<>[]{}/%#'.includes(value.charAt(i));
    text += plain ? value.charAt(i) : `#${c.toString(16).padStart(2, '0')}`;
  }
  return text;
}
