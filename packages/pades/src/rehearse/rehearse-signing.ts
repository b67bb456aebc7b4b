import { platformCrypto } from '../crypto.ts';
import type { Crypto } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import type { PadesErrorCode } from '../errors.ts';
import { extendPdf } from '../extend/extend-pdf.ts';
import { openPdf, openRevised } from '../open-pdf.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import { catalogOf } from '../pdf/pages.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { hexText } from '../pdf/hex.ts';
import { maxSections } from '../pdf/xref.ts';
import type { PreparationPlan } from '../prepare/plan.ts';
import { preparePdf } from '../prepare/prepare-pdf.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import type { Signer } from '../sign/sign-pdf.ts';
import { withRevision } from '../source.ts';
import type { Revision } from '../source.ts';
import { maxListed } from '../verify/evidence.ts';
import type { ReasonCode, Verdict } from '../verify/report.ts';
import { verifyPdf } from '../verify/verify-pdf.ts';
import { throwawaySigner } from './throwaway-signer.ts';
import { usualPlan } from './usual-plan.ts';

/** Nobody is trusted in a rehearsal. */
const expected: ReasonCode = 'CHAIN_UNTRUSTED';
/** Told of a place, which is the plan's and not the file's. */
const ofPlaces = new Set<ReasonCode>(['BOX_OVER_FIELD', 'BOX_ADDED_AFTER_CERTIFICATION']);
/** A revocation list as far as storing one goes. */
const someList = Uint8Array.of(0x30, 0x03, 0x02, 0x01, 0x07);
const signingTime = new Date('2026-01-01T00:00:00Z');
const verificationTime = new Date('2026-01-02T00:00:00Z');

/** Signers of one process, and the revisions around theirs: preparation, seal, validation data, archive timestamps. */
const mostSigners = 100;
const others = 28;

/** What the file itself says against being signed keeps its own code. */
const ownCodes = new Set<PadesErrorCode>([
  'TOO_COMPLEX',
  'XFA_ONLY',
  'FORM_NOT_DRAWABLE',
  'OWNER_FORBIDS',
  'CERTIFIED_NO_CHANGES',
  'FIELD_LOCKED',
  'CHANGE_NOT_PERMITTED',
]);

/**
 * Dry run: signs a copy in memory that nobody keeps, as far as a file can be signed: prepared with fields, boxes and pages, two signers with a
 * key of the moment, validation data, one more field behind it as a timestamp has. Then asks `verifyPdf` whether the finished file would
 * pass for everybody who trusts its signers, and whether signatures that were there stand as before. Nobody needs to be asked to sign
 * what would not.
 *
 * `plan`: the preparation that is really meant, for the places of its boxes and its pages.
 *
 * Costs reading the file four times, 1 MiB at a time. Throws NOT_VERIFIABLE (`reasons`: what would be held against it), the file's
 * `refusal` codes, FIELD_LOCKED and CHANGE_NOT_PERMITTED (signatures that are there forbid others); what the source throws goes through.
 */
export async function rehearseSigning(pdf: Pdf, options: { plan?: PreparationPlan; crypto?: Crypto } = {}): Promise<void> {
  const crypto = options.crypto ?? platformCrypto;
  let reasons: readonly ReasonCode[];
  try {
    reasons = await rehearse(pdf, options.plan, crypto);
  } catch (error) {
    if (!(error instanceof PadesError) || ownCodes.has(error.code)) throw error;
    throw new PadesError('NOT_VERIFIABLE', error.message, { reasons: error.code }, error);
  }
  if (reasons.length > 0) throw new PadesError('NOT_VERIFIABLE', reasons.join(), { reasons: reasons.join() });
}

async function rehearse(pdf: Pdf, plan: PreparationPlan | undefined, crypto: Crypto): Promise<readonly ReasonCode[]> {
  const inspection = await inspectPdf(pdf, { maxPages: 1 });
  await assertRoom(pdf, plan);
  const usual = await usualPlan(inspection, `r${hexText(crypto.random(8))}`, plan);
  const signer = await throwawaySigner();
  let file = await openRevised(pdf, await preparePdf(pdf, usual.plan, { crypto }));
  const ends: number[] = [];
  for (const { field, fills } of usual.signers) {
    file = await openRevised(file, await signedBy(signer, file, field, fills, crypto));
    ends.push(file.source.size);
  }
  const revocations = { material: () => Promise.resolve({ certificates: [], crls: [someList], ocsps: [] }) };
  file = await openRevised(file, await extendPdf(file, 'B-LT', { revocations, crypto }));
  // A document timestamp has a new invisible field of its own.
  const last = await signedBy(signer, file, { name: `t${hexText(crypto.random(8))}` }, [], crypto);
  // Opened as whoever has no more than its bytes opens it.
  const finished = await openPdf(withRevision(file.source, last));
  ends.push(finished.source.size);
  const verdicts = await verdictsOf(finished, crypto);
  const isSigned = inspection.signatures.some(({ signed }) => signed);
  return [...heldAgainst(verdicts, ends), ...(isSigned ? worsened(await verdictsOf(pdf, crypto), verdicts) : [])];
}

/** What a rehearsal has a few of and a process may have many of must have room below what a verifier looks at. */
async function assertRoom(pdf: Pdf, plan: PreparationPlan | undefined): Promise<void> {
  const revisions = others + (plan === undefined ? mostSigners : (plan.signatureFields ?? []).length);
  if (pdf.sections.length + revisions > maxSections) throw new PadesError('TOO_COMPLEX', 'too many revisions to add those of the signers');
  const store = await pdf.resolveDict((await catalogOf(pdf)).dict.get('DSS'));
  for (const key of ['Certs', 'CRLs', 'OCSPs']) {
    const stored = await pdf.resolveArray(store?.get(key));
    if ((stored?.length ?? 0) > maxListed / 2) throw new PadesError('TOO_COMPLEX', `too many ${key} to add those of the signers`);
  }
}

function signedBy(signer: Signer, pdf: Pdf, field: string | { name: string }, fills: readonly string[], crypto: Crypto): Promise<Revision> {
  const appearance = { text: 'Lavra' };
  const filled = fills.map((name) => ({ field: name, value: 'Lavra', appearance }));
  // No timestamp comes into it: room for one would be written, read and searched through in vain.
  return signPdf(pdf, signer, { field, signingTime, appearance, fills: filled, timestamped: false, crypto });
}

/** What is held against the new signatures. */
function heldAgainst(verdicts: Verdicts, ends: readonly number[]): readonly ReasonCode[] {
  const found = new Set(ends.flatMap((end): readonly ReasonCode[] => verdicts.get(end)?.reasons ?? ['RANGE_NOT_A_REVISION']));
  found.delete(expected);
  return [...found];
}

/** What is newly held against signatures that were there. One that failed cannot become worse. */
function worsened(before: Verdicts, now: Verdicts): readonly ReasonCode[] {
  const found = new Set<ReasonCode>();
  for (const [end, was] of before) {
    if (was.indication === 'TOTAL-FAILED') continue;
    for (const reason of now.get(end)?.reasons ?? ['RANGE_NOT_A_REVISION'])
      if (!was.reasons.includes(reason) && !ofPlaces.has(reason)) found.add(reason);
  }
  return [...found];
}

/** By where the signed bytes end. */
type Verdicts = ReadonlyMap<number, Verdict>;

async function verdictsOf(pdf: Pdf, crypto: Crypto): Promise<Verdicts> {
  const trust = { anchors: [], intermediates: [] };
  const { signatures, documentTimestamps } = await verifyPdf(pdf, { trust, at: verificationTime, crypto });
  return new Map([...signatures, ...documentTimestamps].map((one) => [one.end, one]));
}
