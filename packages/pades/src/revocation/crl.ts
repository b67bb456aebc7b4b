import { child, children, contentOf, encoded, readDer } from '../cms/der.ts';
import type { DerNode } from '../cms/der.ts';
import { PadesError } from '../errors.ts';
import { signatureAlgorithm } from '../x509/algorithms.ts';
import { readExtensions, urlsIn } from '../x509/certificate.ts';
import type { Certificate } from '../x509/certificate.ts';
import { nameKey, sameName } from '../x509/name-match.ts';
import { bitsOf, timeOf, toHex } from '../x509/values.ts';
import { verifySigned } from '../x509/verify-signed.ts';

/** A certificate revocation list (RFC 5280 §5). Entries are looked through when asked, not held. */
export interface RevocationList {
  readonly der: Uint8Array;
  readonly tbs: Uint8Array;
  readonly issuer: Uint8Array;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | null;
  readonly signatureAlgorithm: Uint8Array;
  readonly signature: Uint8Array;
  readonly entries: DerNode | null;
  /** Since when expired certificates stay listed (X.509 §8.5.2.12), or null. */
  readonly keepsExpiredSince: Date | null;
  readonly scope: { onlyUsers: boolean; onlyAuthorities: boolean; unusable: boolean; points: readonly string[] };
}

const ids = {
  deltaIndicator: '2.5.29.27',
  issuingPoint: '2.5.29.28',
  expiredCertsOnCrl: '2.5.29.60',
  number: '2.5.29.20',
  aki: '2.5.29.35',
};
const known = new Set(Object.values(ids));

/** Throws CERTIFICATE_INVALID. */
export function parseRevocationList(der: Uint8Array): RevocationList {
  try {
    const [tbs, algorithm, signature] = children(readDer(der));
    if (tbs === undefined || algorithm === undefined) throw new PadesError('CERTIFICATE_INVALID');
    const fields = children(tbs);
    const at = fields[0]?.tag === 0x02 ? 1 : 0;
    const [, issuer, thisUpdate, ...rest] = fields.slice(at);
    if (issuer === undefined) throw new PadesError('CERTIFICATE_INVALID');
    const next = rest[0]?.tag === 0x17 || rest[0]?.tag === 0x18 ? rest[0] : undefined;
    const extensions = readExtensions(fields.find(({ tag }) => tag === 0xa0));
    const expired = extensions.get(ids.expiredCertsOnCrl);
    nameKey(encoded(issuer));
    // Read at once, so that a broken list is none, instead of an error in the middle of a verdict.
    signatureAlgorithm(encoded(algorithm));
    const unknownCritical = [...extensions].some(([id, { critical }]) => critical && !known.has(id));
    return {
      der,
      tbs: encoded(tbs),
      issuer: encoded(issuer),
      thisUpdate: timeOf(thisUpdate),
      nextUpdate: next === undefined ? null : timeOf(next),
      signatureAlgorithm: encoded(algorithm),
      signature: bitsOf(signature),
      entries: rest.find(({ tag }) => tag === 0x30) ?? null,
      keepsExpiredSince: expired === undefined ? null : timeOf(readDer(expired.value)),
      scope: scopeOf(extensions.get(ids.issuingPoint)?.value, unknownCritical || extensions.has(ids.deltaIndicator)),
    };
  } catch (error) {
    throw new PadesError('CERTIFICATE_INVALID', 'a revocation list cannot be read', {}, error);
  }
}

/** issuingDistributionPoint (§5.2.5): indirect lists, those of some reasons and of attribute certificates do not count. */
function scopeOf(value: Uint8Array | undefined, unusable: boolean): RevocationList['scope'] {
  const parts = value === undefined ? [] : children(readDer(value));
  const isSet = (tag: number) => parts.some((part) => part.tag === tag && part.bytes[part.content] !== 0);
  const point = parts.find(({ tag }) => tag === 0xa0);
  const points = point === undefined ? [] : urlsIn(point);
  return {
    onlyUsers: isSet(0x81),
    onlyAuthorities: isSet(0x82),
    // A part of the certificates, named in a way that is not compared here, says nothing of those it leaves out.
    unusable:
      unusable || isSet(0x84) || isSet(0x85) || parts.some(({ tag }) => tag === 0x83) || (point !== undefined && points.length === 0),
    points,
  };
}

/** True when the list speaks of this certificate: same issuer, within its scope, signed by that issuer's key. */
export async function listCovers(list: RevocationList, certificate: Certificate, issuer: Certificate): Promise<boolean> {
  const { scope } = list;
  if (!sameName(list.issuer, certificate.issuer) || scope.unusable) return false;
  if (certificate.isAuthority ? scope.onlyUsers : scope.onlyAuthorities) return false;
  const pointsMeet =
    scope.points.length === 0 || certificate.crlUrls.length === 0 || scope.points.some((url) => certificate.crlUrls.includes(url));
  const maySign = issuer.keyUsage === null || (issuer.keyUsage & 0x02) !== 0;
  return pointsMeet && maySign && isSignedBy(list, issuer);
}

const verified = new WeakMap<RevocationList, Map<Certificate, Promise<boolean>>>();

function isSignedBy(list: RevocationList, issuer: Certificate): Promise<boolean> {
  const answers = verified.get(list) ?? new Map<Certificate, Promise<boolean>>();
  verified.set(list, answers);
  const answer = answers.get(issuer) ?? checkSigned(list, issuer);
  answers.set(issuer, answer);
  return answer;
}

async function checkSigned(list: RevocationList, issuer: Certificate): Promise<boolean> {
  const algorithm = signatureAlgorithm(list.signatureAlgorithm);
  if (algorithm === null) return false;
  const verdict = await verifySigned({
    publicKey: issuer.publicKey,
    algorithm,
    hash: algorithm.hash ?? 'sha256',
    data: list.tbs,
    signature: list.signature,
  });
  return verdict === true;
}

/** When and why the certificate is listed; null when it is not. `removeFromCRL` (8) is not a revocation. */
export function entryFor(list: RevocationList, certificate: Certificate): { at: Date; reason: number } | null {
  if (list.entries === null) return null;
  const { bytes, content, end } = list.entries;
  const wanted = Uint8Array.from(certificate.serial.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  for (let at = content; at < end;) {
    const entry = readDer(bytes, at, end);
    at = entry.end;
    const serial = readDer(bytes, entry.content, entry.end);
    if (!holds(serial, wanted)) continue;
    const parts = children(entry);
    const reason = reasonOf(parts[2]);
    return reason === 8 ? null : { at: timeOf(parts[1]), reason };
  }
  return null;
}

/** Lists may have a million entries: compared in place. */
function holds({ bytes, content, end }: DerNode, wanted: Uint8Array): boolean {
  if (end - content !== wanted.length) return false;
  for (let i = 0; i < wanted.length; i++) if (bytes[content + i] !== wanted[i]) return false;
  return true;
}

function reasonOf(extensions: DerNode | undefined): number {
  for (const extension of extensions === undefined ? [] : children(extensions)) {
    const id = child(extension, 0, 0x06);
    if (toHex(contentOf(id)) !== '551d15') continue;
    const value = children(extension).at(-1);
    return value === undefined ? 0 : (contentOf(readDer(contentOf(value)))[0] ?? 0);
  }
  return 0;
}
