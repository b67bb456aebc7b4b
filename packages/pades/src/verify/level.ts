import { oids } from '../asn1/oids.ts';
import type { Crypto } from '../crypto.ts';
import { isSpokenOf } from '../revocation/status.ts';
import type { RevocationProof, RevocationProofs } from '../revocation/status.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { isSelfIssued } from '../x509/chain.ts';
import type { FoundSignature } from './find-signatures.ts';
import type { BaselineLevel, CertificateSummary, TimestampReport } from './report.ts';
import type { SignedData } from '../cms/read-signed-data.ts';

const signingTime = '1.2.840.113549.1.9.5';
const signingCertificateV1 = '1.2.840.113549.1.9.16.2.12';

/** What the level is read from. */
export interface LevelFacts {
  readonly found: FoundSignature;
  readonly cms: SignedData;
  readonly timestamps: readonly TimestampReport[];
  readonly chain: readonly CertificateSummary[];
  readonly trust: string | null;
  /** Everything gathered; what counts is what the document's own DSS holds. */
  readonly evidence: RevocationProofs;
  readonly crypto: Crypto;
  readonly hasStore: boolean;
  /** The document timestamps behind the signature that are no failures: where the bytes end that each speaks of first. */
  readonly stampedUpTo: readonly number[];
}

/**
 * The baseline level a signature has the form of (EN 319 142-1 §6), as far as its chain was built; null for other forms. B-LTA is a
 * timestamp over the very proofs: one that came before them keeps nothing of them.
 */
export async function levelOf(facts: LevelFacts): Promise<BaselineLevel | null> {
  const { found, cms, timestamps, hasStore, stampedUpTo } = facts;
  const isCades = found.subFilter === 'ETSI.CAdES.detached' || found.subFilter === 'PBAD.PAdES';
  const signer = cms.signers[0];
  if (!isCades || signer === undefined || signer.signed.has(signingTime)) return null;
  const isProtected = signer.signed.has(oids.signingCertificateV2) || signer.signed.has(signingCertificateV1);
  if (!isProtected || !found.dict.has('M') || facts.chain.length === 0) return null;
  const sound = timestamps.filter(({ indication }) => indication !== 'TOTAL-FAILED');
  if (sound.length === 0 && stampedUpTo.length === 0) return 'B-B';
  if (!hasStore || !(await areInDocument(sound, facts, Infinity))) return 'B-T';
  for (const end of stampedUpTo) if (await areInDocument(sound, facts, end)) return 'B-LTA';
  return 'B-LT';
}

/** The document holds, in its first `end` bytes, what proves the signer's chain and those of the authorities that are trusted. */
async function areInDocument(timestamps: readonly TimestampReport[], facts: LevelFacts, end: number): Promise<boolean> {
  const { lists, responses } = facts.evidence;
  const isEarlier = ({ source, place }: RevocationProof<unknown>) => source === 'document' && (place == null || place.end <= end);
  const proofs = { lists: lists.filter(isEarlier), responses: responses.filter(isEarlier) };
  for (const { chain, trust } of [facts, ...timestamps]) {
    if (!(await isInDocument(chain, trust, proofs, facts.crypto))) return false;
  }
  return true;
}

/**
 * The document holds a proof for every certificate but the last: the anchor, or where nobody is trusted the root that signed itself.
 * A chain that ends before one was not built, and nothing beyond it is claimed.
 */
async function isInDocument(
  chain: readonly CertificateSummary[],
  trust: string | null,
  proofs: RevocationProofs,
  crypto: Crypto,
): Promise<boolean> {
  const certificates = chain.map(({ der }) => parseCertificate(der));
  const root = certificates.at(-1);
  if (root === undefined || (trust === null && !isSelfIssued(root))) return false;
  for (const [index, issuer] of certificates.slice(1).entries()) {
    const certificate = certificates[index];
    if (certificate === undefined || !(await isSpokenOf(certificate, issuer, proofs, crypto))) return false;
  }
  return true;
}
