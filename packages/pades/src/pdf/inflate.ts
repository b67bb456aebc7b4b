/**
 * DEFLATE (RFC 1951) that stops at a limit and keeps what it read before damage: readers show such files, so
 * they must be signable. Used in browsers and when the platform's own inflater gives up.
 */
const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385,
  24577,
];
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

interface Huffman {
  counts: Uint16Array;
  symbols: Uint16Array;
}

class Stop extends Error {}

class Inflater {
  private readonly data: Uint8Array;
  private readonly limit: number;
  private position: number;
  private bitBuffer = 0;
  private bitCount = 0;
  private out: Uint8Array;
  private length = 0;
  overflow = false;

  constructor(data: Uint8Array, limit: number) {
    this.data = data;
    this.limit = limit;
    // The zlib header is skipped when it looks like one (RFC 1950 §2.2).
    const cmf = data[0] ?? 0;
    const zlibHeader = (cmf & 15) === 8 && ((cmf << 8) | (data[1] ?? 0)) % 31 === 0;
    this.position = zlibHeader ? 2 : 0;
    this.out = new Uint8Array(Math.min(limit, Math.max(1024, data.length * 4)));
  }

  run(): Uint8Array {
    try {
      for (let last = 0; last === 0;) {
        last = this.bits(1);
        const type = this.bits(2);
        if (type === 0) this.stored();
        else if (type === 1) this.codes(fixedLengths, fixedDistances);
        else if (type === 2) this.dynamic();
        else throw new Stop();
      }
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
    }
    return this.out.subarray(0, this.length);
  }

  private bits(count: number): number {
    while (this.bitCount < count) {
      if (this.position >= this.data.length) throw new Stop();
      this.bitBuffer |= (this.data[this.position++] ?? 0) << this.bitCount;
      this.bitCount += 8;
    }
    const value = this.bitBuffer & ((1 << count) - 1);
    this.bitBuffer >>>= count;
    this.bitCount -= count;
    return value;
  }

  private push(byte: number): void {
    if (this.length >= this.limit) {
      this.overflow = true;
      throw new Stop();
    }
    if (this.length >= this.out.length) {
      const larger = new Uint8Array(Math.min(this.limit, this.out.length * 2));
      larger.set(this.out);
      this.out = larger;
    }
    this.out[this.length++] = byte;
  }

  private stored(): void {
    this.bitBuffer = 0;
    this.bitCount = 0;
    const size = (this.data[this.position] ?? 0) | ((this.data[this.position + 1] ?? 0) << 8);
    this.position += 4;
    for (let i = 0; i < size; i++) {
      if (this.position >= this.data.length) throw new Stop();
      this.push(this.data[this.position++] ?? 0);
    }
  }

  private symbol(table: Huffman): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= 15; length++) {
      code |= this.bits(1);
      const count = table.counts[length] ?? 0;
      if (code - count < first) return table.symbols[index + code - first] ?? 0;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Stop();
  }

  private codes(lengths: Huffman, distances: Huffman): void {
    for (;;) {
      const symbol = this.symbol(lengths);
      if (symbol === 256) return;
      if (symbol < 256) {
        this.push(symbol);
        continue;
      }
      const base = LENGTH_BASE[symbol - 257];
      if (base === undefined) throw new Stop();
      const size = base + this.bits(LENGTH_EXTRA[symbol - 257] ?? 0);
      const code = this.symbol(distances);
      const far = DISTANCE_BASE[code];
      if (far === undefined) throw new Stop();
      const distance = far + this.bits(code < 2 ? 0 : (code >> 1) - 1);
      if (distance > this.length) throw new Stop();
      for (let i = 0; i < size; i++) this.push(this.out[this.length - distance] ?? 0);
    }
  }

  private dynamic(): void {
    const literalCount = this.bits(5) + 257;
    const distanceCount = this.bits(5) + 1;
    const codeCount = this.bits(4) + 4;
    const codeLengths = new Uint8Array(19);
    for (let i = 0; i < codeCount; i++) codeLengths[CODE_ORDER[i] ?? 0] = this.bits(3);
    const codeTable = huffman(codeLengths);
    const lengths = new Uint8Array(literalCount + distanceCount);
    for (let i = 0; i < lengths.length;) {
      const symbol = this.symbol(codeTable);
      if (symbol < 16) {
        lengths[i++] = symbol;
        continue;
      }
      const repeated = symbol === 16 ? (lengths[i - 1] ?? 0) : 0;
      const times = symbol === 16 ? 3 + this.bits(2) : symbol === 17 ? 3 + this.bits(3) : 11 + this.bits(7);
      for (let n = 0; n < times && i < lengths.length; n++) lengths[i++] = repeated;
    }
    this.codes(huffman(lengths.subarray(0, literalCount)), huffman(lengths.subarray(literalCount)));
  }
}

function huffman(lengths: Uint8Array): Huffman {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  counts[0] = 0;
  const offsets = new Uint16Array(16);
  for (let i = 1; i < 15; i++) offsets[i + 1] = (offsets[i] ?? 0) + (counts[i] ?? 0);
  const symbols = new Uint16Array(lengths.length);
  lengths.forEach((length, symbol) => {
    if (length === 0) return;
    const at = offsets[length] ?? 0;
    symbols[at] = symbol;
    offsets[length] = at + 1;
  });
  return { counts, symbols };
}

const fixedLengths = huffman(Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)));
const fixedDistances = huffman(new Uint8Array(30).fill(5));

/** What could be inflated, or null when there is more than `limit` bytes of it. */
export function inflateTolerant(data: Uint8Array, limit: number): Uint8Array | null {
  const inflater = new Inflater(data, limit);
  const out = inflater.run();
  return inflater.overflow ? null : out;
}
