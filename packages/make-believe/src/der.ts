import * as asn1 from 'asn1js';

/** Short names for what the make-believe world writes in DER. */
export const oid = (value: string) => new asn1.ObjectIdentifier({ value });
export const sequence = (...value: asn1.BaseBlock[]) => new asn1.Sequence({ value });
export const set = (...value: asn1.BaseBlock[]) => new asn1.Set({ value });
export const integer = (value: number) => new asn1.Integer({ value });
export const octets = (bytes: Uint8Array) => new asn1.OctetString({ valueHex: copy(bytes) });
export const nothing = () => new asn1.Null();

/** [n] constructed around the given content. */
export const tagged = (tagNumber: number, ...value: asn1.BaseBlock[]) =>
  new asn1.Constructed({ idBlock: { tagClass: 3, tagNumber }, value });

export function parse(bytes: Uint8Array): asn1.BaseBlock {
  const { result, offset } = asn1.fromBER(copy(bytes));
  if (offset === -1) throw new Error('not ASN.1');
  return result;
}

export function encode(block: asn1.BaseBlock): Uint8Array {
  return new Uint8Array(block.toBER(false));
}

function copy(bytes: Uint8Array): ArrayBuffer {
  // A Buffer's own slice() would be a view on a shared pool.
  return new Uint8Array(bytes).buffer as ArrayBuffer;
}
