import { sameBytes } from '../asn1/der.ts';
import { isSha1, sha1Ended, signatureAlgorithm } from './algorithms.ts';
import type { Certificate } from './certificate.ts';
import { nameKey, sameName } from './name-match.ts';
import { policiesHold } from './policy-tree.ts';
import { latin1Text } from '../pdf/objects.ts';
import { isRsaKey, keyBits, verifySigned } from './verify-signed.ts';

const maxLength = 12;
const maxTries = 400;
const keyCertSign = 0x04;

/** Certificates by subject, to find issuers in. */
export class CertificatePool {
  private readonly bySubject = new Map<string, Certificate[]>();
  private readonly seen = new Set<string>();

  add(...certificates: readonly Certificate[]): void {
    for (const certificate of certificates) {
      const id = latin1Text(certificate.der);
      if (this.seen.has(id)) continue;
      this.seen.add(id);
      const subject = nameKey(certificate.subject);
      const named = this.bySubject.get(subject);
      if (named === undefined) this.bySubject.set(subject, [certificate]);
      else named.push(certificate);
    }
  }

  /** Candidates to have issued it, those its key identifier names first. */
  issuersOf(certificate: Certificate): Certificate[] {
    const named = this.bySubject.get(nameKey(certificate.issuer)) ?? [];
    const wanted = certificate.authorityKeyId;
    const fits = (one: Certificate) => (wanted !== null && one.subjectKeyId === wanted ? 0 : 1);
    return named.toSorted((a, b) => fits(a) - fits(b));
  }

  get all(): Certificate[] {
    return [...this.bySubject.values()].flat();
  }
}

/** `incomplete`: the next issuer is nowhere to be found; `untrusted`: complete up to a root that is no anchor. */
export type ChainProblem = 'incomplete' | 'untrusted' | 'constraints' | 'weak-algorithm';

/** The way from a certificate to an anchor, as far as it was found (RFC 5280 §6.1). */
export interface Chain {
  /** From the leaf to the last one found, the anchor included. */
  readonly certificates: readonly Certificate[];
  readonly anchor: Certificate | null;
  readonly problem: ChainProblem | null;
}

const issued = new WeakMap<Certificate, Map<Certificate, Promise<boolean>>>();

/** True when `issuer`'s key made `certificate`'s signature. Remembered. */
export function isIssuedBy(certificate: Certificate, issuer: Certificate): Promise<boolean> {
  const known = issued.get(certificate) ?? new Map<Certificate, Promise<boolean>>();
  issued.set(certificate, known);
  const answer = known.get(issuer) ?? checkIssued(certificate, issuer);
  known.set(issuer, answer);
  return answer;
}

async function checkIssued(certificate: Certificate, issuer: Certificate): Promise<boolean> {
  const algorithm = signatureAlgorithm(certificate.signatureAlgorithm);
  if (algorithm === null || !certificate.algorithmsAgree) return false;
  const verdict = await verifySigned({
    publicKey: issuer.publicKey,
    algorithm,
    hash: algorithm.hash ?? 'sha256',
    data: certificate.tbs,
    signature: certificate.signature,
  });
  return verdict === true;
}

export function isSelfIssued(certificate: Certificate): boolean {
  return sameName(certificate.issuer, certificate.subject);
}

/**
 * The best path from `leaf` to an anchor (RFC 5280 §6.1 without time and revocation, which need to know *when*): names,
 * signatures, basicConstraints, keyCertSign, path length, policies, critical extensions. Without an anchor, the longest path found
 * and what was missing.
 */
export async function findChain(leaf: Certificate, pool: CertificatePool, anchors: readonly Certificate[]): Promise<Chain> {
  const search = new Search(pool, anchors);
  await search.extend([leaf]);
  return search.result ?? search.longest;
}

class Search {
  result: Chain | null = null;
  longest: Chain = { certificates: [], anchor: null, problem: 'incomplete' };
  private tries = 0;
  private readonly pool: CertificatePool;
  private readonly anchors: readonly Certificate[];

  constructor(pool: CertificatePool, anchors: readonly Certificate[]) {
    this.pool = pool;
    this.anchors = anchors;
  }

  async extend(path: Certificate[]): Promise<void> {
    const last = path.at(-1);
    if (last === undefined || this.result !== null || path.length > maxLength || ++this.tries > maxTries) return;
    const anchor = this.anchors.find((one) => sameBytes(one.der, last.der));
    if (anchor !== undefined) return this.arrive(path, anchor);
    for (const candidate of this.anchors) {
      if (sameName(candidate.subject, last.issuer) && (await isIssuedBy(last, candidate))) {
        this.arrive([...path, candidate], candidate);
        if (this.result !== null) return;
      }
    }
    for (const issuer of this.pool.issuersOf(last)) {
      // Thousands of certificates of one name, each with a key that takes long, are an attack.
      if (++this.tries > maxTries) break;
      if (path.some((one) => sameBytes(one.der, issuer.der))) continue;
      if (await isIssuedBy(last, issuer)) await this.extend([...path, issuer]);
    }
    this.keep({ certificates: path, anchor: null, problem: isSelfIssued(last) ? 'untrusted' : 'incomplete' });
  }

  private arrive(path: Certificate[], anchor: Certificate): void {
    const problem = problemOf(path);
    if (problem === null) this.result = { certificates: path, anchor, problem: null };
    else this.keep({ certificates: path, anchor, problem });
  }

  private keep(chain: Chain): void {
    const better =
      chain.anchor !== null
        ? this.longest.anchor === null
        : chain.certificates.length > this.longest.certificates.length && !this.longest.anchor;
    if (better) this.longest = chain;
  }
}

/** What is wrong with a complete path, whatever the time. The anchor is taken as it is. */
function problemOf(path: readonly Certificate[]): ChainProblem | null {
  let below = 0;
  for (const [index, certificate] of path.entries()) {
    if (certificate.unknownCritical.length > 0) return 'constraints';
    if (index === path.length - 1 && path.length > 1) break;
    if (isSha1(certificate.signatureAlgorithm) && certificate.notBefore > sha1Ended) return 'weak-algorithm';
    if (index === 0) continue;
    if (isWeakKey(certificate)) return 'weak-algorithm';
    const signs = certificate.keyUsage === null || (certificate.keyUsage & keyCertSign) !== 0;
    if (!certificate.isAuthority || !signs) return 'constraints';
    if (certificate.pathLength !== null && below > certificate.pathLength) return 'constraints';
    if (!isSelfIssued(certificate)) below++;
  }
  // A path of the anchor alone has nothing to check.
  return policiesHold(path.slice(0, -1).toReversed()) ? null : 'constraints';
}

/** As for signers (`checkAlgorithms`): who computes an authority's key issues what they like. */
function isWeakKey({ publicKey }: Certificate): boolean {
  const bits = keyBits(publicKey);
  return isRsaKey(publicKey) ? bits < 2048 : bits < 256;
}
