import { child, children, contentOf, readDer } from '../asn1/der.ts';
import type { DerNode } from '../asn1/der.ts';
import { dotted } from '../asn1/values.ts';
import { hexText } from '../pdf/hex.ts';
import { Recent } from './recent.ts';

const known = new WeakMap<Uint8Array, string>();
/** Those of authorities are in every certificate and signature, each time as other bytes. */
const recent = new Recent<string>(400, 1024);

/**
 * A Name (DER) as a key: two names have the same one when RFC 5280 §7.1 calls them equal. PrintableString and UTF8String
 * compare without regard to case and to how many spaces there are, other strings byte for byte. What cannot be prepared
 * here (RFC 4518, for letters of the Latin script) equals itself alone.
 */
export function nameKey(name: Uint8Array): string {
  const key = known.get(name) ?? recent.get(name, keyOf);
  known.set(name, key);
  return key;
}

/** True when the names are equal after RFC 5280 §7.1. */
export function sameName(a: Uint8Array, b: Uint8Array): boolean {
  return nameKey(a) === nameKey(b);
}

function keyOf(name: Uint8Array): string {
  const prepared = children(readDer(name)).map((set) => children(set).map(attributeKey).toSorted());
  return JSON.stringify(prepared);
}

function attributeKey(pair: DerNode): string {
  const value = child(pair, 1);
  const text = preparedText(value);
  return `${dotted(child(pair, 0))}${text === null ? `#${value.tag}:${hexText(contentOf(value))}` : `=${text}`}`;
}

const printableString = 0x13;
const utf8String = 0x0c;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** RFC 4518 §2: mapped, normalised (NFKC), folded, without insignificant spaces; null when that cannot be done here. */
function preparedText({ tag, bytes, content, end }: DerNode): string | null {
  if (tag !== printableString && tag !== utf8String) return null;
  let text: string;
  try {
    text = utf8.decode(bytes.subarray(content, end));
  } catch {
    return null;
  }
  // eslint-disable-next-line no-control-regex
  if (tag === printableString && !/^[\u0000-\u007f]*$/.test(text)) return null;
  const folded = text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
  if (![...folded].every((char) => isPrepared(char.codePointAt(0) ?? 0))) return null;
  return folded.replaceAll(/[ \u00a0]+/g, ' ').replaceAll(/^ | $/g, '');
}

/**
 * Latin letters, their marks, digits, punctuation. Beyond, Unicode has grown since the version RFC 4518 is written for;
 * controls and soft hyphens, which it maps to nothing, are in nobody's name.
 */
function isPrepared(code: number): boolean {
  const isLatin = code >= 0x20 && code < 0x250 && !(code >= 0x7f && code < 0xa0) && code !== 0xad;
  return isLatin || (code >= 0x300 && code < 0x370 && code !== 0x34f);
}
