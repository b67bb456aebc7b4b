import { signaturePageFileName } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { drawSignaturePageApart } from '../../paper/signature-page-apart.worker.ts';
import { putFresh } from '../../storage/blob-store.ts';
import type { StoredPage } from '../documents/signature-page.ts';
import type { Turn } from '../documents/stored-pdf.ts';
import { evidenceBlocks } from '../signing/evidence-blocks.ts';
import { signaturePageInput } from '../signing/signature-page-input.ts';
import { verifyStoredFile } from '../verification/verify-stored-file.ts';
import { faultsOfOwn } from './judge-own-paper.ts';
import type { Finding } from './judge-finished.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import { type FinishedDocument, sealOwnPdf } from './seal-documents.ts';

const drawing = new URL('../../paper/signature-page-apart.worker.ts', import.meta.url);

/**
 * The signature page of every document that came with signatures, which allow no pages to be added (docs/decisions/027): a
 * file of its own, made when everybody has signed and the document is what it will be, sealed like it, stored, and verified as
 * it is stored. Nothing is recorded here; what is not recorded in the end is forgotten bytes.
 */
export async function makeSeparatePages(
  ctx: Ctx,
  loaded: LoadedProcess,
  documents: readonly FinishedDocument[],
): Promise<{ pages: StoredPage[]; finding: Finding | null }> {
  const pages: StoredPage[] = [];
  for (const { after } of documents) {
    const document = loaded.documents.find(({ id }) => id === after.documentId);
    if (!document?.pageApart) continue;
    const page = await makePage(ctx, loaded, document, after);
    const reasons = await faultsOfOwn(ctx, page, turnOf(loaded));
    if (reasons.length > 0) return { pages: [], finding: { name: signaturePageFileName(document.name), reasons } };
    pages.push(page);
  }
  return { pages, finding: null };
}

const turnOf = ({ ownerId }: LoadedProcess): Turn => ({ lane: 'signing', caller: ownerId });

async function makePage(
  ctx: Ctx,
  loaded: LoadedProcess,
  document: LoadedProcess['documents'][number],
  after: FinishedDocument['after'],
): Promise<StoredPage> {
  const turn = turnOf(loaded);
  const signedSha256 = after.parts.at(-1)?.fileHash ?? null;
  if (signedSha256 === null) throw new Error('a finished document without its hash');
  const verdicts = await verifyStoredFile(ctx, after, turn);
  const order = {
    pages: { ...(await signaturePageInput(ctx, loaded, document)), signedSha256 },
    blocks: await evidenceBlocks(ctx, loaded, (index) => verdicts.ofSigner(index)),
  };
  const drawn = await ctx.workers.run<typeof drawSignaturePageApart>(drawing, 'drawSignaturePageApart', order, turn);
  const sealed = await sealOwnPdf(ctx, drawn, loaded.ownerId);
  const { sha256, size } = await putFresh(ctx.storage, sealed);
  return { documentId: after.documentId, sha256, size };
}
