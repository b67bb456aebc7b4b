import type { Ctx } from '../../context.ts';
import type { SignaturePageInput } from '../../paper/signature-page.worker.ts';
import { isMostlyLandscape } from '../documents/process-documents.ts';
import { findLetterhead } from '../processes/life/find-letterhead.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';

/** What the signature page of a document tells, appended or apart, before anybody's evidence. */
export async function signaturePageInput(
  ctx: Ctx,
  loaded: LoadedProcess,
  document: LoadedProcess['documents'][number],
): Promise<SignaturePageInput> {
  return {
    processTitle: loaded.title,
    documentName: document.name,
    documentId: document.id,
    sha256: document.hash,
    pageCount: document.pageCount,
    isLandscape: document.isLandscape ?? (await isMostlyLandscape(ctx, document.id)),
    verificationUrl: `${ctx.publicUrl}/validateLogin?docId=${document.id}`,
    signers: loaded.signers.map(({ name, email, cnpj }) => ({ name, email, cnpj })),
    letterhead: await findLetterhead(ctx, loaded),
    modality: loaded.modality,
    locale: loaded.langKey,
    localesDir: ctx.config.localesDir,
  };
}
