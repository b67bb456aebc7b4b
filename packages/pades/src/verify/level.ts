import type { FoundSignature } from './find-signatures.ts';
import type { BaselineLevel, CertificateSummary, TimestampReport } from './report.ts';
import type { SignedData } from './signed-data.ts';

const signingTime = '1.2.840.113549.1.9.5';

/** What the level is read from. */
export interface LevelFacts {
  readonly found: FoundSignature;
  readonly cms: SignedData;
  readonly timestamps: readonly TimestampReport[];
  readonly judged: { readonly chain: readonly CertificateSummary[] };
  readonly context: { readonly hasStore: boolean };
  readonly proofs: readonly { readonly time: Date; readonly from: number }[];
}

/** The baseline level a signature has reached and keeps (EN 319 142-1 §6), or null for other forms. */
export function levelOf({ found, cms, timestamps, judged, context, proofs }: LevelFacts): BaselineLevel | null {
  const isCades = found.subFilter === 'ETSI.CAdES.detached' || found.subFilter === 'PBAD.PAdES';
  const signer = cms.signers[0];
  if (!isCades || !cms.definiteLength || signer === undefined || signer.signed.has(signingTime)) return null;
  if (!found.dict.has('M')) return null;
  const good = timestamps.filter(({ indication }) => indication === 'TOTAL-PASSED');
  const end = found.range?.end ?? 0;
  const covering = proofs.filter(({ from }) => from >= end);
  if (good.length === 0 && covering.length === 0) return 'B-B';
  const chains = [judged.chain, ...good.map(({ chain }) => chain)];
  if (!context.hasStore || !chains.every(isInDocument)) return 'B-T';
  return covering.length === 0 ? 'B-LT' : 'B-LTA';
}

/** Every certificate but the last has its proof in the file. */
function isInDocument(chain: readonly CertificateSummary[]): boolean {
  return chain.slice(0, -1).every(({ revocation }) => revocation?.status === 'not-needed' || revocation?.source === 'document');
}
