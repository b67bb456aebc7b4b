import { holderOf, parseCertificate, type Appearance } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { readBytes } from '../../storage/blob-store.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import { issuerName } from './digital/certificate-names.ts';
import { digitalAppearances } from './digital/appearances.ts';
import { evidenceAppearance } from './electronic/appearances.ts';
import { listEvidenceOfProcess } from './list-evidence.ts';

/** What the signed file says itself of a signer's signature. */
interface SignedFacts {
  claimedTime: string | null;
  certificate: { serial: string } | null;
}

/** Every signer's evidence block, in the order of signing: time and certificate as the signed file has them. */
export async function evidenceBlocks(
  ctx: Ctx,
  loaded: LoadedProcess,
  inFile: (index: number) => SignedFacts | undefined,
): Promise<(Appearance & { text: string })[]> {
  const { modality, langKey: locale } = loaded;
  const evidences = await listEvidenceOfProcess(ctx, loaded);
  return Promise.all(
    loaded.signers.map(async ({ id, email }, index) => {
      const evidence = evidences.find(({ signer }) => signer.id === id)?.evidence;
      const signed = inFile(index);
      if (!evidence || !signed?.certificate || !signed.claimedTime) throw new Error('a signer without signature or evidence');
      const { ip, channel } = evidence;
      const { serial } = signed.certificate;
      const image = evidence.imageHash === null ? null : await readBytes(ctx.storage, evidence.imageHash);
      const at = new Date(signed.claimedTime);
      if (modality === 'electronic') {
        if (image === null) throw new Error('an electronic signature without a picture');
        return evidenceAppearance({ ...evidence, email, at, certificateSerial: serial, image }, locale, ctx.translate);
      }
      if (evidence.certificate === null) throw new Error('a digital signature without a certificate');
      const certificate = new Uint8Array(evidence.certificate);
      const holder = holderOf(parseCertificate(certificate));
      const facts = {
        holder,
        issuer: issuerName(certificate),
        serial: serial.replace(/^(00)+/, ''),
        model: null,
        email,
        ip,
        channel,
        at,
        image,
      };
      return digitalAppearances(facts, locale, ctx.translate).block;
    }),
  );
}
