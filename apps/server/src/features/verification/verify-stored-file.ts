import { openPdf, verifyPdf, type SignatureVerdict } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { loadAuthority } from '../authority/authority.ts';
import type { DocumentFile } from '../documents/document-file.ts';

/** The engine's verdict on the bytes as they are stored, under the installation's own root and its timestamp authority's. */
export async function verifyStoredFile(ctx: Ctx, file: DocumentFile): Promise<readonly SignatureVerdict[]> {
  const { root } = await loadAuthority(ctx);
  const report = await verifyPdf(await openPdf(file.source), { trust: [root.der, ...(ctx.timestamps?.anchors ?? [])], at: ctx.clock.now() });
  return report.signatures;
}
