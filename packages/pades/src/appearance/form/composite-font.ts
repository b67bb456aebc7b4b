import { PdfRef, PdfStream, PdfString, isDict, isName } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import { Keyword, Parser } from '../../pdf/parser.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import type { FormFont } from './simple-font.ts';

const maxCodes = 1 << 16;

/** Type0 over Identity-H: two bytes a letter, which ToUnicode tells. Null: it cannot be known how it spells. */
export async function compositeFont(pdf: Pdf, object: PdfObject, font: PdfDict): Promise<FormFont | null> {
  if (!isName(await pdf.resolve(font.get('Encoding')), 'Identity-H')) return null;
  const mapping = await pdf.resolve(font.get('ToUnicode'));
  const text = mapping instanceof PdfStream ? await pdf.streamData(mapping) : null;
  if (text === null) return null;
  const codes = codesByText(text);
  const [raw] = (await pdf.resolveArray(font.get('DescendantFonts'))) ?? [];
  const descendant = await pdf.resolve(raw);
  if (!isDict(descendant)) return null;
  const widths = await widthsOf(pdf, descendant);
  return {
    object,
    glyph(character) {
      const code = codes.get(character);
      if (code === undefined) return null;
      return { bytes: [code >> 8, code & 255], width: widths(code) };
    },
  };
}

/** The lowest code of each character, from bfchar and bfrange (§9.10.3). */
function codesByText(cmap: Uint8Array): Map<string, number> {
  const codes = new Map<string, number>();
  const put = (text: string, code: number): void => {
    if (codes.size < maxCodes && code > 0 && text !== '' && !codes.has(text)) codes.set(text, code);
  };
  const parser = new Parser(cmap, 0, true);
  let operands: PdfObject[] = [];
  for (;;) {
    const item = parser.parse();
    if (!(item instanceof Keyword)) {
      if (operands.length < maxCodes) operands.push(item);
      continue;
    }
    if (item.word === '' && parser.position >= cmap.length) return codes;
    if (item.word === 'endbfchar') for (let i = 0; i + 1 < operands.length; i += 2) put(textOf(operands[i + 1]), codeOf(operands[i]));
    if (item.word === 'endbfrange') for (let i = 0; i + 2 < operands.length; i += 3) putRange(operands.slice(i, i + 3), put);
    operands = [];
  }
}

function putRange([from, to, target]: PdfObject[], put: (text: string, code: number) => void): void {
  const first = codeOf(from);
  const last = Math.min(codeOf(to), first + maxCodes - 1);
  if (first < 0) return;
  if (Array.isArray(target)) {
    for (let code = first; code <= last; code++) put(textOf(target[code - first]), code);
    return;
  }
  const start = textOf(target);
  const point = start.codePointAt(start.length - 1) ?? 0;
  for (let code = first; code <= last && point + code - first < 0x10ffff; code++) {
    put(start.slice(0, -1) + String.fromCodePoint(point + code - first), code);
  }
}

function codeOf(value: PdfObject | undefined): number {
  if (!(value instanceof PdfString) || value.bytes.length > 2) return -1;
  return value.bytes.reduce((code, byte) => code * 256 + byte, 0);
}

function textOf(value: PdfObject | undefined): string {
  if (!(value instanceof PdfString)) return '';
  let text = '';
  for (let i = 0; i + 1 < value.bytes.length; i += 2) text += String.fromCharCode(((value.bytes[i] ?? 0) << 8) | (value.bytes[i + 1] ?? 0));
  return text;
}

async function widthsOf(pdf: Pdf, descendant: PdfDict): Promise<(code: number) => number> {
  const stated = await pdf.resolve(descendant.get('DW'));
  const widths = new Map<number, number>();
  const list = ((await pdf.resolveArray(descendant.get('W'))) ?? []).slice(0, maxCodes);
  for (let i = 0; i + 1 < list.length;) {
    const first = Number(await pdf.resolve(list[i]));
    const second = list[i + 1];
    const each = second instanceof PdfRef || Array.isArray(second) ? await pdf.resolveArray(second) : null;
    if (each !== null) {
      for (let k = 0; k < each.length && widths.size < maxCodes; k++) widths.set(first + k, Number(await pdf.resolve(each[k])));
      i += 2;
      continue;
    }
    const last = Math.min(Number(await pdf.resolve(second)), first + maxCodes);
    const width = Number(await pdf.resolve(list[i + 2]));
    for (let code = first; code <= last && widths.size < maxCodes; code++) widths.set(code, width);
    i += 3;
  }
  const usual = typeof stated === 'number' ? stated : 1000;
  return (code) => {
    const width = widths.get(code) ?? usual;
    return Number.isFinite(width) ? width : usual;
  };
}
