import { PdfName } from './objects.ts';
import { catalogOf } from './pages.ts';
import type { Pdf } from './pdf.ts';

/** The version in force: the catalog's when it is higher (ISO 32000-2 §7.5.2). */
export async function pdfVersion(pdf: Pdf): Promise<string> {
  const catalog = await catalogOf(pdf);
  const stated = await pdf.resolve(catalog.dict.get('Version'));
  if (stated instanceof PdfName && /^\d\.\d$/.test(stated.value) && stated.value > pdf.headerVersion) {
    return stated.value;
  }
  return pdf.headerVersion;
}
