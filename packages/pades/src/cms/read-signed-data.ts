import { definite } from '../asn1/ber.ts';
import { child, children, contentOf, encoded, readDer, sameBytes } from '../asn1/der.ts';
import type { DerNode } from '../asn1/der.ts';
import type { HashName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { hashNamed, signatureAlgorithm } from '../x509/algorithms.ts';
import type { SignatureAlgorithm } from '../x509/algorithms.ts';
import { parseCertificate } from '../x509/certificate.ts';
import type { Certificate } from '../x509/certificate.ts';
import { nameKey, sameName } from '../x509/name-match.ts';
import { dotted } from '../asn1/values.ts';
import { hexText } from '../pdf/hex.ts';

/** A CMS SignedData as it was found (RFC 5652 §5), decoded from BER. Nothing of it is trusted yet. */
export interface SignedData {
  /** With definite lengths; for comparing and for level checks. */
  readonly der: Uint8Array;
  /** The bytes were definite-length already. */
  readonly definiteLength: boolean;
  /** Nothing but zeros follows in the room that was left for it. */
  readonly isPadded: boolean;
  readonly contentType: string;
  readonly content: Uint8Array | null;
  readonly certificates: readonly Certificate[];
  readonly crls: readonly Uint8Array[];
  readonly signers: readonly SignerInfo[];
}

export interface SignerInfo {
  /** IssuerAndSerialNumber's parts, or a subject key identifier. */
  readonly issuer: Uint8Array | null;
  readonly serial: string | null;
  readonly keyId: string | null;
  readonly digest: HashName | null;
  readonly algorithm: SignatureAlgorithm | null;
  /** As signed: with the tag of SET OF (RFC 5652 §5.4); null when there are none. */
  readonly signedBytes: Uint8Array | null;
  readonly signed: Attributes;
  readonly unsigned: Attributes;
  readonly signature: Uint8Array;
}

/** Attribute values by identifier, one entry per attribute met. */
export type Attributes = ReadonlyMap<string, readonly DerNode[][]>;

const signedDataId = '1.2.840.113549.1.7.2';

/**
 * Throws CMS_INVALID for what is no SignedData, or has another one behind it: readers would choose. Other bytes in the rest of
 * the room are signed by nobody and shown by nobody; some signers leave what was there.
 */
export function parseSignedData(bytes: Uint8Array): SignedData {
  try {
    const { der, end } = definite(bytes);
    const isPadded = isZeroFrom(bytes, end);
    if (!isPadded && isContentInfo(bytes, end)) throw new PadesError('CMS_INVALID', 'another signature behind the signature');
    return { ...read(der), definiteLength: sameBytes(der, bytes.subarray(0, end)), isPadded };
  } catch (error) {
    throw new PadesError('CMS_INVALID', 'a signature cannot be read', {}, error);
  }
}

/** The room left in a signature's hole: thousands of zeros, read without a call for each. */
function isZeroFrom(bytes: Uint8Array, start: number): boolean {
  for (let i = start; i < bytes.length; i++) if (bytes[i] !== 0) return false;
  return true;
}

/** Behind zeros or at once: a SEQUENCE that begins with an identifier of CMS. */
function isContentInfo(bytes: Uint8Array, start: number): boolean {
  let at = start;
  while (bytes[at] === 0) at++;
  try {
    const type = child(readDer(definite(bytes.subarray(at)).der), 0, 0x06);
    return dotted(type).startsWith('1.2.840.113549.1.7.');
  } catch {
    return false;
  }
}

function read(der: Uint8Array): Omit<SignedData, 'definiteLength' | 'isPadded'> {
  const outer = readDer(der);
  if (dotted(child(outer, 0)) !== signedDataId) throw new PadesError('CMS_INVALID', 'no SignedData');
  const fields = children(child(child(outer, 1, 0xa0), 0, 0x30));
  const [, digests, encapsulated, ...rest] = fields;
  const infos = rest.at(-1);
  if (digests?.tag !== 0x31 || encapsulated?.tag !== 0x30 || infos?.tag !== 0x31) throw new PadesError('CMS_INVALID');
  const [type, wrapper] = children(encapsulated);
  return {
    der,
    contentType: dotted(type),
    content: wrapper === undefined ? null : contentOf(child(wrapper, 0)),
    certificates: certificatesOf(rest.find(({ tag }) => tag === 0xa0)),
    crls: listed(rest.find(({ tag }) => tag === 0xa1)),
    signers: children(infos).map(readSigner),
  };
}

/** Attribute certificates and other kinds (tagged) are left out; an unreadable certificate counts as missing. */
function certificatesOf(set: DerNode | undefined): Certificate[] {
  return listed(set).flatMap((der) => {
    try {
      return [parseCertificate(der)];
    } catch {
      return [];
    }
  });
}

function listed(set: DerNode | undefined): Uint8Array[] {
  return set === undefined
    ? []
    : children(set)
        .filter(({ tag }) => tag === 0x30)
        .map(encoded);
}

function readSigner(node: DerNode): SignerInfo {
  const [, id, digestAlgorithm, ...rest] = children(node);
  const signed = rest[0]?.tag === 0xa0 ? rest.shift() : undefined;
  const [algorithm, value, unsigned] = rest;
  if (!id || !algorithm || value?.tag !== 0x04) throw new PadesError('CMS_INVALID', 'a broken SignerInfo');
  const signedBytes = signed === undefined ? null : encoded(signed);
  if (signedBytes !== null) signedBytes[0] = 0x31;
  const named = id.tag === 0x30 ? children(id) : [];
  // Read at once: what is no name is no SignerInfo.
  const issuer = named[0] === undefined ? null : encoded(named[0]);
  if (issuer !== null) nameKey(issuer);
  return {
    issuer,
    serial: named[1] === undefined ? null : hexText(contentOf(named[1])),
    keyId: id.tag === 0x80 ? hexText(contentOf(id)) : null,
    digest: hashNamed(digestAlgorithm),
    algorithm: signatureAlgorithm(encoded(algorithm)),
    signedBytes,
    signed: attributesOf(signed),
    unsigned: attributesOf(unsigned),
    signature: contentOf(value),
  };
}

function attributesOf(set: DerNode | undefined): Attributes {
  const result = new Map<string, DerNode[][]>();
  for (const attribute of set === undefined ? [] : children(set)) {
    const id = dotted(child(attribute, 0));
    result.set(id, [...(result.get(id) ?? []), children(child(attribute, 1, 0x31))]);
  }
  return result;
}

/** The only value of an attribute that must be there once; null otherwise. */
export function single(attributes: Attributes, id: string): DerNode | null {
  const found = attributes.get(id);
  return found?.length === 1 && found[0]?.length === 1 ? (found[0][0] ?? null) : null;
}

/** The certificate a SignerInfo names: issuer and serial together, or the key identifier. */
export function signerCertificate({ certificates, signers }: SignedData): Certificate | null {
  const [signer] = signers;
  if (signer === undefined) return null;
  const { issuer } = signer;
  return (
    certificates.find((one) =>
      issuer === null ? one.subjectKeyId === signer.keyId : one.serial === signer.serial && sameName(one.issuer, issuer),
    ) ?? null
  );
}
