import { PdfStream, PdfString, decodeText, latin1Text } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import { isVisible, rectOf } from './form-model.ts';
import type { FieldNode } from './form-model.ts';
import type { Review } from './review.ts';

/** No letter of any text font that people fill forms with is wider, in units of its size. */
const widest = 1;
/** From one line to the next, in units of the size. */
const leading = 1.5;

/**
 * Whether what was filled in stays in its box. A look is cut off at its box by everybody; where a field has none of its own, each reader
 * draws one of the value and the default appearance (ISO 32000-2 §12.7.4.3), and Ghostscript lets it run over the page. So
 * there the letters must be those that were signed for, of a size that is named, and fit without knowing their font.
 */
export async function staysInItsBox(review: Review, was: FieldNode, is: FieldNode): Promise<boolean> {
  const { after, formAfter } = review;
  const value = await after.resolve(is.value);
  if (value === null || (value instanceof PdfString && value.bytes.length === 0)) return true;
  after.reader.work.spend(8 * formAfter.nodes.size);
  for (const widget of formAfter.nodes.values()) {
    if (!widget.isWidget || (widget.num !== is.num && widget.name !== is.name)) continue;
    if (!(await isVisible(after, widget.dict)) || (await hasLook(review, widget.dict))) continue;
    if (!(value instanceof PdfString) || !(await fits(review, { was, is, widget }, decodeText(value)))) return false;
  }
  return true;
}

async function hasLook({ after }: Review, dict: PdfDict): Promise<boolean> {
  const looks = await after.resolveDict(dict.get('AP'));
  return (await after.resolve(looks?.get('N'))) instanceof PdfStream;
}

interface Drawn {
  was: FieldNode;
  is: FieldNode;
  widget: FieldNode;
}

async function fits(review: Review, { was, is, widget }: Drawn, text: string): Promise<boolean> {
  const { before, after, formBefore, formAfter } = review;
  if (was.type !== 'Tx' || [is, widget].some(({ dict }) => dict.has('RV') || dict.has('MK'))) return false;
  const earlier = formBefore.nodes.get(widget.num);
  const signed = await appearanceString((value) => before.resolve(value), [earlier?.dict, was.dict, formBefore.form?.dict]);
  const now = await appearanceString((value) => after.resolve(value), [widget.dict, is.dict, formAfter.form?.dict]);
  const rect = await rectOf(after, widget.dict);
  if (now === null || now !== signed || rect === null) return false;
  const size = Number([...now.matchAll(/([\d.]+)\s+Tf/g)].at(-1)?.[1]);
  if (!(size > 0)) return false;
  const lines = text.split(/\r\n|\r|\n/);
  const longest = Math.max(...lines.map((line) => line.length));
  return longest * widest * size <= rect[2] - rect[0] && lines.length * leading * size <= rect[3] - rect[1];
}

/** The nearest one: the widget's, the field's, the form's. */
async function appearanceString(
  resolve: (value: PdfObject | undefined) => Promise<PdfObject>,
  dicts: readonly (PdfDict | undefined)[],
): Promise<string | null> {
  for (const dict of dicts) {
    const value = await resolve(dict?.get('DA'));
    if (value instanceof PdfString) return latin1Text(value.bytes);
  }
  return null;
}
