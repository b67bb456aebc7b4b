import { crc32 } from 'node:zlib';

/** A file of a zip. Its size decides how it is written; null: less than four gigabytes, whatever it comes to. */
export interface ZipEntry {
  name: string;
  size: number | null;
  content: AsyncIterable<Uint8Array>;
}

interface Written {
  name: Buffer;
  crc: number;
  size: number;
  offset: number;
}

/** What 32 bits do not hold is written as ZIP64. */
const MOST_32 = 0xffff_ffff;
const MOST_16 = 0xffff;
/** Sizes come behind the bytes; names are UTF-8. */
const FLAGS = 0x0808;
/** 1 January 1980: a zip knows no "none". */
const NO_DAY = 0x0021;

/** A zip as a stream, stored and not packed (PDFs hardly shrink), of any size and number of files (APPNOTE 6.3.9, ZIP64). */
export async function* zipStream(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  most = { bytes: MOST_32, entries: MOST_16 },
): AsyncGenerator<Uint8Array> {
  const written: Written[] = [];
  let offset = 0;
  for await (const { name: given, size: announced, content } of entries) {
    const isLarge = (announced ?? 0) >= most.bytes;
    const name = Buffer.from(given, 'utf8');
    const head = localHeader(name, isLarge);
    yield head;
    let [crc, size] = [0, 0];
    for await (const chunk of content) {
      crc = crc32(chunk, crc);
      size += chunk.length;
      yield chunk;
    }
    if (!isLarge && size >= most.bytes) throw new Error('a file of a zip is larger than it was said to be');
    const tail = descriptor(crc, size, isLarge);
    yield tail;
    written.push({ name, crc, size, offset });
    offset += head.length + size + tail.length;
  }
  const begin = offset;
  for (const one of written) {
    const row = centralHeader(one, most.bytes);
    yield row;
    offset += row.length;
  }
  yield ending({ count: written.length, begin, end: offset }, most);
}

function localHeader(name: Buffer, isLarge: boolean): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(isLarge ? 45 : 20, 4);
  head.writeUInt16LE(FLAGS, 6);
  head.writeUInt16LE(NO_DAY, 12);
  head.writeUInt16LE(name.length, 26);
  if (!isLarge) return Buffer.concat([head, name]);
  head.fill(0xff, 18, 26);
  head.writeUInt16LE(20, 28);
  const extra = Buffer.alloc(20);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(16, 2);
  return Buffer.concat([head, name, extra]);
}

function descriptor(crc: number, size: number, isLarge: boolean): Buffer {
  const tail = Buffer.alloc(isLarge ? 24 : 16);
  tail.writeUInt32LE(0x08074b50, 0);
  tail.writeUInt32LE(crc, 4);
  if (isLarge) {
    tail.writeBigUInt64LE(BigInt(size), 8);
    tail.writeBigUInt64LE(BigInt(size), 16);
  } else {
    tail.writeUInt32LE(size, 8);
    tail.writeUInt32LE(size, 12);
  }
  return tail;
}

function centralHeader({ name, crc, size, offset }: Written, most: number): Buffer {
  const large = [...(size >= most ? [size, size] : []), ...(offset >= most ? [offset] : [])];
  const row = Buffer.alloc(46);
  row.writeUInt32LE(0x02014b50, 0);
  row.writeUInt16LE(45, 4);
  row.writeUInt16LE(large.length > 0 ? 45 : 20, 6);
  row.writeUInt16LE(FLAGS, 8);
  row.writeUInt16LE(NO_DAY, 14);
  row.writeUInt32LE(crc, 16);
  row.writeUInt32LE(size >= most ? MOST_32 : size, 20);
  row.writeUInt32LE(size >= most ? MOST_32 : size, 24);
  row.writeUInt16LE(name.length, 28);
  row.writeUInt16LE(large.length > 0 ? 4 + 8 * large.length : 0, 30);
  row.writeUInt32LE(offset >= most ? MOST_32 : offset, 42);
  if (large.length === 0) return Buffer.concat([row, name]);
  const extra = Buffer.alloc(4 + 8 * large.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * large.length, 2);
  for (const [index, value] of large.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return Buffer.concat([row, name, extra]);
}

function ending({ count, begin, end }: { count: number; begin: number; end: number }, most: { bytes: number; entries: number }): Buffer {
  const isLarge = count >= most.entries || begin >= most.bytes;
  const last = Buffer.alloc(22);
  last.writeUInt32LE(0x06054b50, 0);
  last.writeUInt16LE(isLarge ? MOST_16 : count, 8);
  last.writeUInt16LE(isLarge ? MOST_16 : count, 10);
  last.writeUInt32LE(isLarge ? MOST_32 : end - begin, 12);
  last.writeUInt32LE(isLarge ? MOST_32 : begin, 16);
  if (!isLarge) return last;
  const large = Buffer.alloc(76);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(45, 12);
  large.writeUInt16LE(45, 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(end - begin), 40);
  large.writeBigUInt64LE(BigInt(begin), 48);
  large.writeUInt32LE(0x07064b50, 56);
  large.writeBigUInt64LE(BigInt(end), 64);
  large.writeUInt32LE(1, 72);
  return Buffer.concat([large, last]);
}
