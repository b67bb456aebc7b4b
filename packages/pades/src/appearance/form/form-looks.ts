import { PadesError } from '../../errors.ts';
import { acroFormOf } from '../../pdf/form.ts';
import { PdfName, PdfStream, isDict } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject, PdfRef } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { readPermissions } from '../../pdf/permissions.ts';
import type { RevisionWriter } from '../../pdf/revision-writer.ts';
import { drawWidget } from './widget-look.ts';
import type { DrawnLook } from './widget-look.ts';
import { listWidgets } from './widgets.ts';

/**
 * Readers draw this form's fields themselves (NeedAppearances), and nobody has signed yet: what they show has to be drawn before
 * somebody does. With a signature in the file the flag stays, and the looks: changing them is not permitted.
 */
export async function needsLooks(pdf: Pdf): Promise<boolean> {
  const form = await acroFormOf(pdf);
  if (form === null || (await pdf.resolve(form.dict.get('NeedAppearances'))) !== true) return false;
  return !(await readPermissions(pdf)).signatures.some(({ signed }) => signed);
}

/** Why the looks that the form asks for cannot be drawn, or null. */
export async function undrawableForm(pdf: Pdf): Promise<PadesError | null> {
  try {
    if (await needsLooks(pdf)) await drawAll(pdf);
    return null;
  } catch (error) {
    if (error instanceof PadesError && error.code === 'FORM_NOT_DRAWABLE') return error;
    throw error;
  }
}

/**
 * Writes the looks that a form asks its readers for, so that its values stay as they were shown. False: none were asked for. What
 * the revision draws anyway is left to it. Throws FORM_NOT_DRAWABLE.
 */
export async function writeFormLooks(pdf: Pdf, writer: RevisionWriter): Promise<boolean> {
  if (!(await needsLooks(pdf))) return false;
  const fonts = new Map<PdfObject, PdfRef>();
  for (const drawn of await drawAll(pdf)) {
    const current = writer.pending(drawn.widget.ref.num) ?? drawn.widget.dict;
    if (!isDict(current) || (current !== drawn.widget.dict && current.get('AP') !== drawn.widget.dict.get('AP'))) continue;
    writer.set(drawn.widget.ref, await dressed(pdf, writer, current, drawn, fonts));
  }
  return true;
}

async function drawAll(pdf: Pdf): Promise<DrawnLook[]> {
  const looks: DrawnLook[] = [];
  for (const widget of await listWidgets(pdf)) {
    const look = await drawWidget(pdf, widget);
    if (look !== null) looks.push(look);
  }
  return looks;
}

async function dressed(
  pdf: Pdf,
  writer: RevisionWriter,
  current: PdfDict,
  drawn: DrawnLook,
  fonts: Map<PdfObject, PdfRef>,
): Promise<PdfDict> {
  const streams = new Map<string, PdfObject>();
  for (const [state, stream] of Object.entries(drawn.streams)) streams.set(state, writer.add(withSharedFont(writer, stream, fonts)));
  const before = await pdf.resolveDict(current.get('AP'));
  const kept: PdfDict = new Map(drawn.isButton ? (before ?? []) : []);
  const normal: PdfObject = drawn.isButton ? streams : (streams.get('N') ?? null);
  const result: PdfDict = new Map([...current, ['AP', new Map([...kept, ['N', normal]])]]);
  if (drawn.state !== null) result.set('AS', new PdfName(drawn.state));
  return result;
}

/** A font that is no object of the file yet becomes one, once. */
function withSharedFont(writer: RevisionWriter, stream: PdfStream, fonts: Map<PdfObject, PdfRef>): PdfStream {
  const resources = stream.dict.get('Resources');
  const font = isDict(resources) ? resources.get('Font') : undefined;
  const object = isDict(font) ? font.get('F0') : undefined;
  if (!isDict(object) || !isDict(font) || !isDict(resources)) return stream;
  const ref = fonts.get(object) ?? writer.add(object);
  fonts.set(object, ref);
  const shared: PdfDict = new Map([...resources, ['Font', new Map([...font, ['F0', ref]])]]);
  return new PdfStream(new Map([...stream.dict, ['Resources', shared]]), stream.bytes);
}
