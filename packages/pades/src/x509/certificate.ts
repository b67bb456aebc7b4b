import { child, children, contentOf, encoded, readDer, sameBytes } from '../asn1/der.ts';
import type { DerNode } from '../asn1/der.ts';
import { PadesError } from '../errors.ts';
import { signatureAlgorithm } from './algorithms.ts';
import { nameKey } from './name-match.ts';
import { nameText } from './names.ts';
import { Recent } from './recent.ts';
import { bitsOf, dotted, textOf, timeOf } from '../asn1/values.ts';
import { hexText } from '../pdf/hex.ts';

/** A certificate as validation needs it (RFC 5280 §4). Byte arrays are encodings as they stand. */
export interface Certificate {
  readonly der: Uint8Array;
  readonly tbs: Uint8Array;
  /** The INTEGER's content, hexadecimal. */
  readonly serial: string;
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  /** AlgorithmIdentifier. */
  readonly signatureAlgorithm: Uint8Array;
  readonly signature: Uint8Array;
  /** The algorithm is named alike inside and outside of what is signed, parameters included (§4.1.1.2). */
  readonly algorithmsAgree: boolean;
  readonly isAuthority: boolean;
  readonly pathLength: number | null;
  /** First octet of the bits, 0x80 digitalSignature … ; null when the extension is missing. */
  readonly keyUsage: number | null;
  readonly purposes: readonly string[] | null;
  readonly purposesCritical: boolean;
  readonly subjectKeyId: string | null;
  readonly authorityKeyId: string | null;
  /** GeneralNames. */
  readonly alternativeName: DerNode | null;
  readonly policies: readonly string[];
  /** Numbers of certificates until it begins (RFC 5280 §4.2.1.11); null: never. */
  readonly policyConstraints: { readonly requireExplicitPolicy: number | null; readonly inhibitPolicyMapping: number | null };
  /** From the issuer's policy to the subject's (§4.2.1.5). */
  readonly policyMappings: readonly (readonly [string, string])[];
  /** Number of certificates until anyPolicy stops counting (§4.2.1.14). */
  readonly inhibitAnyPolicy: number | null;
  readonly crlUrls: readonly string[];
  readonly ocspUrls: readonly string[];
  readonly issuerUrls: readonly string[];
  /** Critical extensions nobody here understands: such a certificate validates nothing (§4.2). */
  readonly unknownCritical: readonly string[];
  /** ocsp-nocheck (RFC 6960), noRevAvail (RFC 9608) or validity-assured-short-term (EN 319 412-1). */
  readonly neverRevoked: boolean;
}

const ids = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  crlPoints: '2.5.29.31',
  policies: '2.5.29.32',
  policyConstraints: '2.5.29.36',
  policyMappings: '2.5.29.33',
  inhibitAnyPolicy: '2.5.29.54',
  authorityKeyId: '2.5.29.35',
  purposes: '2.5.29.37',
  access: '1.3.6.1.5.5.7.1.1',
};
const neverRevokedIds = ['1.3.6.1.5.5.7.48.1.5', '2.5.29.56', '0.4.0.194121.2.1'];
const understood = new Set([...Object.values(ids), ...neverRevokedIds, '1.3.6.1.5.5.7.1.3']);

interface Extension {
  critical: boolean;
  value: Uint8Array;
}

const parsed = new WeakMap<Uint8Array, Certificate>();
/** Those of authorities are in every signature, token and file, each time as other bytes; larger ones are rare. */
const recent = new Recent<Certificate>(200, 4096);

/**
 * Throws CERTIFICATE_INVALID. Parsing the same bytes again costs next to nothing. Names and algorithm are read at once: whoever
 * holds a `Certificate` may read them without fear, and a stranger's broken one counts as missing.
 */
export function parseCertificate(der: Uint8Array): Certificate {
  const known = parsed.get(der);
  if (known !== undefined) return known;
  const certificate = recent.get(der, readWhole);
  parsed.set(der, certificate);
  return certificate;
}

function readWhole(der: Uint8Array): Certificate {
  try {
    const certificate = read(der);
    nameText(certificate.issuer);
    nameText(certificate.subject);
    nameKey(certificate.issuer);
    nameKey(certificate.subject);
    signatureAlgorithm(certificate.signatureAlgorithm);
    return certificate;
  } catch (error) {
    throw new PadesError('CERTIFICATE_INVALID', 'cannot be read', {}, error);
  }
}

function read(der: Uint8Array): Certificate {
  const [tbs, algorithm, signature] = children(readDer(der));
  if (tbs === undefined || algorithm === undefined) throw new PadesError('CERTIFICATE_INVALID');
  const fields = children(tbs);
  const [serial, inner, issuer, validity, subject, publicKey] = fields.slice(fields[0]?.tag === 0xa0 ? 1 : 0);
  if (!serial || !inner || !issuer || !validity || !subject || !publicKey) throw new PadesError('CERTIFICATE_INVALID');
  const extensions = readExtensions(fields.find(({ tag }) => tag === 0xa3));
  const usage = extensions.get(ids.keyUsage);
  const access = accessUrls(extensions.get(ids.access));
  return {
    der,
    tbs: encoded(tbs),
    serial: hexText(contentOf(serial)),
    issuer: encoded(issuer),
    subject: encoded(subject),
    notBefore: timeOf(children(validity)[0]),
    notAfter: timeOf(children(validity)[1]),
    publicKey: encoded(publicKey),
    signatureAlgorithm: encoded(algorithm),
    signature: bitsOf(signature),
    algorithmsAgree: sameBytes(encoded(inner), encoded(algorithm)),
    ...authorityOf(extensions.get(ids.basicConstraints)),
    keyUsage: usage === undefined ? null : (bitsOf(readDer(usage.value))[0] ?? 0),
    purposes: sequenceOids(extensions.get(ids.purposes)),
    purposesCritical: extensions.get(ids.purposes)?.critical ?? false,
    subjectKeyId: keyIdOf(extensions.get(ids.subjectKeyId)),
    authorityKeyId: authorityKeyIdOf(extensions.get(ids.authorityKeyId)),
    alternativeName: valueOf(extensions.get(ids.alternativeName)),
    policies: policiesOf(extensions.get(ids.policies)),
    policyConstraints: constraintsOf(valueOf(extensions.get(ids.policyConstraints))),
    policyMappings: mappingsOf(valueOf(extensions.get(ids.policyMappings))),
    inhibitAnyPolicy: numberIn(valueOf(extensions.get(ids.inhibitAnyPolicy)), 0x02),
    crlUrls: urlsIn(valueOf(extensions.get(ids.crlPoints))),
    ocspUrls: access.ocsp,
    issuerUrls: access.issuers,
    unknownCritical: [...extensions].filter(([id, { critical }]) => critical && !understood.has(id)).map(([id]) => id),
    neverRevoked: isNeverRevoked(extensions),
  };
}

/** Extensions by identifier; a repeated one makes the certificate invalid (§4.2). */
export function readExtensions(wrapper: DerNode | undefined): Map<string, Extension> {
  const result = new Map<string, Extension>();
  if (wrapper === undefined) return result;
  for (const extension of children(child(wrapper, 0, 0x30))) {
    const parts = children(extension);
    const id = dotted(parts[0]);
    const critical = parts[1]?.tag === 0x01 && parts[1].bytes[parts[1].content] !== 0;
    const value = parts.at(-1);
    if (value?.tag !== 0x04 || result.has(id)) throw new PadesError('CERTIFICATE_INVALID', 'a broken extension');
    result.set(id, { critical, value: contentOf(value) });
  }
  return result;
}

function valueOf(extension: Extension | undefined): DerNode | null {
  return extension === undefined ? null : readDer(extension.value);
}

function authorityOf(extension: Extension | undefined): { isAuthority: boolean; pathLength: number | null } {
  const parts = extension === undefined ? [] : children(readDer(extension.value));
  const isAuthority = parts[0]?.tag === 0x01 && parts[0].bytes[parts[0].content] !== 0;
  const length = parts.find(({ tag }) => tag === 0x02);
  return { isAuthority, pathLength: numberIn(length ?? null, 0x02) };
}

function keyIdOf(extension: Extension | undefined): string | null {
  return extension === undefined ? null : hexText(contentOf(readDer(extension.value)));
}

function authorityKeyIdOf(extension: Extension | undefined): string | null {
  const id = extension && children(readDer(extension.value)).find(({ tag }) => tag === 0x80);
  return id === undefined ? null : hexText(contentOf(id));
}

function sequenceOids(extension: Extension | undefined): string[] | null {
  return extension === undefined ? null : children(readDer(extension.value)).map(dotted);
}

function policiesOf(extension: Extension | undefined): string[] {
  return extension === undefined ? [] : children(readDer(extension.value)).map((policy) => dotted(children(policy)[0]));
}

function constraintsOf(value: DerNode | null): Certificate['policyConstraints'] {
  const parts = value === null ? [] : children(value);
  const part = (tag: number) => numberIn(parts.find((one) => one.tag === tag) ?? null, tag);
  return { requireExplicitPolicy: part(0x80), inhibitPolicyMapping: part(0x81) };
}

function mappingsOf(value: DerNode | null): [string, string][] {
  return value === null ? [] : children(value).map((pair) => [dotted(child(pair, 0)), dotted(child(pair, 1))]);
}

/** A whole number that counts certificates: what is larger than any path is as good as never. */
function numberIn(node: DerNode | null, tag: number): number | null {
  if (node === null) return null;
  const bytes = contentOf(node);
  if (node.tag !== tag || bytes.length === 0 || (bytes[0] ?? 0) > 127) throw new PadesError('CERTIFICATE_INVALID', 'a count was expected');
  return bytes.reduce((value, byte) => Math.min(value * 256 + byte, 2 ** 40), 0);
}

function isNeverRevoked(extensions: Map<string, Extension>): boolean {
  return neverRevokedIds.some((id) => extensions.has(id));
}

function accessUrls(extension: Extension | undefined): { ocsp: string[]; issuers: string[] } {
  const ocsp: string[] = [];
  const issuers: string[] = [];
  for (const description of extension === undefined ? [] : children(readDer(extension.value))) {
    const [method, location] = children(description);
    if (location?.tag !== 0x86) continue;
    const id = dotted(method);
    if (id === '1.3.6.1.5.5.7.48.1') ocsp.push(textOf(location));
    if (id === '1.3.6.1.5.5.7.48.2') issuers.push(textOf(location));
  }
  return { ocsp, issuers };
}

/** Every uniformResourceIdentifier at any depth. */
export function urlsIn(node: DerNode | null): string[] {
  if (node === null) return [];
  if (node.tag === 0x86) return [textOf(node)];
  return (node.tag & 0x20) === 0 ? [] : children(node).flatMap(urlsIn);
}
