import type { FoundSignature } from './find-signatures.ts';
import type { BaselineLevel, CertificateSummary, TimestampReport } from './report.ts';
import type { SignedData } from './signed-data.ts';

const signingTime = '1.2.840.113549.1.9.5';

/** What the level is read from. */
export interface LevelFacts {
  readonly found: FoundSignature;
  readonly cms: SignedData;
  readonly timestamps: readonly TimestampReport[];
  readonly chain: readonly CertificateSummary[];
  readonly hasStore: boolean;
  /** A document timestamp that is not a failure stands behind the signature. */
  readonly covered: boolean;
}

/** The baseline level a signature has the form of (EN 319 142-1 §6), whoever is trusted; null for other forms. */
export function levelOf({ found, cms, timestamps, chain, hasStore, covered }: LevelFacts): BaselineLevel | null {
  const isCades = found.subFilter === 'ETSI.CAdES.detached' || found.subFilter === 'PBAD.PAdES';
  const signer = cms.signers[0];
  if (!isCades || !cms.definiteLength || signer === undefined || signer.signed.has(signingTime)) return null;
  if (!found.dict.has('M')) return null;
  const sound = timestamps.filter(({ indication }) => indication !== 'TOTAL-FAILED');
  if (sound.length === 0 && !covered) return 'B-B';
  if (!hasStore || ![chain, ...sound.map((one) => one.chain)].every(isInDocument)) return 'B-T';
  return covered ? 'B-LTA' : 'B-LT';
}

/** No certificate but the last needed a proof from outside the file. */
function isInDocument(chain: readonly CertificateSummary[]): boolean {
  return chain.slice(0, -1).every(({ revocation }) => revocation === null || !['fetched', 'signature'].includes(revocation.source ?? ''));
}
