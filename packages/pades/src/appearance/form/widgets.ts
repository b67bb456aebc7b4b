import { acroFormOf, listFields } from '../../pdf/form.ts';
import type { FieldInfo } from '../../pdf/form.ts';
import { PdfRef, isDict } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';

const maxWidgets = 20_000;
const maxDepth = 32;

/** A widget of a form, with all that its field and the form hand down. */
export interface FormWidget {
  /** The field's fully qualified name. */
  readonly name: string;
  readonly type: string;
  readonly ref: PdfRef;
  readonly dict: PdfDict;
  /** Of the widget, its field, the field's parents; `form`: else of the form itself (DA, Q, DR). */
  entry(key: string, form?: 'form'): Promise<PdfObject>;
}

/** The widgets of text, choice and button fields, in order. */
export async function listWidgets(pdf: Pdf): Promise<FormWidget[]> {
  const form = (await acroFormOf(pdf))?.dict ?? new Map<string, PdfObject>();
  const widgets: FormWidget[] = [];
  for (const field of await listFields(pdf)) {
    if (field.type !== 'Tx' && field.type !== 'Ch' && field.type !== 'Btn') continue;
    for (const { ref, dict } of await widgetsOf(pdf, field)) {
      if (widgets.length >= maxWidgets) return widgets;
      const line = [dict, ...(dict === field.dict ? [] : [field.dict]), ...(await ancestors(pdf, field.dict))];
      widgets.push({
        name: field.name,
        type: field.type,
        ref,
        dict,
        async entry(key, fallback) {
          for (const node of line) {
            const value = await pdf.resolve(node.get(key));
            if (value !== null) return value;
          }
          return fallback === 'form' ? pdf.resolve(form.get(key)) : null;
        },
      });
    }
  }
  return widgets;
}

async function widgetsOf(pdf: Pdf, field: FieldInfo): Promise<{ ref: PdfRef; dict: PdfDict }[]> {
  const kids = (await pdf.resolveArray(field.dict.get('Kids'))) ?? [];
  if (kids.length === 0 || field.widget?.dict === field.dict) return field.widget === null ? [] : [field.widget];
  const found: { ref: PdfRef; dict: PdfDict }[] = [];
  for (const kid of kids.slice(0, maxWidgets)) {
    const dict = await pdf.resolve(kid);
    if (kid instanceof PdfRef && isDict(dict)) found.push({ ref: await pdf.refTo(kid.num), dict });
  }
  return found;
}

async function ancestors(pdf: Pdf, field: PdfDict): Promise<PdfDict[]> {
  const found: PdfDict[] = [];
  let node = await pdf.resolve(field.get('Parent'));
  while (isDict(node) && found.length < maxDepth) {
    found.push(node);
    node = await pdf.resolve(node.get('Parent'));
  }
  return found;
}
