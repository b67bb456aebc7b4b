/** A literal string as it was read. */
export interface Literal {
  readonly value: Uint8Array;
  /** Where its closing parenthesis stands, or the end of the bytes. */
  readonly end: number;
  /** No parenthesis closes it. */
  readonly ranOut: boolean;
}

/**
 * What the literal string whose first byte is at `start` spells (ISO 32000-2 §7.3.4.2). Null when its end is not among the
 * bytes and they are not `complete`.
 */
export function readLiteral(bytes: Uint8Array, start: number, complete: boolean): Literal | null {
  let isPlain = true;
  let depth = 1;
  let end = start;
  for (; end < bytes.length; end++) {
    const c = bytes[end];
    if (c === 0x5c) {
      isPlain = false;
      end++;
    } else if (c === 0x0d) isPlain = false;
    else if (c === 0x28) depth++;
    else if (c === 0x29 && --depth === 0) break;
  }
  const ranOut = end >= bytes.length;
  if (ranOut && !complete) return null;
  end = Math.min(end, bytes.length);
  const written = bytes.subarray(start, end);
  return { value: isPlain ? new Uint8Array(written) : unescaped(written), end, ranOut };
}

const simple = new Map([...'nrtbf'].map((char, index) => [char.charCodeAt(0), [10, 13, 9, 8, 12][index] ?? 0]));

function unescaped(written: Uint8Array): Uint8Array {
  const out = new Uint8Array(written.length);
  let length = 0;
  for (let at = 0; at < written.length; at++) {
    let c = written[at] ?? 0;
    if (c === 0x0d) {
      if (written[at + 1] === 0x0a) at++;
      c = 0x0a;
    } else if (c === 0x5c) {
      c = written[++at] ?? -1;
      if (c === 0x0d && written[at + 1] === 0x0a) at++;
      // A backslash before a line's end takes it away.
      if (c === 0x0d || c === 0x0a || c < 0) continue;
      if (isOctal(c)) {
        c -= 0x30;
        for (let i = 0; i < 2 && isOctal(written[at + 1]); i++) c = c * 8 + (written[++at] ?? 0) - 0x30;
      } else c = simple.get(c) ?? c;
    }
    out[length++] = c & 255;
  }
  return out.slice(0, length);
}

function isOctal(code: number | undefined): boolean {
  return code !== undefined && code >= 0x30 && code <= 0x37;
}
