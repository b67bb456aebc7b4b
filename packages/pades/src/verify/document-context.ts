import type { Crypto, HashName } from '../crypto.ts';
import type { RevocationSource } from '../material.ts';
import type { Pdf } from '../pdf/pdf.ts';
import type { CertificationLevel } from '../pdf/permissions.ts';
import type { ProofPlace } from '../revocation/status.ts';
import type { Evidence } from './evidence.ts';
import { existedAt } from './existence.ts';
import type { ProvenTime, TimeBounds } from './existence.ts';
import type { FoundSignature } from './find-signatures.ts';
import type { JudgeContext } from './judge-certificate.ts';
import type { Change } from './report.ts';

/** What judging one signature needs of the whole document. */
export interface DocumentContext {
  readonly pdf: Pdf;
  readonly evidence: Evidence;
  readonly hasStore: boolean;
  /** The certifying signature's statement and where it ends: it binds what came after. */
  readonly certification: { readonly level: CertificationLevel; readonly end: number } | null;
  readonly at: Date;
  readonly crypto: Crypto;
  readonly revocations: RevocationSource | undefined;
  readonly signatureAnchors: JudgeContext['anchors'];
  readonly timestampAnchors: JudgeContext['anchors'];
  readonly changesAfter: (one: FoundSignature) => readonly Change[] | 'unreadable';
  readonly digestOf: (one: FoundSignature, hash: HashName) => Promise<Uint8Array>;
  readonly coversWhole: (one: FoundSignature) => Promise<boolean>;
}

/** What the signature signs is proven by its own timestamp too. */
export function contextFor(
  found: FoundSignature,
  bounds: TimeBounds,
  proofs: readonly ProvenTime[],
  context: DocumentContext,
): JudgeContext {
  const existed = (place: ProofPlace) => (place.signedBy === found ? bounds.proven : existedAt(place, proofs));
  return { ...context, anchors: context.signatureAnchors, existed };
}

/** The same for whoever vouches for a time. */
export function timestampContext(context: DocumentContext, proofs: readonly ProvenTime[]): JudgeContext {
  return { ...context, anchors: context.timestampAnchors, existed: (place) => existedAt(place, proofs) };
}
