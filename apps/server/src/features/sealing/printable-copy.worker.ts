import { openPdf, printableCopy } from '@lavra/pades';
import { type PdfBytes, sourceOf } from '../documents/stored-pdf.worker.ts';
import { type Locale, translatorOf } from '../../language/translator.ts';
import { regularFont } from '../../paper/fonts.ts';

export interface PrintableCopyOrder {
  bytes: PdfBytes;
  documentId: string;
  verificationUrl: string;
  /** Of the signed file in it. */
  fileName: string;
  locale: Locale;
  localesDir: string;
}

/** What is appended to a signed file to make it its copy to print. Throws what the engine throws. */
export async function drawPrintableCopy(order: PrintableCopyOrder): Promise<Uint8Array> {
  const translate = translatorOf(order.localesDir);
  const t = (key: string, values: Record<string, string | number> = {}) => translate(order.locale, key, values);
  const verify = t('copy.verify', { url: order.verificationUrl });
  const revision = await printableCopy(await openPdf(await sourceOf(order.bytes)), {
    footer: (page, pages) => `${t('copy.footer', { id: order.documentId, page, pages })}\n${verify}`,
    fontFile: regularFont,
    attachment: { name: order.fileName, description: t('copy.attached') },
  });
  return revision.bytes;
}
