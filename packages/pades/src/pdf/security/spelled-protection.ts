import { PadesError } from '../../errors.ts';
import { isDict } from '../objects.ts';
import type { PdfDict, PdfObject } from '../objects.ts';
import type { Pdf } from '../pdf.ts';
import { spelledObject } from '../serialize.ts';

/** Encrypt, with all it refers to, and the first half of ID, of which the key is made: letter by letter. */
export async function spelledProtection(pdf: Pdf): Promise<string> {
  const said = pdf.trailer.get('Encrypt') ?? null;
  const id = await pdf.resolve(pdf.trailer.get('ID'));
  const parts = [said, await wholeOf(pdf, said, 0), Array.isArray(id) ? await pdf.resolve(id[0]) : null];
  return parts.map(spelledObject).join(' ');
}

async function wholeOf(pdf: Pdf, value: PdfObject, depth: number): Promise<PdfObject> {
  if (depth > 8) throw new PadesError('DAMAGED', 'Encrypt goes too deep');
  const resolved = await pdf.resolve(value);
  if (Array.isArray(resolved)) return Promise.all(resolved.slice(0, 64).map((item) => wholeOf(pdf, item, depth + 1)));
  if (!isDict(resolved)) return resolved;
  const whole: PdfDict = new Map();
  for (const [key, item] of resolved) whole.set(key, await wholeOf(pdf, item, depth + 1));
  return whole;
}
