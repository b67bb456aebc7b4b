/**
 * Where a PDF's bytes come from. The engine reads the parts it needs and, for digests, 1 MiB at a time, so
 * memory does not grow with the file.
 */
export interface PdfSource {
  /** Size in bytes; must not change while the source is in use. */
  readonly size: number;
  /** Reads `length` bytes at `offset`. The engine never asks beyond `size`; a shorter answer means damage. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Appended bytes: the new file is the base's first `offset` bytes followed by `bytes`. `offset` is always the base's size. */
export interface Revision {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** A PDF held in memory. */
export function memorySource(bytes: Uint8Array): PdfSource {
  return {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}

/** A base with revisions appended, without writing it anywhere. */
export function withRevision(base: PdfSource, revision: Revision): PdfSource {
  const { offset, bytes } = revision;
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

/** Two revisions in a row as one. */
export function joinRevisions(first: Revision, second: Revision): Revision {
  const bytes = new Uint8Array(first.bytes.length + second.bytes.length);
  bytes.set(first.bytes, 0);
  bytes.set(second.bytes, first.bytes.length);
  return { offset: first.offset, bytes };
}

/** The whole source in memory: for small files and tests. */
export async function readAll(source: PdfSource): Promise<Uint8Array> {
  const all = new Uint8Array(source.size);
  const step = 1 << 20;
  for (let offset = 0; offset < source.size; offset += step) {
    all.set(await source.read(offset, Math.min(step, source.size - offset)), offset);
  }
  return all;
}
