import type { Ctx } from '../../context.ts';
import type { StoredBlob } from '../../storage/blob-store.ts';
import { verificationSource } from '../authority/revocation-sources.ts';
import { type Turn, verifyStoredPdf } from '../documents/stored-pdf.ts';
import { installationTrust } from '../verification/installation-trust.ts';

/** Why what the platform drew itself is not handed out; none: the seal and its timestamps hold in the stored bytes. */
export async function faultsOfOwn(ctx: Ctx, { sha256, size }: StoredBlob, turn: Turn): Promise<string[]> {
  const trust = await installationTrust(ctx);
  const revocations = await verificationSource(ctx, trust);
  const pdf = { parts: [{ blobHash: sha256, size, offset: 0 }] };
  const { indication, signatures, documentTimestamps } = await verifyStoredPdf(ctx, pdf, { trust, at: ctx.clock.now(), revocations }, turn);
  if (indication === 'TOTAL-PASSED') return [];
  const reasons = new Set([...signatures, ...documentTimestamps].flatMap((one) => one.reasons));
  return reasons.size > 0 ? [...reasons] : [indication ?? 'SEAL_MISSING'];
}
