import { memorySource, openPdf, verifyPdf } from '@lavra/pades';
import type { SignatureReport } from '@lavra/pades';
import { type Case, type Claim, readSigned } from './manifest.ts';

/** Our own verifier over the same files: it must see in them what the other makers see, and what they claim. */
export async function judgeOurselves(one: Case): Promise<boolean> {
  let accepted = 0;
  for (const claim of one.claims) {
    const faults = await judge(one, claim);
    if (faults.length === 0) accepted += 1;
    else process.stdout.write(`  ${claim.file}: ${faults.join('; ')}\n`);
  }
  process.stdout.write(`Lavra: ${accepted} accepted${accepted < one.claims.length ? `, ${one.claims.length - accepted} NOT` : ''}\n`);
  return accepted === one.claims.length;
}

async function judge(one: Case, claim: Claim): Promise<string[]> {
  const carriesNone = claim.baseline === 'B-B' || claim.baseline === 'B-T';
  const material = { certificates: [], crls: one.lists, ocsps: [] };
  const uses = ['signature', 'timestamp'] as const;
  const report = await verifyPdf(await openPdf(memorySource(readSigned(one, claim))), {
    trust: { anchors: one.roots.map((certificate) => ({ certificate, name: 'matriz', uses })), intermediates: [] },
    at: new Date(),
    ...(carriesNone ? { revocations: { material: () => Promise.resolve(material) } } : {}),
  });
  if (report.signatures.length === 0) return ['no signature'];
  return [...report.signatures, ...report.documentTimestamps].flatMap((each) => {
    const { indication, subIndication, reasons } = each;
    const verdict = indication === 'TOTAL-PASSED' ? [] : [`${indication} ${subIndication ?? ''} ${reasons.join(' ')}`];
    return each.kind === 'signature' ? [...verdict, ...differences(each, claim)] : verdict;
  });
}

function differences({ level, policy, changes }: SignatureReport, claim: Claim): string[] {
  const forbidden = changes.filter((change) => change.level === 'forbidden').map(({ kind }) => `forbidden ${kind}`);
  const wanted = claim.policy === '' ? null : `${claim.policy} matches`;
  const found = policy && `${policy.oid} ${policy.hash}`;
  return [
    ...forbidden,
    ...(level === claim.baseline ? [] : [`level ${level} instead of ${claim.baseline}`]),
    ...(found === wanted ? [] : [`policy ${found} instead of ${wanted}`]),
  ];
}
