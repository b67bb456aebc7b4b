import { oids } from '../cms/oids.ts';
import type { Crypto, HashName } from '../crypto.ts';
import type { RevocationSource } from '../material.ts';
import { PdfString, decodeText } from '../pdf/objects.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { docMdpOf, fieldLocksOf } from '../pdf/permissions.ts';
import type { CertificationLevel, FieldLock } from '../pdf/permissions.ts';
import type { ProofPlace } from '../revocation/status.ts';
import { icpBrasilRootOf } from '../trust/brazil.ts';
import type { Certificate } from '../x509/certificate.ts';
import { isSelfIssued } from '../x509/chain.ts';
import { holderOf } from '../x509/icp-brasil.ts';
import { timeOf } from '../x509/values.ts';
import { checkCms } from './check-cms.ts';
import { checkPolicy } from './check-policy.ts';
import type { PolicyClaim } from './check-policy.ts';
import type { Evidence } from './evidence.ts';
import { earliestOf, existedAt, timestampsOver } from './existence.ts';
import type { ProvenTime, TimeBounds } from './existence.ts';
import type { FoundSignature } from './find-signatures.ts';
import { judgeCertificate } from './judge-certificate.ts';
import type { JudgeContext, JudgedChain } from './judge-certificate.ts';
import { judgeTimes } from './judge-times.ts';
import { judgeTimestamp } from './judge-timestamp.ts';
import { levelOf } from './level.ts';
import { lacksOfArchive } from './policy-archive.ts';
import { boxesAfterCertification, forbiddenChanges } from './permitted.ts';
import { VerdictBuilder } from './report.ts';
import type { Change, DocumentTimestampReport, NoteCode, PolicyReport, SignatureReport } from './report.ts';
import type { SignedData, SignerInfo } from '../cms/read-signed-data.ts';
import { signerCertificate, single } from '../cms/read-signed-data.ts';

const signingTime = '1.2.840.113549.1.9.5';
const detached = new Set(['ETSI.CAdES.detached', 'PBAD.PAdES', 'adbe.pkcs7.detached']);

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

/** Judges one signature: format, CMS, later changes, time, chain, policy, level. */
export async function judgeSignature(
  found: FoundSignature,
  cms: SignedData | null,
  proofs: readonly ProvenTime[],
  context: DocumentContext,
): Promise<SignatureReport> {
  const out = new VerdictBuilder();
  checkFormat(found, cms, out);
  const certificate = cms === null ? null : await signerOf(found, cms, context, out);
  const permission = await permissionOf(found, context);
  const told = await checkChanges(found, permission, context, out);
  const signer = cms?.signers[0] ?? null;
  const digest = (hash: HashName) => context.digestOf(found, hash);
  const times = await judgeTimes({ found, signer, proofs, digest }, timestampContext(context, proofs), out);
  const { timestamps } = times;
  const bounds = { proven: times.provenTime, notBefore: times.provenAfter };
  const judged =
    certificate === null
      ? { chain: [], trust: null }
      : await judgeSigner(certificate, bounds, contextFor(found, bounds, proofs, context), out);
  const claimed = await claimedTime(found, signer, context.pdf);
  const policyFacts = { dict: found.dict, signer, certificate, timestamps, time: times.provenTime ?? claimed };
  const policy = await judgePolicy(policyFacts, judged, { found, proofs, context }, out);
  const facts = { ...context, ...judged, found, timestamps, stampedUpTo: stampsOver(found, proofs) };
  const level = cms === null || out.failed ? null : await levelOf({ ...facts, cms });
  return {
    kind: 'signature',
    fields: found.fields,
    subFilter: found.subFilter,
    end: found.range?.end ?? 0,
    coversWholeFile: await context.coversWhole(found),
    level,
    notes: [...notesOn(cms), ...(level !== null && judged.trust === null ? ['LEVEL_FORM_ONLY' as const] : [])],
    policy,
    signer: certificate === null ? null : holderOf(certificate),
    ...judged,
    claimedTime: claimed,
    ...times,
    permission,
    ...told,
    ...out.verdict,
  };
}

async function judgePolicy(
  facts: Omit<PolicyClaim, 'roots' | 'lacksOfArchive' | 'signer'> & { signer: SignerInfo | null },
  { chain }: JudgedChain,
  { found, proofs, context }: { found: FoundSignature; proofs: readonly ProvenTime[]; context: DocumentContext },
  out: VerdictBuilder,
): Promise<PolicyReport | null> {
  const { signer, timestamps } = facts;
  if (signer === null) return null;
  const stamps = timestamps.filter(({ indication }) => indication === 'TOTAL-PASSED');
  const ends = [chain, ...stamps.map((stamp) => stamp.chain)].map((path) => path.at(-1)?.der ?? new Uint8Array());
  return checkPolicy(
    {
      ...facts,
      signer,
      roots: await Promise.all(ends.map((der) => icpBrasilRootOf(der))),
      lacksOfArchive: (family) => lacksOfArchive(family, found, proofs, context.pdf, context.crypto),
    },
    out,
  );
}

/** Judges a document timestamp (EN 319 142-1 §5.4.3): a timestamp token over the ByteRange. */
export async function judgeDocumentTimestamp(
  found: FoundSignature,
  cms: SignedData | null,
  proofs: readonly ProvenTime[],
  context: DocumentContext,
): Promise<DocumentTimestampReport> {
  const out = new VerdictBuilder();
  if (found.fault !== null) out.fail('FORMAT_FAILURE', found.fault);
  const told = await checkChanges(found, await permissionOf(found, context), context, out);
  const claim = {
    kind: 'document-timestamp' as const,
    field: found.fields[0] ?? null,
    token: found.contents,
    digest: (hash: HashName) => context.digestOf(found, hash),
    proven: earliestOf(timestampsOver(found.range?.end ?? Number.POSITIVE_INFINITY, proofs)),
  };
  const report = await judgeTimestamp(claim, timestampContext(context, proofs), out);
  return {
    ...report,
    kind: 'document-timestamp',
    notes: notesOn(cms),
    end: found.range?.end ?? 0,
    coversWholeFile: await context.coversWhole(found),
    ...told,
  };
}

function checkFormat(found: FoundSignature, cms: SignedData | null, out: VerdictBuilder): void {
  if (found.fault !== null) out.fail('FORMAT_FAILURE', found.fault);
  if (cms === null) out.fail('FORMAT_FAILURE', 'CMS_MALFORMED');
  if (!detached.has(found.subFilter)) out.doubt('SIG_CONSTRAINTS_FAILURE', 'SUBFILTER_UNSUPPORTED');
  else if (cms !== null && cms.content !== null) out.fail('FORMAT_FAILURE', 'CONTENT_ATTACHED');
}

/** Without a range to believe there is nothing to digest; the certificate is still named. */
function signerOf(found: FoundSignature, cms: SignedData, context: DocumentContext, out: VerdictBuilder): Promise<Certificate | null> {
  if (found.range === null) return Promise.resolve(signerCertificate(cms));
  const expected = {
    digest: (hash: HashName) => context.digestOf(found, hash),
    contentType: oids.data,
    protectsCertificate: found.subFilter !== 'adbe.pkcs7.detached',
  };
  return checkCms(cms, expected, context.crypto, out);
}

async function permissionOf(found: FoundSignature, { pdf, certification }: DocumentContext): Promise<CertificationLevel | null> {
  const inForce = certification !== null && certification.end <= (found.range?.end ?? 0) ? certification.level : null;
  // What cannot be read allows nothing.
  const own = await docMdpOf(pdf, found.dict).catch(() => 1 as const);
  const locks = await fieldLocksOf(pdf, found.dict).catch(() => [lockOnAll]);
  // A lock's P (ISO 32000-2 §12.7.5.5) binds like a DocMDP statement from that signature on: the strictest wins.
  const levels = [own ?? inForce, ...locks.map(({ level }) => level)].filter((level) => level !== null);
  return levels.length === 0 ? null : (Math.min(...levels) as CertificationLevel);
}

/** What a lock that cannot be read counts as. */
const lockOnAll: FieldLock = { action: 'All', fields: [], level: null };

async function checkChanges(
  found: FoundSignature,
  permission: CertificationLevel | null,
  context: DocumentContext,
  out: VerdictBuilder,
): Promise<Pick<SignatureReport, 'changes' | 'forbidden'>> {
  if (found.fault !== null) return { changes: [], forbidden: [] };
  const changes = context.changesAfter(found);
  if (changes === 'unreadable') {
    out.doubt('FORMAT_FAILURE', 'LATER_CHANGES_UNREADABLE');
    return { changes: [], forbidden: [] };
  }
  const locks = await fieldLocksOf(context.pdf, found.dict).catch(() => [lockOnAll]);
  const forbidden = forbiddenChanges(changes, permission, locks);
  if (forbidden.length > 0) out.fail('FORMAT_FAILURE', 'CHANGED_AFTER_SIGNATURE');
  if (boxesAfterCertification(changes, permission)) out.doubt('SIG_CONSTRAINTS_FAILURE', 'BOX_ADDED_AFTER_CERTIFICATION');
  // Signed by whoever added it, and readers accept it: not a forgery, but what stood there can no longer be read.
  if (changes.some(({ kind }) => kind === 'box-over-field')) out.doubt('SIG_CONSTRAINTS_FAILURE', 'BOX_OVER_FIELD');
  return { changes, forbidden };
}

function notesOn(cms: SignedData | null): NoteCode[] {
  const notes: NoteCode[] = [];
  if (cms?.definiteLength === false) notes.push('CMS_NOT_DER');
  if (cms?.isPadded === false) notes.push('ROOM_NOT_ZERO');
  return notes;
}

/** Where the bytes end that each document timestamp behind the signature speaks of first; it must call itself one. */
function stampsOver({ range }: FoundSignature, proofs: readonly ProvenTime[]): readonly number[] {
  return proofs.filter(({ gapStart, isDeclared }) => isDeclared && range !== null && gapStart >= range.end).map(({ gapStart }) => gapStart);
}

const maySign = 0x80 | 0x40;
/** Purposes that go with signing documents: any, e-mail, document signing (RFC 9336), Microsoft's and Adobe's, the card's. */
const signingPurposes = new Set([
  '2.5.29.37.0',
  '1.3.6.1.5.5.7.3.4',
  '1.3.6.1.5.5.7.3.36',
  '1.3.6.1.4.1.311.10.3.12',
  '1.3.6.1.4.1.311.20.2.2',
  '1.2.840.113583.1.1.5',
]);
const serverAuth = '1.3.6.1.5.5.7.3.1';
const clientAuth = '1.3.6.1.5.5.7.3.2';
/** Purposes that are somebody's own may be meant for documents; those of RFC 5280 and Microsoft say what they are for. */
const statedArcs = /^1\.3\.6\.1\.(5\.5\.7\.3|4\.1\.311)\./;

/** A server, a program, an authority: all that the certificate may be used for is something else. */
function isForOtherPurposes(purposes: readonly string[] | null): boolean {
  if (purposes === null || purposes.length === 0) return false;
  // A person who logs in somewhere signs with the same key in Brazil; a server that is somebody's client does not.
  if (purposes.includes(clientAuth) && !purposes.includes(serverAuth)) return false;
  return purposes.every((purpose) => !signingPurposes.has(purpose) && statedArcs.test(purpose));
}

function judgeSigner(certificate: Certificate, bounds: TimeBounds, context: JudgeContext, out: VerdictBuilder): Promise<JudgedChain> {
  // digitalSignature or nonRepudiation (RFC 5280 §4.2.1.3).
  const { keyUsage, purposes } = certificate;
  if (keyUsage !== null && (keyUsage & maySign) === 0) out.doubt('CHAIN_CONSTRAINTS_FAILURE', 'KEY_USAGE');
  // An authority signs certificates. Who only vouches for themself says so too, by the habit of the tools, and issues nothing.
  const issues = certificate.isAuthority && !(isSelfIssued(certificate) && keyUsage === null);
  if (isForOtherPurposes(purposes) || issues) out.doubt('CHAIN_CONSTRAINTS_FAILURE', 'KEY_USAGE');
  return judgeCertificate(certificate, bounds, context, out);
}

/** What the signature signs is proven by its own timestamp too. */
function contextFor(found: FoundSignature, bounds: TimeBounds, proofs: readonly ProvenTime[], context: DocumentContext): JudgeContext {
  const existed = (place: ProofPlace) => (place.signedBy === found ? bounds.proven : existedAt(place, proofs));
  return { ...context, anchors: context.signatureAnchors, existed };
}

function timestampContext(context: DocumentContext, proofs: readonly ProvenTime[]): JudgeContext {
  return { ...context, anchors: context.timestampAnchors, existed: (place) => existedAt(place, proofs) };
}

/** M, else signing-time. */
async function claimedTime({ dict }: FoundSignature, signer: SignerInfo | null, pdf: Pdf): Promise<Date | null> {
  const m = await pdf.resolve(dict.get('M')).catch(() => null);
  const fromDictionary = m instanceof PdfString ? dateOf(decodeText(m)) : null;
  return fromDictionary ?? attempt(() => (signer === null ? null : timeOf(single(signer.signed, signingTime) ?? undefined)));
}

/** A PDF date (ISO 32000-2 §7.9.4); UTC when it names no zone. */
function dateOf(text: string): Date | null {
  const match = /^D?:?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:(Z)|([+-]\d{2})'?(\d{2})?)?/.exec(text);
  if (match === null) return null;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', , zone, minutes = '00'] = match;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone === undefined ? 'Z' : `${zone}:${minutes}`}`);
  return Number.isNaN(at.getTime()) ? null : at;
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
