import { digestOf } from '../crypto.ts';
import type { Crypto } from '../crypto.ts';
import { PdfRef, isName } from '../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../pdf/objects.ts';
import { catalogOf } from '../pdf/pages.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { hexText } from '../pdf/hex.ts';
import type { KnownPolicy } from '../policies/icp-brasil.ts';
import { icpBrasilRootOf } from '../trust/brazil.ts';
import { timestampsOver } from './existence.ts';
import type { ProvenTime } from './existence.ts';
import type { FoundSignature } from './find-signatures.ts';
import type { ReasonCode } from './report.ts';

const artifacts = ['PBAD_PolicyArtifacts', 'PBAD_LpaArtifacts', 'PBAD_LpaSignatures'];
const relatedArtifacts = ['PBAD_PolicyArtifact', 'PBAD_LpaArtifact', 'PBAD_LpaSignature'];

/**
 * What the file lacks of the archive AD-RC and AD-RA demand (DOC-ICP-15.03, tables A.19 to A.22): a DSS with certificates,
 * revocation data and a VRI entry for this signature, a valid document timestamp over both that leads to one of the policy's roots; for AD-RA the policy's
 * artifacts in DSS and VRI. What the entries hold is judged elsewhere.
 */
export async function lacksOfArchive(
  policy: KnownPolicy,
  found: FoundSignature,
  proofs: readonly ProvenTime[],
  pdf: Pdf,
  crypto: Crypto,
): Promise<readonly ReasonCode[]> {
  const reasons = new Set<ReasonCode>();
  const raw = (await catalogOf(pdf)).dict.get('DSS');
  const store = await pdf.resolveDict(raw);
  const key = hexText(await digestOf(crypto, 'sha1', found.contents)).toUpperCase();
  const rawEntry = (await pdf.resolveDict(store?.get('VRI')))?.get(key);
  const entry = await pdf.resolveDict(rawEntry);
  const has = (of: PdfDict | null, name: string) => isFilled(pdf, of?.get(name));
  const hasProof = async (of: PdfDict | null, ...names: string[]) => (await has(of, names[0] ?? '')) || has(of, names[1] ?? '');
  const isComplete =
    isName(store?.get('Type'), 'DSS') &&
    isName(entry?.get('Type'), 'VRI') &&
    (await has(store, 'Certs')) &&
    (await has(entry, 'Cert')) &&
    (await hasProof(store, 'CRLs', 'OCSPs')) &&
    (await hasProof(entry, 'CRL', 'OCSP'));
  if (!isComplete) reasons.add('POLICY_STORE_INCOMPLETE');
  const stamps = timestampsOver(found.range?.end ?? Number.POSITIVE_INFINITY, proofs);
  if (!(await isStamped([raw, rawEntry], stamps, pdf))) reasons.add('POLICY_ARCHIVE_MISSING');
  else if (!(await isStamped([raw, rawEntry], await byRoots(policy, stamps), pdf))) reasons.add('POLICY_ROOT');
  if (policy.family === 'AD-RA') {
    for (const name of artifacts) if (!(await has(store, name))) reasons.add('POLICY_ARTIFACTS_MISSING');
    for (const name of relatedArtifacts) if (!(await has(entry, name))) reasons.add('POLICY_ARTIFACTS_MISSING');
  }
  return [...reasons];
}

/** The timestamps that lead to one of the policy's roots: others prove a time, and not to this policy. */
async function byRoots(policy: KnownPolicy, stamps: readonly ProvenTime[]): Promise<readonly ProvenTime[]> {
  const roots = await Promise.all(stamps.map(({ root }) => (root === null ? null : icpBrasilRootOf(root))));
  return stamps.filter((_, at) => roots[at] != null && policy.roots.includes(roots[at]));
}

async function isFilled(pdf: Pdf, value: PdfObject | undefined): Promise<boolean> {
  return ((await pdf.resolveArray(value))?.length ?? 0) > 0;
}

/** One of the timestamps covers the revision that the objects stand in. */
async function isStamped(objects: readonly (PdfObject | undefined)[], stamps: readonly ProvenTime[], pdf: Pdf): Promise<boolean> {
  let last = 0;
  for (const object of objects) {
    if (!(object instanceof PdfRef)) continue;
    const entry = await pdf.entry(object.num);
    const place = entry?.kind === 'compressed' ? await pdf.entry(entry.stream) : entry;
    if (place?.kind !== 'offset') return false;
    last = Math.max(last, place.offset);
  }
  return stamps.some(({ end }) => last < end);
}
