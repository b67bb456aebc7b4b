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

/** What a hexadecimal string spells (ISO 32000-2 §7.3.4.3): whatever is no digit is passed over, an odd last one is followed by 0. */
export function hexBytes(bytes: Uint8Array, start: number, end: number): Uint8Array {
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
