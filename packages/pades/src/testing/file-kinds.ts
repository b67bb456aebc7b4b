import { makeObjectStreamPdf, simplePdf } from './make-pdf.ts';

const field = '<</FT/Sig/T(ana)/Type/Annot/Subtype/Widget/Rect[50 60 200 135]/F 132/P 3 0 R>>';
const parts = { catalog: '/AcroForm<</Fields[4 0 R]/SigFlags 3>>', page: '/Annots[4 0 R]', more: [field] };

/** One page with the empty signature field `ana`, in every way a PDF lists its objects. */
export const fileKinds = {
  'a table': simplePdf({ ...parts, version: '1.4' }),
  'object streams': makeObjectStreamPdf([
    `<</Type/Catalog/Pages 2 0 R ${parts.catalog}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>',
    `<</Type/Page/Parent 2 0 R/Resources<<>> ${parts.page}>>`,
    field,
  ]),
  // In the hybrid the field is found through XRefStm alone.
  'a hybrid': simplePdf({ ...parts, form: 'hybrid', version: '1.5' }),
  'PDF 2.0': simplePdf({ ...parts, form: 'stream', version: '2.0' }),
} satisfies Record<string, Uint8Array>;
