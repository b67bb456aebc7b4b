import { oids } from '../cms/oids.ts';
import type { Crypto } from '../crypto.ts';
import { isSpokenOfInDocument } from '../revocation/status.ts';
import type { RevocationProofs } from '../revocation/status.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { isSelfIssued } from '../x509/chain.ts';
import type { FoundSignature } from './find-signatures.ts';
import type { BaselineLevel, CertificateSummary, TimestampReport } from './report.ts';
import type { SignedData } from './signed-data.ts';

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
  /** A document timestamp that is not a failure stands behind the signature. */
  readonly covered: boolean;
}

/** The baseline level a signature has the form of (EN 319 142-1 §6), whoever is trusted; null for other forms. */
export async function levelOf(facts: LevelFacts): Promise<BaselineLevel | null> {
  const { found, cms, timestamps, hasStore, covered } = facts;
  const isCades = found.subFilter === 'ETSI.CAdES.detached' || found.subFilter === 'PBAD.PAdES';
  const signer = cms.signers[0];
  if (!isCades || signer === undefined || signer.signed.has(signingTime)) return null;
  const isProtected = signer.signed.has(oids.signingCertificateV2) || signer.signed.has(signingCertificateV1);
  if (!isProtected || !found.dict.has('M')) return null;
  const sound = timestamps.filter(({ indication }) => indication !== 'TOTAL-FAILED');
  if (sound.length === 0 && !covered) return 'B-B';
  if (!hasStore) return 'B-T';
  const judged = [facts, ...sound.filter(({ trust }) => trust !== null)];
  for (const { chain, trust } of judged) if (!(await isInDocument(chain, trust, facts))) return 'B-T';
  return covered ? 'B-LTA' : 'B-LT';
}

/**
 * The document holds a proof for every certificate but the anchor. Where nobody is trusted, any issuer may be the anchor
 * (lists of trusted services name the signer's own, or the timestamp authority itself): then only the signer's certificate
 * needs one, as far as names tell.
 */
async function isInDocument(
  chain: readonly CertificateSummary[],
  trust: string | null,
  { evidence, crypto }: LevelFacts,
): Promise<boolean> {
  const [leaf, ...issuers] = chain.map(({ der }) => parseCertificate(der));
  if (leaf === undefined) return false;
  if (trust === null) return isSelfIssued(leaf) || isSpokenOfInDocument(leaf, null, evidence, crypto);
  let certificate = leaf;
  for (const issuer of issuers) {
    if (!(await isSpokenOfInDocument(certificate, issuer, evidence, crypto))) return false;
    certificate = issuer;
  }
  return true;
}
