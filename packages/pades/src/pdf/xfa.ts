import { acroFormOf, listFields } from './form.ts';
import { normalizedBox } from './geometry.ts';
import type { PdfDict } from './objects.ts';
import { catalogOf } from './pages.ts';
import type { Pdf } from './pdf.ts';

/**
 * How a form stands to XFA (ISO 32000-1 §12.7.8): `beside`, its pages and fields show it without; `only`, they do not, as where a page
 * asks to wait for another program.
 */
export type XfaUse = 'none' | 'beside' | 'only';

/**
 * A form that asks to be drawn by its XFA (NeedsRendering) is beside it where fields stand on its pages, as long as nobody has signed: the
 * preparation takes the XFA away. Behind a signature it stays, and some readers would show something else than the pages.
 */
export async function xfaUseOf(pdf: Pdf, isSigned: boolean): Promise<XfaUse> {
  const form = await acroFormOf(pdf);
  if (form === null || (await pdf.resolve(form.dict.get('XFA'))) === null) return 'none';
  const needsRendering = (await pdf.resolve((await catalogOf(pdf)).dict.get('NeedsRendering'))) === true;
  if (needsRendering && isSigned) return 'only';
  const fields = await listFields(pdf);
  if (!needsRendering) return fields.length === 0 ? 'only' : 'beside';
  for (const { type, widget } of fields) if (type !== 'Sig' && widget !== null && (await hasArea(pdf, widget.dict))) return 'beside';
  return 'only';
}

async function hasArea(pdf: Pdf, widget: PdfDict): Promise<boolean> {
  const array = (await pdf.resolveArray(widget.get('Rect'))) ?? [];
  const numbers = await Promise.all(array.slice(0, 4).map((item) => pdf.resolve(item)));
  if (numbers.length !== 4 || !numbers.every((item) => typeof item === 'number')) return false;
  const [x0, y0, x1, y1] = normalizedBox(numbers);
  return x1 > x0 && y1 > y0;
}
