import { child, children, contentOf, encoded, readDer, sameBytes } from '../asn1/der.ts';
import type { DerNode } from '../asn1/der.ts';
import { PadesError } from '../errors.ts';
import { signatureAlgorithm } from '../x509/algorithms.ts';
import { readExtensions, urlsIn } from '../x509/certificate.ts';
import type { Certificate } from '../x509/certificate.ts';
import { nameKey, sameName } from '../x509/name-match.ts';
import { bitsOf, dotted, timeOf } from '../asn1/values.ts';
import { hexText } from '../pdf/hex.ts';
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
  /** cRLNumber (§5.2.3). */
  readonly number: bigint | null;
  /** BaseCRLNumber of a delta list (§5.2.4): it says only what is new since then. */
  readonly deltaBase: bigint | null;
  readonly unknownCritical: boolean;
  readonly algorithmsAgree: boolean;
  readonly scope: {
    readonly onlyUsers: boolean;
    readonly onlyAuthorities: boolean;
    readonly partial: boolean;
    /** Of other issuers' certificates (indirect), or of attribute certificates. */
    readonly foreign: boolean;
    readonly points: readonly string[];
    readonly encoded: string;
  };
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
    const [inner, issuer, thisUpdate, ...rest] = fields.slice(at);
    if (inner === undefined || issuer === undefined) throw new PadesError('CERTIFICATE_INVALID');
    const next = rest[0]?.tag === 0x17 || rest[0]?.tag === 0x18 ? rest[0] : undefined;
    const extensions = readExtensions(fields.find(({ tag }) => tag === 0xa0));
    const expired = extensions.get(ids.expiredCertsOnCrl);
    nameKey(encoded(issuer));
    // Read at once, so that a broken list is none, instead of an error in the middle of a verdict.
    signatureAlgorithm(encoded(algorithm));
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
      number: integerOf(extensions.get(ids.number)?.value),
      deltaBase: integerOf(extensions.get(ids.deltaIndicator)?.value),
      unknownCritical: [...extensions].some(([id, { critical }]) => critical && !known.has(id)),
      algorithmsAgree: sameBytes(encoded(inner), encoded(algorithm)),
      scope: scopeOf(extensions.get(ids.issuingPoint)?.value),
    };
  } catch (error) {
    throw new PadesError('CERTIFICATE_INVALID', 'a revocation list cannot be read', {}, error);
  }
}

function integerOf(value: Uint8Array | undefined): bigint | null {
  if (value === undefined) return null;
  const node = readDer(value);
  const bytes = contentOf(node);
  if (node.tag !== 0x02 || bytes.length === 0 || (bytes[0] ?? 0) > 127)
    throw new PadesError('CERTIFICATE_INVALID', 'a number was expected');
  return BigInt(`0x${hexText(bytes)}`);
}

/** issuingDistributionPoint (§5.2.5). */
function scopeOf(value: Uint8Array | undefined): RevocationList['scope'] {
  const parts = value === undefined ? [] : children(readDer(value));
  const isSet = (tag: number) => parts.some((part) => part.tag === tag && part.bytes[part.content] !== 0);
  const point = parts.find(({ tag }) => tag === 0xa0);
  const points = point === undefined ? [] : urlsIn(point);
  return {
    onlyUsers: isSet(0x81),
    onlyAuthorities: isSet(0x82),
    // Some reasons, or a part of the certificates that is named in a way not compared here: silent of what it leaves out.
    partial: parts.some(({ tag }) => tag === 0x83) || (point !== undefined && points.length === 0),
    foreign: isSet(0x84) || isSet(0x85),
    points,
    encoded: value === undefined ? '' : hexText(value),
  };
}

/** `all`: who is not listed is not revoked. `revocations`: who is listed is revoked, of others it says nothing. */
export type ListReach = 'all' | 'revocations' | 'nothing';

/**
 * How far the list speaks of this certificate (§6.3.3): by the same issuer, signed by its key, within its scope. Indirect
 * lists, those of attribute certificates, and lists with critical extensions nobody here knows say nothing.
 */
export async function reachOf(list: RevocationList, certificate: Certificate, issuer: Certificate): Promise<ListReach> {
  const { scope } = list;
  if (!sameName(list.issuer, certificate.issuer) || scope.foreign || list.unknownCritical) return 'nothing';
  if (!(await isMadeBy(list, issuer)) || !hasKnownEntries(list)) return 'nothing';
  const isInScope = certificate.isAuthority ? !scope.onlyUsers : !scope.onlyAuthorities;
  const pointsMeet = scope.points.length === 0 || scope.points.some((url) => certificate.crlUrls.includes(url));
  return isInScope && pointsMeet && !scope.partial ? 'all' : 'revocations';
}

/** True when the issuer's key signed the list, and the issuer may sign lists (§6.3.3, f and g). Its name is compared elsewhere. */
export async function isMadeBy(list: RevocationList, issuer: Certificate): Promise<boolean> {
  const maySign = issuer.keyUsage === null || (issuer.keyUsage & 0x02) !== 0;
  return list.algorithmsAgree && maySign && isSignedBy(list, issuer);
}

/** True for a complete list that says of the certificate whether it is revoked. */
export async function listCovers(list: RevocationList, certificate: Certificate, issuer: Certificate): Promise<boolean> {
  return list.deltaBase === null && (await reachOf(list, certificate, issuer)) === 'all';
}

/** True when the delta list adds to this complete one (§5.2.4): same scope, no older than its base, older than itself. */
export function isBaseOf(list: RevocationList, delta: RevocationList): boolean {
  if (list.deltaBase !== null || delta.deltaBase === null || list.number === null || delta.number === null) return false;
  return list.scope.encoded === delta.scope.encoded && list.number >= delta.deltaBase && list.number <= delta.number;
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

/** RFC 5280 §5.3.1: only in delta lists; the certificate was on hold and is no longer. */
export const removeFromList = 8;

/** When and why the certificate is listed, for `removeFromList` too; null when it is not. */
export function entryFor(list: RevocationList, certificate: Certificate): { at: Date; reason: number | null } | null {
  if (list.entries === null) return null;
  const { bytes, content, end } = list.entries;
  const wanted = Uint8Array.from(certificate.serial.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  for (let at = content; at < end;) {
    const entry = readDer(bytes, at, end);
    at = entry.end;
    const serial = readDer(bytes, entry.content, entry.end);
    if (!holds(serial, wanted)) continue;
    const parts = children(entry);
    return { at: timeOf(parts[1]), reason: reasonOf(parts[2]) };
  }
  return null;
}

const withKnownEntries = new WeakMap<RevocationList, boolean>();

/** An entry with a critical extension that is not read here (certificateIssuer is one) spoils the list (§5.3). */
function hasKnownEntries(list: RevocationList): boolean {
  const known = withKnownEntries.get(list) ?? scanEntries(list);
  withKnownEntries.set(list, known);
  return known;
}

const knownInEntries = new Set(['2.5.29.21', '2.5.29.24', '2.5.29.23']);

function scanEntries({ entries }: RevocationList): boolean {
  if (entries === null) return true;
  const { bytes, content, end } = entries;
  // BOOLEAN TRUE is what makes an extension critical: without these bytes nothing is, and nothing need be parsed.
  let at = bytes.indexOf(0xff, content);
  for (; at >= 0 && at < end; at = bytes.indexOf(0xff, at + 1)) if (bytes[at - 1] === 1 && bytes[at - 2] === 1) break;
  if (at < 0 || at >= end) return true;
  try {
    for (let next = content; next < end;) {
      const entry = readDer(bytes, next, end);
      next = entry.end;
      for (const extension of children(entry)[2] === undefined ? [] : children(child(entry, 2))) {
        const [id, critical] = children(extension);
        if (critical?.tag === 0x01 && !knownInEntries.has(dotted(id))) return false;
      }
    }
    return true;
  } catch {
    return false;
  }
}

/** Lists may have a million entries: compared in place. */
function holds({ bytes, content, end }: DerNode, wanted: Uint8Array): boolean {
  if (end - content !== wanted.length) return false;
  for (let i = 0; i < wanted.length; i++) if (bytes[content + i] !== wanted[i]) return false;
  return true;
}

/** Null where none is stated, which is no reason 0 (RFC 3161 §4). */
function reasonOf(extensions: DerNode | undefined): number | null {
  for (const extension of extensions === undefined ? [] : children(extensions)) {
    const id = child(extension, 0, 0x06);
    if (hexText(contentOf(id)) !== '551d15') continue;
    const value = children(extension).at(-1);
    return value === undefined ? null : (contentOf(readDer(contentOf(value)))[0] ?? null);
  }
  return null;
}
