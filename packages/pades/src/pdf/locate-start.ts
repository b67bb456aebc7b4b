import { PadesError } from '../errors.ts';
import { decodingBudget } from './filters.ts';
import { latin1Text } from './objects.ts';
import type { WindowReader } from './window-reader.ts';
import { loadSection } from './xref.ts';

const tailStep = 2048;
const maxTail = 1 << 20;

/** Where a file begins to be read. */
export interface Start {
  readonly version: string;
  /** What is added to every offset: the bytes before the header, or none. */
  readonly bias: number;
  /** The last startxref; null when there is none. */
  readonly startXref: number | null;
  /** Counted from the header it leads to one section, counted from the first byte to another: readers choose differently. */
  readonly twofold: boolean;
}

/** Header version, where offsets count from, and the last startxref. */
export async function locateStart(reader: WindowReader): Promise<Start> {
  const head = latin1Text(await reader.window(0, 1024 + 16));
  const found = /%PDF-(\d\.\d)?/.exec(head);
  if (found === null) throw new PadesError('NOT_A_PDF', 'no %PDF- in the first 1024 bytes');
  const version = found[1] ?? '1.4';
  const startXref = await lastStartXref(reader);
  const header = found.index;
  if (header === 0 || startXref === null) return { version, bias: header, startXref, twofold: false };
  // Bytes before the header: most readers count from it; some files count from their first byte all the same.
  const behindHeader = await sectionAt(reader, startXref + header);
  const behindStart = await sectionAt(reader, startXref);
  const bias = behindHeader === null && behindStart !== null ? 0 : header;
  // White space before a section belongs to it.
  const twofold = behindHeader !== null && behindStart !== null && behindHeader !== behindStart;
  return { version, bias, startXref, twofold };
}

/** Where the section ends that begins there; null when none does. What looks like one may be any other object. */
async function sectionAt(reader: WindowReader, offset: number): Promise<number | null> {
  try {
    return (await loadSection(reader, offset, 0, decodingBudget(reader.source.size))).end;
  } catch (error) {
    if (!(error instanceof PadesError)) throw error;
    return null;
  }
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
