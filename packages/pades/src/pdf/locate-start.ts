import { PadesError } from '../errors.ts';
import { latin1Text } from './objects.ts';
import type { WindowReader } from './window-reader.ts';

const tailStep = 2048;
const maxTail = 1 << 20;

/** Header version, where offsets count from, and the last startxref (null: there is none). */
export async function locateStart(reader: WindowReader): Promise<{ version: string; bias: number; startXref: number | null }> {
  const head = latin1Text(await reader.window(0, 1024 + 16));
  const found = /%PDF-(\d\.\d)?/.exec(head);
  if (found === null) throw new PadesError('NOT_A_PDF', 'no %PDF- in the first 1024 bytes');
  const version = found[1] ?? '1.4';
  const startXref = await lastStartXref(reader);
  const junk = found.index;
  if (junk === 0 || startXref === null) return { version, bias: 0, startXref };
  // Bytes before the header: offsets may count from the file's start or from the header.
  const absolute = await looksLikeXref(reader, startXref);
  const shifted = !absolute && (await looksLikeXref(reader, startXref + junk));
  return { version, bias: shifted ? junk : 0, startXref };
}

async function looksLikeXref(reader: WindowReader, offset: number): Promise<boolean> {
  return /^\s*(xref|\d+\s+\d+\s+obj)/.test(latin1Text(await reader.window(offset, 48)));
}

async function lastStartXref(reader: WindowReader): Promise<number | null> {
  const { size } = reader.source;
  for (let length = tailStep; ; length *= 4) {
    const from = Math.max(0, size - length);
    const tail = latin1Text(await reader.window(from, size - from));
    const at = tail.lastIndexOf('startxref');
    if (at >= 0) {
      const value = /^startxref\s*(\d{1,15})/.exec(tail.slice(at, at + 64));
      return value === null ? null : Number(value[1]);
    }
    if (from === 0 || length >= maxTail) return null;
  }
}
