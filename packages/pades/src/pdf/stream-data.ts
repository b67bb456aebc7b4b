import { PadesError } from '../errors.ts';
import type { PdfObject, PdfStream } from './objects.ts';
import type { Pdf } from './pdf.ts';
import type { WindowReader } from './window-reader.ts';

const maxRaw = 256 << 20;

/**
 * A stream's undecoded bytes. `length` (resolved) is believed when `endstream` follows there; otherwise the data
 * ends where `endstream` or `endobj` is found, as readers do.
 */
export async function readRawStream(reader: WindowReader, stream: PdfStream, length: PdfObject | undefined): Promise<Uint8Array> {
  if (stream.bytes !== null) return stream.bytes;
  if (typeof length === 'number' && length >= 0 && length <= maxRaw) {
    if (saysEnd(await reader.window(stream.offset + length, 32))) {
      reader.work.spend(length);
      return reader.window(stream.offset, length);
    }
  }
  const end = await findEnd(reader, stream.offset);
  return reader.window(stream.offset, end - stream.offset);
}

/**
 * The stream's data end before the file does, at its Length or at an end word: appending adds nothing to them. At once when
 * nothing need be read for it.
 */
export function endsWithin(pdf: Pdf, stream: PdfStream): boolean | Promise<boolean> {
  if (stream.bytes !== null) return true;
  const { reader } = pdf;
  const length = stream.dict.get('Length');
  if (typeof length !== 'number' || length < 0) return slowlyEndsWithin(pdf, stream);
  if (stream.offset + length > reader.source.size) return false;
  const tail = reader.windowNow(stream.offset + length, 32);
  return (tail !== undefined && saysEnd(tail)) || slowlyEndsWithin(pdf, stream);
}

async function slowlyEndsWithin(pdf: Pdf, stream: PdfStream): Promise<boolean> {
  const { reader } = pdf;
  const length = await pdf.resolve(stream.dict.get('Length'));
  if (typeof length === 'number' && length >= 0) {
    if (stream.offset + length > reader.source.size) return false;
    if (saysEnd(await reader.window(stream.offset + length, 32))) return true;
  }
  return (await findEnd(reader, stream.offset)) < reader.source.size;
}

const endWord = [...'endstream'].map((char) => char.charCodeAt(0));

/** White space, sixteen bytes of it at most, and `endstream`. */
function saysEnd(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < 16 && isWhite(bytes[at])) at++;
  return endWord.every((code, index) => bytes[at + index] === code);
}

/** As \s has it among the first 256 characters: no NUL, a no-break space. */
function isWhite(code: number | undefined): boolean {
  return code !== undefined && (code === 32 || (code >= 9 && code <= 13) || code === 0xa0);
}

async function findEnd(reader: WindowReader, start: number): Promise<number> {
  const step = 64 << 10;
  for (let at = start; at < reader.source.size; at += step) {
    if (at - start > maxRaw) throw new PadesError('TOO_COMPLEX', 'a stream is too large');
    const bytes = await reader.window(at, step + 16);
    reader.work.spend(bytes.length);
    for (let i = bytes.indexOf(0x65); i >= 0; i = bytes.indexOf(0x65, i + 1)) {
      const word = String.fromCharCode(...bytes.subarray(i, i + 9));
      if (word === 'endstream' || word.startsWith('endobj')) return trimLineEnd(reader, start, at + i);
    }
  }
  return reader.source.size;
}

async function trimLineEnd(reader: WindowReader, start: number, end: number): Promise<number> {
  const last = await reader.window(Math.max(start, end - 2), Math.min(2, end - start));
  let trimmed = end;
  if (last[last.length - 1] === 0x0a) trimmed--;
  if (last[last.length - (trimmed === end ? 1 : 2)] === 0x0d) trimmed--;
  return Math.max(start, trimmed);
}
