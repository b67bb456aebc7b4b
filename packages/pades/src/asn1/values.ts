import { PadesError } from '../errors.ts';
import type { DerNode } from './der.ts';

/** The dotted form of an OBJECT IDENTIFIER. */
export function dotted(node: DerNode | undefined): string {
  if (node?.tag !== 0x06) throw new PadesError('CERTIFICATE_INVALID', 'an identifier was expected');
  const arcs: number[] = [];
  let value = 0;
  for (let at = node.content; at < node.end; at++) {
    const byte = node.bytes[at] ?? 0;
    value = value * 128 + (byte & 127);
    if (byte < 128) {
      arcs.push(value);
      value = 0;
    }
  }
  const [first = 0, ...rest] = arcs;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...rest].join('.');
}

/** A UTCTime or GeneralizedTime (RFC 5280 §4.1.2.5). */
export function timeOf(node: DerNode | undefined): Date {
  const text = node === undefined ? '' : textOf(node);
  const utc = node?.tag === 0x17;
  const match = /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})?(?:[.,](\d+))?(Z|[+-]\d{4})?$/.exec(text);
  if (match === null || (match[1]?.length === 2) !== utc) throw new PadesError('CERTIFICATE_INVALID', 'no time');
  const [, year = '', month, day, hour, minute, second = '00', fraction = '', zone = 'Z'] = match;
  const century = utc ? (Number(year) < 50 ? '20' : '19') : '';
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  const at = new Date(`${century}${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
  if (Number.isNaN(at.getTime())) throw new PadesError('CERTIFICATE_INVALID', 'no time');
  return at;
}

/** Any of ASN.1's string types, decoded. */
export function textOf(node: DerNode): string {
  const bytes = node.bytes.subarray(node.content, node.end);
  if (node.tag === 0x1e) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder(node.tag === 0x0c ? 'utf-8' : 'latin1').decode(bytes);
}

/** The octets of a BIT STRING without unused bits. */
export function bitsOf(node: DerNode | undefined): Uint8Array {
  if (node?.tag !== 0x03 || node.end === node.content) throw new PadesError('CERTIFICATE_INVALID', 'bits were expected');
  return node.bytes.slice(node.content + 1, node.end);
}
