import { BaseBlock, Constructed, Integer, ObjectIdentifier, OctetString, Sequence, Set as Asn1Set, fromBER } from 'asn1js';
import { PadesError } from '../errors.ts';

/** Reading BER, which certificate files made by browsers and old tools are (RFC 7292 §4 permits it). */
export type Node = BaseBlock;

export function damaged(what: string, cause?: unknown): PadesError {
  return new PadesError('P12_DAMAGED', what, {}, cause);
}

/** The one element `bytes` hold; what follows it is ignored. Throws P12_DAMAGED. */
export function parse(bytes: Uint8Array): Node {
  let read: ReturnType<typeof fromBER>;
  try {
    read = fromBER(bytes.slice().buffer);
  } catch (error) {
    throw damaged('not ASN.1', error);
  }
  if (read.offset === -1) throw damaged('not ASN.1');
  return read.result;
}

/** The members of a SEQUENCE, a SET or an explicit tag. */
export function items(node: Node | undefined): Node[] {
  if (node instanceof Sequence || node instanceof Asn1Set || node instanceof Constructed) return node.valueBlock.value;
  throw damaged('a structure was expected');
}

export function item(node: Node | undefined, index: number): Node {
  const found = items(node)[index];
  if (found === undefined) throw damaged('something is missing');
  return found;
}

/** What stands in an explicit context tag of that number, or undefined. */
export function tagged(nodes: readonly Node[], number: number): Node | undefined {
  const found = nodes.find(({ idBlock }) => idBlock.tagClass === 3 && idBlock.tagNumber === number);
  return found === undefined ? undefined : item(found, 0);
}

export function dotted(node: Node | undefined): string {
  if (node instanceof ObjectIdentifier) return node.valueBlock.toString();
  throw damaged('an object identifier was expected');
}

export function octets(node: Node | undefined): Uint8Array<ArrayBuffer> {
  if (node instanceof OctetString) return new Uint8Array(node.getValue());
  throw damaged('an octet string was expected');
}

/** A count; more than 2⁵³ is damage. */
export function count(node: Node | undefined): number {
  if (!(node instanceof Integer)) throw damaged('a number was expected');
  const value = Number(node.toBigInt());
  if (!Number.isSafeInteger(value) || value < 0) throw damaged('a number out of bounds');
  return value;
}

/** An implicit [0] OCTET STRING, whole or in pieces. */
export function implicitOctets(node: Node | undefined): Uint8Array<ArrayBuffer> {
  if (node === undefined) throw damaged('encrypted content is missing');
  if (!(node instanceof Constructed)) return new Uint8Array(node.valueBlock.toBER(false));
  const parts = items(node).map(octets);
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
