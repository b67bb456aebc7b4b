import { streamingCrypto } from '../crypto.ts';
import type { Crypto, HashName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import type { RevocationSource } from '../material.ts';
import { isName } from '../pdf/objects.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { docMdpOf } from '../pdf/permissions.ts';
import { Evidence } from './evidence.ts';
import type { ProvenTime } from './existence.ts';
import { coversWhole, findSignatures } from './find-signatures.ts';
import type { FoundSignature } from './find-signatures.ts';
import type { DocumentContext } from './document-context.ts';
import { judgeDocumentTimestamp } from './judge-document-timestamp.ts';
import { judgeSignature } from './judge-signature.ts';
import { isIntact } from './intact.ts';
import { laterChanges } from './later-changes.ts';
import { digestKey, digestRanges } from './range-digests.ts';
import type { DocumentTimestampReport, Indication, SignatureReport, VerificationReport, Verdict } from './report.ts';
import { parseSignedData } from '../cms/read-signed-data.ts';
import type { SignedData } from '../cms/read-signed-data.ts';
import { anchorsFor } from '../trust/trust-store.ts';
import type { TrustStore } from '../trust/trust-store.ts';

/** Whom to trust, at what time, and where to ask for proofs. */
export interface VerificationOptions {
  readonly trust: TrustStore;
  /** The time of validation; the engine has no clock. */
  readonly at: Date;
  /**
   * Asked for what the file does not carry, once a chain has reached an anchor. Fences (public addresses only, bounded
   * answers) are the caller's. Left out: offline, and what could not be checked is said.
   */
  readonly revocations?: RevocationSource;
  readonly crypto?: Crypto;
}

/**
 * Verifies every signature and timestamp of a document (EN 319 102-1), newest first, since a later timestamp proves that
 * what it covers existed. Never throws for what a signature is, only for what the file is: NOT_A_PDF, DAMAGED, ENCRYPTED
 * (when its structure cannot be read), TOO_COMPLEX.
 */
export async function verifyPdf(pdf: Pdf, options: VerificationOptions): Promise<VerificationReport> {
  const crypto = options.crypto ?? (await streamingCrypto());
  const found = await findSignatures(pdf);
  const parsed = new Map(found.map((one) => [one, parse(one)]));
  const evidence = new Evidence();
  const hasStore = await evidence.addSecurityStore(pdf).catch(() => false);
  for (const [one, cms] of parsed) if (cms !== null) evidence.addFrom(cms, one);
  for (const der of options.trust.intermediates) evidence.addCertificates([der]);
  const digests = await digestRanges(pdf.source, wantedDigests(found, parsed), crypto);
  const digestFrom = (one: FoundSignature) => (hash: HashName) => digestFor(pdf, digests, one.range, hash, crypto);
  const changes = await laterChanges(pdf, found, (one) => isIntact(one, parsed.get(one) ?? null, digestFrom(one), crypto));
  const certification = await certificationOf(pdf, found);
  const context: DocumentContext = {
    pdf,
    evidence,
    hasStore,
    certification,
    at: options.at,
    crypto,
    revocations: options.revocations,
    signatureAnchors: anchorsFor(options.trust, 'signature'),
    timestampAnchors: anchorsFor(options.trust, 'timestamp'),
    changesAfter: ({ range }) => (range === null ? 'unreadable' : (changes.get(range.end) ?? 'unreadable')),
    digestOf: (one, hash) => digestFrom(one)(hash),
    coversWhole: ({ range }) => (range === null ? Promise.resolve(false) : coversWhole(pdf, range.end)),
  };
  return judgeAll(found, parsed, context);
}

/** The first signature that carries a DocMDP statement (ISO 32000-2 §12.8.2.2: there is one at most, and it comes first). */
async function certificationOf(pdf: Pdf, found: readonly FoundSignature[]): Promise<DocumentContext['certification']> {
  for (const { dict, range } of found) {
    // A statement that cannot be read allows nothing.
    const level = await docMdpOf(pdf, dict).catch(() => 1 as const);
    if (level !== null && range !== null) return { level, end: range.end };
  }
  return null;
}

async function judgeAll(
  found: readonly FoundSignature[],
  parsed: ReadonlyMap<FoundSignature, SignedData | null>,
  context: DocumentContext,
): Promise<VerificationReport> {
  const documentTimestamps: DocumentTimestampReport[] = [];
  const proofs: ProvenTime[] = [];
  for (const one of found.toReversed().filter(({ kind }) => kind === 'timestamp')) {
    const report = await judgeDocumentTimestamp(one, parsed.get(one) ?? null, proofs, context);
    documentTimestamps.unshift(report);
    const { indication, subIndication, reasons, time, accuracy } = report;
    if (indication !== 'TOTAL-FAILED' && time !== null && one.range !== null) {
      const contradicted = subIndication === 'TIMESTAMP_ORDER_FAILURE' && reasons.length === 1;
      const type = one.dict.get('Type') ?? null;
      const isDeclared = type === null || isName(type, 'DocTimeStamp');
      proofs.push({
        ...one.range,
        time,
        accuracy,
        valid: indication === 'TOTAL-PASSED',
        contradicted,
        isDeclared,
        root: report.chain.at(-1)?.der ?? null,
      });
    }
  }
  // Only now: what a signature signs may be stamped too, and then it was made after that.
  const signatures: SignatureReport[] = [];
  for (const one of found.toReversed().filter(({ kind }) => kind === 'signature')) {
    signatures.unshift(await judgeSignature(one, parsed.get(one) ?? null, proofs, context));
  }
  return { signatures, documentTimestamps, indication: signatures.length === 0 ? null : worst([...signatures, ...documentTimestamps]) };
}

/** A timestamp that is none, or nobody's, is told with the document: it stands there as one. */
function worst(reports: readonly Verdict[]): Indication | null {
  const order: Indication[] = ['TOTAL-FAILED', 'INDETERMINATE', 'TOTAL-PASSED'];
  return order.find((one) => reports.some(({ indication }) => indication === one)) ?? null;
}

function parse({ contents, fault }: FoundSignature): SignedData | null {
  if (fault === 'CONTENTS_INVALID') return null;
  try {
    return parseSignedData(contents);
  } catch (error) {
    if (error instanceof PadesError) return null;
    throw error;
  }
}

function wantedDigests(found: readonly FoundSignature[], parsed: ReadonlyMap<FoundSignature, SignedData | null>) {
  return found.flatMap((one) => {
    const { range } = one;
    const cms = parsed.get(one) ?? null;
    const hash = one.kind === 'timestamp' ? 'sha256' : (cms?.signers[0]?.digest ?? null);
    return range === null || hash === null ? [] : [{ range, hash }];
  });
}

/** Planned digests come from the one pass; another hash (a timestamp's imprint that is not SHA-256) costs its own. */
async function digestFor(
  pdf: Pdf,
  digests: Map<string, Uint8Array>,
  range: FoundSignature['range'],
  hash: HashName,
  crypto: Crypto,
): Promise<Uint8Array> {
  if (range === null) return new Uint8Array();
  const known = digests.get(digestKey(hash, range));
  if (known !== undefined) return known;
  const [digest = new Uint8Array()] = (await digestRanges(pdf.source, [{ range, hash }], crypto)).values();
  digests.set(digestKey(hash, range), digest);
  return digest;
}
