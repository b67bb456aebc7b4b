import { PadesError } from '../errors.ts';

/** Writing and reading DER (X.690 §10), as little of it as signatures need. */
export function tlv(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const length = lengthBytes(size);
  const out = new Uint8Array(1 + length.length + size);
  out[0] = tag;
  out.set(length, 1);
  let at = 1 + length.length;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function lengthBytes(size: number): number[] {
  if (size < 128) return [size];
  const digits: number[] = [];
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return [128 + digits.length, ...digits];
}

export function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return tlv(0x30, ...parts);
}

/** SET OF: members in the order of their encodings (X.690 §11.6). */
export function setOf(members: readonly Uint8Array[], tag = 0x31): Uint8Array {
  return tlv(tag, ...members.toSorted(compareBytes));
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, b) === 0;
}

const encodedOids = new Map<string, Uint8Array>();

/** An OBJECT IDENTIFIER; the same bytes for the same one, not to be written to. */
export function oid(dotted: string): Uint8Array {
  const known = encodedOids.get(dotted);
  if (known !== undefined) return known;
  const made = encodeOid(dotted);
  if (encodedOids.size < 256) encodedOids.set(dotted, made);
  return made;
}

function encodeOid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second].flatMap(base128);
  return tlv(0x06, Uint8Array.from([...bytes, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value % 128];
  for (let v = Math.floor(value / 128); v > 0; v = Math.floor(v / 128)) digits.unshift((v % 128) | 128);
  return digits;
}

export function octetString(bytes: Uint8Array): Uint8Array {
  return tlv(0x04, bytes);
}

/** A small non-negative INTEGER. */
export function smallInteger(value: number): Uint8Array {
  return tlv(0x02, Uint8Array.of(value));
}

export const derNull: Uint8Array = tlv(0x05);

/** One element inside `bytes`; offsets are absolute in it. */
export interface DerNode {
  readonly bytes: Uint8Array;
  readonly tag: number;
  readonly start: number;
  readonly content: number;
  readonly end: number;
}

/** The element at `start`. Throws CMS_INVALID when it is not DER of definite length inside `limit`. */
export function readDer(bytes: Uint8Array, start = 0, limit = bytes.length): DerNode {
  const tag = bytes[start];
  const first = bytes[start + 1];
  if (tag === undefined || first === undefined || (tag & 31) === 31 || first === 0x80) throw invalid();
  const count = first > 128 ? first & 127 : 0;
  if (count > 6) throw invalid();
  let length = count === 0 ? first : 0;
  for (let i = 0; i < count; i++) length = length * 256 + (bytes[start + 2 + i] ?? 0);
  const content = start + 2 + count;
  if (content + length > limit) throw invalid();
  return { bytes, tag, start, content, end: content + length };
}

/** The elements inside a constructed one. */
export function children(node: DerNode): DerNode[] {
  const result: DerNode[] = [];
  for (let at = node.content; at < node.end;) {
    const child = readDer(node.bytes, at, node.end);
    result.push(child);
    at = child.end;
  }
  return result;
}

/** The child at `index`, which must have the tag when one is given. */
export function child(node: DerNode, index: number, tag?: number): DerNode {
  const found = children(node)[index];
  if (found === undefined || (tag !== undefined && found.tag !== tag)) throw invalid();
  return found;
}

/** The element as it is encoded. */
export function encoded(node: DerNode): Uint8Array {
  return node.bytes.slice(node.start, node.end);
}

export function contentOf(node: DerNode): Uint8Array {
  return node.bytes.slice(node.content, node.end);
}

export function isOid(node: DerNode | undefined, dotted: string): boolean {
  return node !== undefined && node.tag === 0x06 && sameBytes(encoded(node), oid(dotted));
}

function invalid(): PadesError {
  return new PadesError('CMS_INVALID', 'not the DER that was expected');
}
