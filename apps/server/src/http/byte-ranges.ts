/** A part of a file: both ends belong to it. */
export interface ByteRange {
  start: number;
  end: number;
}

/** One `bytes=` range; null when there is none or several. */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!found || (found[1] === '' && found[2] === '')) return null;
  if (found[1] === '') {
    const length = Math.min(Number(found[2]), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(found[1]);
  const end = found[2] === '' ? size - 1 : Math.min(Number(found[2]), size - 1);
  if (start >= size || end < start) return 'unsatisfiable';
  return { start, end };
}

/** What a reader of PDF asks for at once, and not what makes a server work for nothing (RFC 9110 §14.2). */
const MOST_PARTS = 128;

/** Several ranges, one behind the other and none over another; null: anything else, which is answered as if nothing had been asked. */
export function parseRanges(header: string | undefined, size: number): ByteRange[] | null {
  if (!/^bytes=\d+-\d+(?:, ?\d+-\d+)+$/.test(header ?? '')) return null;
  const ranges = [...(header ?? '').matchAll(/(\d+)-(\d+)/g)].map(([, start, end]) => ({ start: Number(start), end: Number(end) }));
  const isInOrder = ranges.every(({ start, end }, index) => start <= end && end < size && start > (ranges[index - 1]?.end ?? -1));
  return isInOrder && ranges.length <= MOST_PARTS ? ranges : null;
}

/** The body of several parts (RFC 9110 §14.6), how long it is, and its kind. */
export function multipartRanges(
  ranges: readonly ByteRange[],
  { contentType, size, boundary }: { contentType: string; size: number; boundary: string },
  read: (range: ByteRange) => AsyncIterable<Uint8Array>,
): { contentType: string; length: number; body: AsyncIterable<Uint8Array> } {
  const heads = ranges.map(({ start, end }) =>
    Buffer.from(`\r\n--${boundary}\r\ncontent-type: ${contentType}\r\ncontent-range: bytes ${start}-${end}/${size}\r\n\r\n`),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const length = ranges.reduce((sum, { start, end }, index) => sum + (heads[index]?.length ?? 0) + end - start + 1, tail.length);
  async function* body(): AsyncIterable<Uint8Array> {
    const parts = ranges.map((range, index) => ({ ...range, head: heads[index] ?? Buffer.alloc(0) }));
    for (const near of together(parts)) yield* cut(near, read);
    yield tail;
  }
  return { contentType: `multipart/byteranges; boundary=${boundary}`, length, body: body() };
}

/** Nothing between parts that are as close as this is read for nothing: files are checked by pieces of that size (storage/chunk-digests.ts). */
const NEAR = 256 * 1024;

/** Parts in their order, those together that one reading is for: a request never costs more reading than the file. */
export function* together<T extends ByteRange>(parts: readonly T[]): Generator<T[]> {
  let near: T[] = [];
  for (const part of parts) {
    if (part.start - (near.at(-1)?.end ?? part.start) > NEAR) {
      yield near;
      near = [];
    }
    near.push(part);
  }
  if (near.length > 0) yield near;
}

/** Each part behind its head, out of one reading of all that they span. */
async function* cut(
  parts: readonly (ByteRange & { head: Buffer })[],
  read: (range: ByteRange) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let at = parts[0]?.start ?? 0;
  let next = 0;
  for await (const bytes of read({ start: at, end: parts.at(-1)?.end ?? at })) {
    const end = at + bytes.length;
    for (let part = parts[next]; part && part.start < end; part = parts[next]) {
      if (part.start >= at) yield part.head;
      yield bytes.subarray(Math.max(0, part.start - at), part.end + 1 - at);
      if (part.end >= end) break;
      next += 1;
    }
    at = end;
  }
}
