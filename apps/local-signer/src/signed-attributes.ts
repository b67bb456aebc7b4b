import { createHash } from 'node:crypto';
import type { DigestName } from '@lavra/pades';

interface Node {
  readonly tag: number;
  readonly whole: Uint8Array;
  readonly content: Uint8Array;
}

/** Thrown inside this file only. */
class NotThat extends Error {}

/** One element of DER at `at`: low tags, definite minimal length (X.690 §10.1). */
function elementAt(bytes: Uint8Array, at: number): Node {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || (tag & 31) === 31) throw new NotThat();
  const count = first < 128 ? 0 : first & 127;
  if (first === 128 || count > 3) throw new NotThat();
  let length = count === 0 ? first : 0;
  for (let i = 0; i < count; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
  if (count > 0 && (length < 128 || length < 256 ** (count - 1))) throw new NotThat();
  const start = at + 2 + count;
  if (start + length > bytes.length) throw new NotThat();
  return { tag, whole: bytes.subarray(at, start + length), content: bytes.subarray(start, start + length) };
}

function elementsIn(content: Uint8Array): Node[] {
  const found: Node[] = [];
  for (let at = 0; at < content.length;) {
    const element = elementAt(content, at);
    found.push(element);
    at += element.whole.length;
  }
  return found;
}

/** Exactly these elements, with these tags. */
function expect(content: Uint8Array, tags: readonly number[]): Node[] {
  const found = elementsIn(content);
  if (found.length !== tags.length || found.some(({ tag }, index) => tag !== tags[index])) throw new NotThat();
  return found;
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** OBJECT IDENTIFIERs, contents in hex. */
const ids = {
  contentType: '2a864886f70d010903',
  messageDigest: '2a864886f70d010904',
  signingCertificateV2: '2a864886f70d010910022f',
  signaturePolicy: '2a864886f70d010910020f',
  data: '2a864886f70d010701',
};
const hashIds: Record<string, DigestName> = {
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
};
const digestLengths: Record<DigestName, number> = { sha256: 32, sha384: 48, sha512: 64 };

/**
 * Whether `bytes` are the signed attributes of a PAdES signature (EN 319 142-1 §6.3) made for this certificate, and nothing else: DER,
 * SET OF in order, content type id-data, a message digest of the digest's length, signing-certificate-v2 (RFC 5035) that names the
 * certificate by its hash, perhaps a signature policy, no further attribute, each once with one value. A key
 * behind this check signs no login challenge, no certificate request and no other blob.
 */
export function areSignedAttributes(bytes: Uint8Array, digest: DigestName, certificate: Uint8Array): boolean {
  try {
    const set = elementAt(bytes, 0);
    if (set.tag !== 0x31 || set.whole.length !== bytes.length) return false;
    const attributes = elementsIn(set.content);
    if (attributes.some(({ whole }, index) => index > 0 && Buffer.compare(attributes[index - 1]?.whole ?? whole, whole) >= 0)) return false;
    const values = new Map<string, Node>();
    for (const { tag, content } of attributes) {
      if (tag !== 0x30) return false;
      const [type, valueSet] = expect(content, [0x06, 0x31]);
      const [value, more] = elementsIn(valueSet?.content ?? new Uint8Array());
      const id = hexOf(type?.content ?? new Uint8Array());
      if (value === undefined || more !== undefined || values.has(id)) return false;
      values.set(id, value);
    }
    const known = [ids.contentType, ids.messageDigest, ids.signingCertificateV2, ids.signaturePolicy];
    if ([...values.keys()].some((id) => !known.includes(id))) return false;
    const type = values.get(ids.contentType);
    const message = values.get(ids.messageDigest);
    const policy = values.get(ids.signaturePolicy);
    return (
      type?.tag === 0x06 &&
      hexOf(type.content) === ids.data &&
      message?.tag === 0x04 &&
      message.content.length === digestLengths[digest] &&
      (policy === undefined || policy.tag === 0x30) &&
      namesCertificate(values.get(ids.signingCertificateV2), certificate)
    );
  } catch (error) {
    if (error instanceof NotThat) return false;
    throw error;
  }
}

/** SigningCertificateV2 ::= SEQUENCE { certs SEQUENCE OF ESSCertIDv2, policies OPTIONAL }; the first one is the signer's (RFC 5035 §3). */
function namesCertificate(value: Node | undefined, certificate: Uint8Array): boolean {
  if (value?.tag !== 0x30) return false;
  const [certificates] = elementsIn(value.content);
  if (certificates?.tag !== 0x30) return false;
  const [first] = elementsIn(certificates.content);
  if (first?.tag !== 0x30) return false;
  const parts = elementsIn(first.content);
  let digest: DigestName | undefined = 'sha256';
  if (parts[0]?.tag === 0x30) {
    const [algorithm] = elementsIn(parts[0].content);
    digest = algorithm?.tag === 0x06 ? hashIds[hexOf(algorithm.content)] : undefined;
    parts.shift();
  }
  const hash = parts[0];
  if (digest === undefined || hash?.tag !== 0x04) return false;
  return createHash(digest).update(certificate).digest().equals(hash.content);
}
