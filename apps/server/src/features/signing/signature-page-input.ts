import type { Ctx } from '../../context.ts';
import type { SignaturePageInput } from '../../paper/signature-page.worker.ts';
import type { LoadedProcess } from '../processes/load-process.ts';

/** What the signature page of a document tells, appended or apart, before anybody's evidence. */
export function signaturePageInput(ctx: Ctx, loaded: LoadedProcess, document: LoadedProcess['documents'][number]): SignaturePageInput {
  return {
    processTitle: loaded.row.title,
    documentName: document.name,
    documentId: document.id,
    sha256: document.hash,
    pageCount: document.page_count,
    verificationUrl: `${ctx.publicUrl}/validateLogin?docId=${document.id}`,
    signers: loaded.signers.map(({ name, email }) => ({ name, email })),
    modality: loaded.row.modality,
    locale: loaded.row.lang_key,
    localesDir: ctx.config.localesDir,
  };
}
