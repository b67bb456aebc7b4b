import { documentNotices, type DocumentNotice, documentRefusal, type DomainErrorCode, type PageGeometry, standardsOf } from '@lavra/domain';
import { inspectPdf, openPdf, PadesError, type Pdf, type PdfInspection, rehearseSigning } from '@lavra/pades';

/** What is to be told of a chosen file. */
export interface FileLook {
  notices: DocumentNotice[];
  /** It needs a password to be read. */
  isLocked: boolean;
  /** Why it cannot be signed; null: nothing is known against it. */
  refusal: DomainErrorCode | null;
  facts: FileFacts | null;
}

/** What stands beside the file's name. */
export interface FileFacts {
  pageCount: number;
  /** In order; of very long files the first ones. */
  pages: PageGeometry[];
  signatures: number;
  openFields: number;
  /** "PDF/A-2b"; '': claims to be none. */
  standard: string;
}

/** As many as the server keeps of a file. */
const PAGES_READ = 2000;
/** The rehearsal reads the file four times: of larger ones the upload says what it finds. */
const REHEARSED_BYTES = 32 * 1024 * 1024;

const unread: FileLook = { notices: [], isLocked: false, refusal: null, facts: null };

function factsOf({ pageCount, pages, signatures, openFields, conformance }: PdfInspection): FileFacts {
  return {
    pageCount,
    pages: pages.map(({ visibleBox, rotate, userUnit }) => ({ box: [...visibleBox], rotate, userUnit })),
    signatures: signatures.filter(({ signed }) => signed).length,
    openFields: openFields.length,
    standard: standardsOf(conformance),
  };
}

/** As the server decides when it is uploaded. */
async function lookAt(pdf: Pdf, size: number): Promise<FileLook> {
  if (pdf.locked) return { ...unread, isLocked: true };
  const found = await inspectPdf(pdf, { maxPages: PAGES_READ });
  const refusal = found.refusal ?? (found.pageCount > size ? 'DAMAGED' : null);
  if (refusal !== null) return { ...unread, refusal: documentRefusal(refusal) };
  if (size <= REHEARSED_BYTES) await rehearseSigning(pdf);
  const { openFields, permits, xfa, conformance, keepsConformance } = found;
  const notices = documentNotices({
    openFields: openFields.length,
    besideXfa: xfa === 'beside',
    mayClose: permits.textFields,
    mayAppend: permits.pages,
    mayShow: permits.visibleSignatureFields,
    conformance,
    keepsConformance,
  });
  return { notices, isLocked: false, refusal: null, facts: factsOf(found) };
}

/** What this browser cannot read (the file is gone, too little memory) has nothing to tell here: the upload says why. */
onmessage = async ({ data: file }: MessageEvent<File>) => {
  const read = async (offset: number, length: number) => new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
  let look = unread;
  try {
    look = await lookAt(await openPdf({ size: file.size, read }), file.size);
  } catch (error) {
    if (error instanceof PadesError) look = { ...unread, refusal: documentRefusal(error.code) };
  }
  postMessage(look);
};
