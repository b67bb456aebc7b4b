import { DomainError, signedFileName } from '@lavra/domain';
import { PadesError } from '@lavra/pades';
import { limitRate } from '../../access/limits.store.ts';
import type { Ctx } from '../../context.ts';
import type { StoredBlob } from '../../storage/blob-store.ts';
import { type DocumentFile, openDocumentFile } from '../documents/document-file.ts';
import { recordPrintableCopy } from '../documents/record-printable-copy.ts';
import { bytesOf, withinBounds } from '../documents/stored-pdf.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import { signaturePageInput } from '../signing/signature-page-input.ts';
import { faultsOfOwn } from './judge-own-paper.ts';
import type { drawPrintableCopy } from './printable-copy.worker.ts';
import { sealBehind } from './seal-documents.ts';

const drawing = new URL('./printable-copy.worker.ts', import.meta.url);

/** Above this it has no copy: the signed file lies in it a second time, and is packed in memory. */
const MAX_BYTES = 48 << 20;

/**
 * The copy to print of a finished document (docs/decisions/046): the signed file with one more revision, sealed like the platform's other
 * papers, stored, verified as it is stored, and noted. Made when it is first asked for; asked for twice at once, the first that is noted stays.
 * @throws DomainError document.notPrintable, request.tooMany
 */
export async function makePrintableCopy(
  ctx: Ctx,
  loaded: LoadedProcess,
  document: LoadedProcess['documents'][number],
): Promise<{ hash: string; size: number }> {
  const file = await openDocumentFile(ctx, document.id);
  if (file.size > MAX_BYTES) throw new DomainError('document.notPrintable');
  await limitRate(ctx, 'printable-copy', document.id);
  const turn = { lane: 'strangers', caller: loaded.ownerId } as const;
  const { verificationUrl, locale, localesDir } = await signaturePageInput(ctx, loaded, document);
  const fileName = signedFileName(document.name);
  const order = { bytes: bytesOf(ctx, file), documentId: document.id, verificationUrl, fileName, locale, localesDir };
  const drawn = await withinBounds(ctx, ctx.workers.run<typeof drawPrintableCopy>(drawing, 'drawPrintableCopy', order, turn)).catch(
    notPrintable,
  );
  const stored = await storeBehind(ctx, file, await sealBehind(ctx, file.parts, drawn, loaded.ownerId));
  const reasons = await faultsOfOwn(ctx, stored, turn);
  if (reasons.length > 0) throw new Error(`the copy to print of a document does not hold: ${reasons.join(', ')}`);
  const copy = { hash: stored.sha256, size: stored.size };
  await ctx.transaction((tx) => recordPrintableCopy(tx, document.id, copy));
  return copy;
}

function storeBehind(ctx: Ctx, file: DocumentFile, tail: Uint8Array): Promise<StoredBlob> {
  return ctx.storage.put(
    (async function* () {
      for (const { blobHash } of file.parts) yield* ctx.storage.read(blobHash);
      yield tail;
    })(),
  );
}

function notPrintable(error: unknown): never {
  if (error instanceof PadesError && (error.code === 'TOO_COMPLEX' || error.code === 'DAMAGED'))
    throw new DomainError('document.notPrintable');
  throw error;
}
