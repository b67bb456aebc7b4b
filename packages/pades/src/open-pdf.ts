import type { PdfSource } from './source.ts';
import { Pdf } from './pdf/pdf.ts';

/**
 * Opens a PDF for random access: reads the header, the newest cross-reference sections and the catalog.
 * Encrypted documents open too (see `inspectPdf`). Throws NOT_A_PDF, DAMAGED, ENCRYPTED (when even the structure
 * cannot be read without the key), TOO_COMPLEX.
 */
export function openPdf(source: PdfSource): Promise<Pdf> {
  return Pdf.open(source);
}
