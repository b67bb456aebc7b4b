import { documentNotices, type DocumentNotice } from '@lavra/domain';
import { inspectPdf, openPdf, type Pdf } from '@lavra/pades';

/** What is to be told of a chosen file. */
export interface FileLook {
  notices: DocumentNotice[];
  /** It needs a password to be read. */
  isLocked: boolean;
}

async function noticesOf(pdf: Pdf): Promise<DocumentNotice[]> {
  const { openFields, permits, refusal, xfa, conformance, keepsConformance } = await inspectPdf(pdf, { maxPages: 1 });
  if (refusal !== null) return [];
  return documentNotices({
    openFields: openFields.length,
    besideXfa: xfa === 'beside',
    mayClose: permits.textFields,
    mayAppend: permits.pages,
    mayShow: permits.visibleSignatureFields,
    conformance,
    keepsConformance,
  });
}

/** What cannot be read has nothing to tell here: the upload says why. */
onmessage = async ({ data: file }: MessageEvent<File>) => {
  const read = async (offset: number, length: number) => new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
  let look: FileLook = { notices: [], isLocked: false };
  try {
    const pdf = await openPdf({ size: file.size, read });
    look = { notices: await noticesOf(pdf), isLocked: pdf.locked };
  } catch {
    look = { notices: [], isLocked: false };
  }
  postMessage(look);
};
