import { PadesError } from '../errors.ts';
import { tlv } from './der.ts';

const maxDepth = 64;

/**
 * The first element of `bytes` with definite lengths throughout, and where it ended. Signatures are written as DER but
 * read as BER (RFC 5652 §2): real ones of ICP-Brasil use indefinite lengths. Throws CMS_INVALID.
 */
export function definite(bytes: Uint8Array): { der: Uint8Array; end: number } {
  const { out, end } = element(bytes, 0, bytes.length, 0);
  return { der: out, end };
}

interface Element {
  out: Uint8Array;
  end: number;
}

function element(bytes: Uint8Array, start: number, limit: number, depth: number): Element {
  const tag = bytes[start];
  const first = bytes[start + 1];
  if (depth > maxDepth || tag === undefined || first === undefined || (tag & 31) === 31) throw invalid();
  const constructed = (tag & 0x20) !== 0;
  if (first === 0x80) {
    if (!constructed) throw invalid();
    const parts: Uint8Array[] = [];
    let at = start + 2;
    while (!(bytes[at] === 0 && bytes[at + 1] === 0)) {
      const inner = element(bytes, at, limit, depth + 1);
      parts.push(inner.out);
      at = inner.end;
    }
    if (at + 2 > limit) throw invalid();
    return { out: joined(tag, parts), end: at + 2 };
  }
  const count = first > 128 ? first & 127 : 0;
  if (count > 6) throw invalid();
  let length = count === 0 ? first : 0;
  for (let i = 0; i < count; i++) length = length * 256 + (bytes[start + 2 + i] ?? 0);
  const content = start + 2 + count;
  const end = content + length;
  if (end > limit) throw invalid();
  // Definite and made of definite parts: byte for byte, since signed attributes are digested as they stand.
  if (!constructed || !mentionsIndefinite(bytes, content, end)) return { out: bytes.subarray(start, end), end };
  const parts: Uint8Array[] = [];
  // An indefinite part and its definite spelling may be of one length: only untouched parts leave the whole as it stands.
  let isUntouched = true;
  for (let at = content; at < end;) {
    const inner = element(bytes, at, end, depth + 1);
    isUntouched &&= inner.out.buffer === bytes.buffer;
    parts.push(inner.out);
    at = inner.end;
  }
  return { out: isUntouched ? bytes.subarray(start, end) : joined(tag, parts), end };
}

/** A cheap look for the end mark that indefinite lengths need; false alarms only cost a rewrite to the same bytes. */
function mentionsIndefinite(bytes: Uint8Array, from: number, to: number): boolean {
  const head = bytes[from + 1];
  return to - from >= 4 && (head === 0x80 || bytes.subarray(from, to).includes(0x80)) && endsWithMark(bytes, from, to);
}

function endsWithMark(bytes: Uint8Array, from: number, to: number): boolean {
  // Within the element only: a search to the end of the file for each of its parts would be quadratic.
  const part = bytes.subarray(from, to);
  for (let at = part.indexOf(0); at >= 0; at = part.indexOf(0, at + 1)) if (part[at + 1] === 0) return true;
  return false;
}

/** Constructed OCTET STRINGs become primitive ones: their parts' contents in a row. */
function joined(tag: number, parts: Uint8Array[]): Uint8Array {
  if (tag !== 0x24) return tlv(tag, ...parts);
  return tlv(0x04, ...parts.map((part) => part.subarray(headerSize(part))));
}

function headerSize(der: Uint8Array): number {
  const first = der[1] ?? 0;
  return 2 + (first > 128 ? first & 127 : 0);
}

function invalid(): PadesError {
  return new PadesError('CMS_INVALID', 'not the BER that was expected');
}
