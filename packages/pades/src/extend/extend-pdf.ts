import { platformCrypto } from '../crypto.ts';
import type { Crypto, DigestName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import type { PolicyArtifacts, RevocationSource } from '../material.ts';
import { openRevised } from '../open-pdf.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { joinRevisions } from '../source.ts';
import type { Revision } from '../source.ts';
import type { TimestampSource } from '../timestamp/timestamp.ts';
import { appendDocumentTimestamp } from './document-timestamp.ts';
import { appendSecurityStore } from './security-store.ts';

/** EN 319 142-1 §6.1: B-T time, B-LT validation material, B-LTA both under a document timestamp. */
export type PadesLevel = 'B-T' | 'B-LT' | 'B-LTA';

/** What extending takes: sources according to the level, and when. */
export interface ExtensionOptions {
  /** Required for B-T and B-LTA. */
  readonly timestamps?: TimestampSource;
  /** Required for B-LT and B-LTA. */
  readonly revocations?: RevocationSource;
  /** Claimed time of the stored validation material (VRI/TU); left out of the file when left out here. */
  readonly at?: Date;
  /**
   * Stored in the DSS and with every signature that refers to this policy: AD-RA. INVALID_PLAN when none does, or when
   * one was stored before without them: its entry may not change any more.
   */
  readonly policyArtifacts?: PolicyArtifacts;
  readonly digest?: DigestName;
  readonly crypto?: Crypto;
}

/**
 * Extends every signature of the document, by appending. B-LTA on a file that has it already renews it.
 * ICP-Brasil: AD-RC is B-LTA, AD-RA is B-LTA with `policyArtifacts`.
 * Throws INVALID_PLAN (a source is missing; there is no signature to extend), POLICY_INVALID (artifacts that are no policy),
 * TIMESTAMP_UNAVAILABLE, TIMESTAMP_REFUSED, TIMESTAMP_INVALID, and the codes of a file that cannot be
 * appended to (ENCRYPTED, DAMAGED, TOO_COMPLEX); what `revocations` throws goes through.
 */
export async function extendPdf(pdf: Pdf, level: PadesLevel, options: ExtensionOptions): Promise<Revision> {
  const crypto = options.crypto ?? platformCrypto;
  const digest = options.digest ?? 'sha256';
  const { timestamps, revocations } = options;
  const wantsStore = level !== 'B-T';
  const wantsTimestamp = level !== 'B-LT';
  if ((wantsStore && !revocations) || (wantsTimestamp && !timestamps)) {
    throw new PadesError('INVALID_PLAN', `${level} needs a source that was not given`);
  }
  const store = wantsStore && revocations ? await appendSecurityStore(pdf, revocations, crypto, options) : null;
  if (!wantsTimestamp || !timestamps) return store ?? { offset: pdf.source.size, bytes: new Uint8Array(0) };
  const base = store === null ? pdf : await openRevised(pdf, store);
  const stamp = await appendDocumentTimestamp(base, timestamps, digest, crypto);
  return store === null ? stamp : joinRevisions(store, stamp);
}
