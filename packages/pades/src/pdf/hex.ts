/** Digits' values; -1 for what is none. A table: signatures are long. */
const values = new Int8Array(256).fill(-1);
[...'0123456789abcdef'].forEach((digit, value) => {
  values[digit.charCodeAt(0)] = value;
  values[digit.toUpperCase().charCodeAt(0)] = value;
});

/** The value of a hexadecimal digit by its character code, or -1. */
export function hexValue(code: number): number {
  return values[code] ?? -1;
}

interface Texts {
  Buffer: {
    from(buffer: ArrayBufferLike, offset: number, length: number): { latin1Slice(): string; hexSlice(): string };
    from(text: string, encoding: 'hex'): Uint8Array;
  };
}

/** Node's own, without importing it, so that the same file runs in a browser. */
const host = globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } };
const texts = (host.process?.getBuiltinModule?.('node:buffer') as Texts | undefined) ?? null;
const long = 1024;
/** From here on the platform's own conversion is the faster one. */
const longBytes = 24;

const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal. */
export function hexText(bytes: Uint8Array): string {
  if (texts !== null && bytes.length >= longBytes) return texts.Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).hexSlice();
  let text = '';
  for (const byte of bytes) text += pairs[byte];
  return text;
}

/** As `hexBytes`, when there is nothing but digits, in pairs; else null. */
export function plainHexBytes(bytes: Uint8Array, start: number, end: number): Uint8Array | null {
  const length = (end - start) >> 1;
  if (length * 2 !== end - start) return null;
  // Stops before what is no pair of digits.
  if (texts !== null && length >= long) {
    const { Buffer } = texts;
    const decoded = Buffer.from(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).latin1Slice(), 'hex');
    return decoded.length === length ? new Uint8Array(decoded.buffer, decoded.byteOffset, length) : null;
  }
  const out = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    const high = values[bytes[start + i * 2] ?? 0] ?? -1;
    const low = values[bytes[start + i * 2 + 1] ?? 0] ?? -1;
    if (high < 0 || low < 0) return null;
    out[i] = high * 16 + low;
  }
  return out;
}

/** What a hexadecimal string spells (ISO 32000-2 §7.3.4.3): whatever is no digit is passed over, an odd last one is followed by 0. */
export function hexBytes(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const plain = plainHexBytes(bytes, start, end);
  if (plain !== null) return plain;
  const out = new Uint8Array((end - start + 1) >> 1);
  let length = 0;
  let high = -1;
  for (let at = start; at < end; at++) {
    const digit = values[bytes[at] ?? 0] ?? -1;
    if (digit < 0) continue;
    if (high < 0) high = digit;
    else {
      out[length++] = high * 16 + digit;
      high = -1;
    }
  }
  if (high >= 0) out[length++] = high * 16;
  return out.subarray(0, length);
}
