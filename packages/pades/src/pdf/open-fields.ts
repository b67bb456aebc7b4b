import { listFields } from './form.ts';
import { normalizedBox } from './geometry.ts';
import type { Box } from './geometry.ts';
import { PdfString } from './objects.ts';
import type { PdfDict, PdfRef } from './objects.ts';
import type { Pdf } from './pdf.ts';

const readOnly = 1;
const pushButton = 1 << 16;
const maxParents = 32;

/** A form field that anybody may write into, also after others have signed (ISO 32000-2 §12.8.2.2). */
export interface OpenField {
  /** Fully qualified. */
  readonly name: string;
  readonly type: 'Tx' | 'Ch' | 'Btn';
  /** It says something already. */
  readonly filled: boolean;
  /** Of its first widget, in its page's user space; null: none that can be read. */
  readonly box: Box | null;
}

/** Fields that are not read-only, no signatures and no push buttons. */
export async function listOpenFields(pdf: Pdf): Promise<(OpenField & { readonly ref: PdfRef })[]> {
  const found: (OpenField & { readonly ref: PdfRef })[] = [];
  for (const { name, ref, dict, type, value, widget } of await listFields(pdf)) {
    const flags = await inheritedFlags(pdf, dict);
    if ((type !== 'Tx' && type !== 'Ch' && type !== 'Btn') || (flags & readOnly) !== 0 || (type === 'Btn' && (flags & pushButton) !== 0))
      continue;
    const written = await pdf.resolve(value);
    const filled = written !== null && !(written instanceof PdfString && written.bytes.length === 0);
    found.push({ name, type, filled, box: widget === null ? null : await boxOf(pdf, widget.dict), ref });
  }
  return found;
}

async function inheritedFlags(pdf: Pdf, dict: PdfDict): Promise<number> {
  let node: PdfDict | null = dict;
  for (let depth = 0; node !== null && depth < maxParents; depth++) {
    const flags = await pdf.resolve(node.get('Ff'));
    if (typeof flags === 'number') return flags;
    node = await pdf.resolveDict(node.get('Parent'));
  }
  return 0;
}

async function boxOf(pdf: Pdf, dict: PdfDict): Promise<Box | null> {
  const array = (await pdf.resolveArray(dict.get('Rect'))) ?? [];
  const numbers = await Promise.all(array.slice(0, 4).map((item) => pdf.resolve(item)));
  return numbers.length === 4 && numbers.every((item) => typeof item === 'number') ? normalizedBox(numbers) : null;
}
