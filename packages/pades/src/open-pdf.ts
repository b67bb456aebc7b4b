import { withRevision } from './source.ts';
import type { PdfSource, Revision } from './source.ts';
import { Pdf } from './pdf/pdf.ts';

/**
 * Opens a PDF for random access: reads the header, the newest cross-reference sections and the catalog.
 * Encrypted documents open with the password, the user's or the owner's, or without one where none is asked for; what does not open
 * can be inspected all the same. Throws NOT_A_PDF, DAMAGED, ENCRYPTED (when even the structure
 * cannot be read without the key), TOO_COMPLEX.
 */
export function openPdf(source: PdfSource, options: { password?: string } = {}): Promise<Pdf> {
  return Pdf.open(source, options.password);
}

/** The file with the revision appended, as the next to write into it: what was read of it is not read again. Throws INVALID_PLAN for another file's revision. */
export function openRevised(pdf: Pdf, revision: Revision): Promise<Pdf> {
  return Pdf.open(withRevision(pdf.source, revision), '', pdf);
}
