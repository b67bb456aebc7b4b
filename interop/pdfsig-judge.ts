import { memorySource, openPdf, verifyPdf } from '@lavra/pades';
import { hasTool, pdfsig } from '../packages/pades/src/testing/tools.ts';
import { type Case, type Claim, readSigned } from './manifest.ts';

/** poppler's word on the values, chains aside: as many valid signatures as there are. It does not know Ed25519 (NSS). */
export async function judgedByPdfsig(one: Case): Promise<boolean> {
  if (!(await hasTool('pdfsig'))) {
    process.stdout.write('pdfsig is not available here: left out\n');
    return true;
  }
  const claims = one.claims.filter(({ key }) => !/ed25519/i.test(key));
  let accepted = 0;
  for (const claim of claims) {
    const fault = await objection(readSigned(one, claim), claim);
    if (fault === null) accepted += 1;
    else process.stdout.write(`  ${fault}\n`);
  }
  process.stdout.write(`pdfsig: ${accepted} accepted${accepted < claims.length ? `, ${claims.length - accepted} NOT` : ''}\n`);
  return accepted === claims.length;
}

async function objection(bytes: Uint8Array, { file }: Claim): Promise<string | null> {
  const { signatures } = await verifyPdf(await openPdf(memorySource(bytes)), { trust: { anchors: [], intermediates: [] }, at: new Date() });
  const { valid } = await pdfsig(bytes);
  return valid === signatures.length ? null : `${file}: ${valid} of ${signatures.length} signatures valid`;
}
