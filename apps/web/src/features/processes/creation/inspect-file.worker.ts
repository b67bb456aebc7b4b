import { documentNotices, type DocumentNotice } from '@lavra/domain';
import { inspectPdf, openPdf } from '@lavra/pades';

/** What is to be told of a chosen file. What cannot be read has nothing to tell here: the upload says why. */
onmessage = async ({ data: file }: MessageEvent<File>) => {
  const read = async (offset: number, length: number) => new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
  let notices: DocumentNotice[] = [];
  try {
    const { openFields, permits, refusal } = await inspectPdf(await openPdf({ size: file.size, read }), { maxPages: 1 });
    if (refusal === null)
      notices = documentNotices({
        openFields: openFields.length,
        mayClose: permits.textFields,
        mayAppend: permits.pages,
        mayShow: permits.visibleSignatureFields,
      });
  } catch {
    notices = [];
  }
  postMessage(notices);
};
