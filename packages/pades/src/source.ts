import { PadesError } from './errors.ts';

/**
 * Where a PDF's bytes come from. The engine reads the parts it needs and, for digests, 1 MiB at a time, so
 * memory does not grow with the file.
 */
export interface PdfSource {
  /** Size in bytes; must not change while the source is in use. */
  readonly size: number;
  /**
   * Reads `length` bytes at `offset` into a buffer of their own. The engine never asks beyond `size`; a shorter answer means
   * damage. The next piece may be asked for while the last one is in use.
   */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Optional: fills `target` from `offset` and answers how many bytes it got. Saves a buffer per chunk on large files. */
  readInto?(offset: number, target: Uint8Array): Promise<number>;
}

const chunkSize = 1 << 20;

/**
 * Bytes `start` to `end` in order, 1 MiB at a time. A piece is only good until the next one is asked for. DAMAGED when
 * the source ends early.
 */
export async function* chunksOf(source: PdfSource, start: number, end: number): AsyncGenerator<Uint8Array> {
  // Two buffers: the next piece is read while this one is worked on.
  const count = source.readInto ? (end - start > chunkSize ? 2 : 1) : 0;
  const buffers = Array.from({ length: count }, () => new Uint8Array(Math.max(0, Math.min(chunkSize, end - start))));
  const read = (offset: number, turn: number): Promise<Uint8Array> | null => {
    if (offset >= end) return null;
    const reading = readPiece(source, offset, Math.min(chunkSize, end - offset), buffers[turn % 2]);
    // Awaited one round later: a failure meanwhile is not nobody's.
    reading.catch(() => undefined);
    return reading;
  };
  let next = read(start, 0);
  for (let offset = start, turn = 1; next !== null; turn++) {
    const length = Math.min(chunkSize, end - offset);
    const piece = await next;
    if (piece.length !== length) throw new PadesError('DAMAGED', 'the source ended early');
    offset += length;
    next = read(offset, turn);
    try {
      yield piece;
    } finally {
      // Who stops early may close the source: not while it is being read.
      await next?.catch(() => undefined);
    }
  }
}

async function readPiece(source: PdfSource, offset: number, length: number, buffer: Uint8Array | undefined): Promise<Uint8Array> {
  if (buffer === undefined || source.readInto === undefined) return source.read(offset, length);
  const target = buffer.subarray(0, length);
  return target.subarray(0, await source.readInto(offset, target));
}

/** Appended bytes: the new file is the base's first `offset` bytes followed by `bytes`. `offset` is always the base's size. */
export interface Revision {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** A PDF held in memory. The bytes are not copied: leave them alone while the source is in use. */
export function memorySource(bytes: Uint8Array): PdfSource {
  return {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}

/**
 * A revision is appended to the very file it was made for: behind another one, a file that somebody else signed in the
 * meantime for instance, its offsets would be wrong, and that file's end would be lost. Throws INVALID_PLAN.
 */
export function assertBelongs(base: PdfSource, { offset }: Revision): void {
  if (base.size !== offset) throw new PadesError('INVALID_PLAN', `a revision of ${offset} bytes, a file of ${base.size}`);
}

/** A base with revisions appended, without writing it anywhere. Throws INVALID_PLAN for another file's revision. */
export function withRevision(base: PdfSource, revision: Revision): PdfSource {
  const { offset, bytes } = revision;
  assertBelongs(base, revision);
  return {
    size: offset + bytes.length,
    async read(start, length) {
      const end = Math.min(start + length, offset + bytes.length);
      if (start >= offset) return bytes.subarray(start - offset, end - offset);
      if (end <= offset) return base.read(start, end - start);
      const head = await base.read(start, offset - start);
      const joined = new Uint8Array(end - start);
      joined.set(head, 0);
      joined.set(bytes.subarray(0, end - offset), head.length);
      return joined;
    },
  };
}

/** A file as it stood when it ended at `end`: what a signature covers, from its report. Throws INVALID_PLAN behind the file's end. */
export function coveredSource(source: PdfSource, { end }: { readonly end: number }): PdfSource {
  if (end <= 0 || end > source.size) throw new PadesError('INVALID_PLAN', `the file has ${source.size} bytes, not ${end}`);
  return { size: end, read: (start, length) => source.read(start, Math.max(0, Math.min(length, end - start))) };
}

/** Two revisions in a row as one. Throws INVALID_PLAN when the second was not made for the file that ends with the first. */
export function joinRevisions(first: Revision, second: Revision): Revision {
  if (second.offset !== first.offset + first.bytes.length) throw new PadesError('INVALID_PLAN', 'not in a row');
  const bytes = new Uint8Array(first.bytes.length + second.bytes.length);
  bytes.set(first.bytes, 0);
  bytes.set(second.bytes, first.bytes.length);
  return { offset: first.offset, bytes };
}

/** The whole source in memory: for small files and tests. Throws DAMAGED when the source ends early. */
export async function readAll(source: PdfSource): Promise<Uint8Array> {
  const all = new Uint8Array(source.size);
  let at = 0;
  for await (const piece of chunksOf(source, 0, source.size)) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
