import { oids } from '../asn1/oids.ts';
import { signerCertificate } from '../cms/read-signed-data.ts';
import type { SignedData, SignerInfo } from '../cms/read-signed-data.ts';
import type { HashName } from '../crypto.ts';
import { icpBrasilRootOf } from '../trust/brazil.ts';
import type { Certificate } from '../x509/certificate.ts';
import { holderOf } from '../x509/icp-brasil.ts';
import { checkCms } from './check-cms.ts';
import { checkPolicy } from './check-policy.ts';
import type { PolicyClaim } from './check-policy.ts';
import { claimedTime } from './claimed-time.ts';
import { contextFor, timestampContext } from './document-context.ts';
import type { DocumentContext } from './document-context.ts';
import type { ProvenTime } from './existence.ts';
import type { FoundSignature } from './find-signatures.ts';
import type { JudgedChain } from './judge-certificate.ts';
import { permissionOf, checkChanges } from './judge-changes.ts';
import { notesOn } from './cms-notes.ts';
import { judgeSigner } from './judge-signer.ts';
import { judgeTimes } from './judge-times.ts';
import { levelOf } from './level.ts';
import { lacksOfArchive } from './policy-archive.ts';
import { VerdictBuilder } from './report.ts';
import type { PolicyReport, SignatureReport } from './report.ts';

const detached = new Set(['ETSI.CAdES.detached', 'PBAD.PAdES', 'adbe.pkcs7.detached']);

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
      lacksOfArchive: (known) => lacksOfArchive(known, found, proofs, context.pdf, context.crypto),
    },
    out,
  );
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

/** Where the bytes end that each document timestamp behind the signature speaks of first; it must call itself one. */
function stampsOver({ range }: FoundSignature, proofs: readonly ProvenTime[]): readonly number[] {
  return proofs.filter(({ gapStart, isDeclared }) => isDeclared && range !== null && gapStart >= range.end).map(({ gapStart }) => gapStart);
}
