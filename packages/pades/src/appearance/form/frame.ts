import type { PdfObject } from '../../pdf/objects.ts';
import { PdfName } from '../../pdf/objects.ts';
import type { PdfDict } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { formatNumber } from '../../pdf/serialize.ts';

type BorderStyle = 'S' | 'D' | 'B' | 'I' | 'U';

/** Ground and border of a widget (ISO 32000-2 §12.5.4 and Table 192). */
export interface Frame {
  /** What the border takes on each side, as text is laid out: nothing where no width is stated (readers agree on that). */
  readonly inset: number;
  /** The operators that draw it. */
  readonly content: string;
}

/** `round`: of a radio button, whose frame is a circle. */
export async function readFrame(pdf: Pdf, widget: PdfDict, width: number, height: number, round: boolean): Promise<Frame> {
  const looks = await pdf.resolveDict(widget.get('MK'));
  const ground = await colorOf(pdf, looks?.get('BG'), ['g', 'rg', 'k']);
  const stroke = await colorOf(pdf, looks?.get('BC'), ['G', 'RG', 'K']);
  const border = await borderOf(pdf, widget);
  const { style, line, stated } = border;
  const raised = style === 'B' || style === 'I';
  let content = '';
  if (ground !== null) content += `q ${ground} ${round ? circle(width, height, 0) : `${numbers(0, 0, width, height)} re`} f Q\n`;
  if (line > 0 && raised) content += bevel(width, height, line, style === 'B' ? ['1', '0.75'] : ['0.5', '0.75']);
  if (line > 0 && stroke !== null) {
    const dash = style === 'D' ? `[${numbers(...border.dash)}] 0 d ` : '';
    content += `q ${stroke} ${numbers(line)} w ${dash}${outline(width, height, line, style, round)} S Q\n`;
  }
  return { inset: raised ? 2 * line : stated ? line : 0, content };
}

async function borderOf(pdf: Pdf, widget: PdfDict): Promise<{ style: BorderStyle; line: number; stated: boolean; dash: number[] }> {
  const styles = await pdf.resolveDict(widget.get('BS'));
  const array = await pdf.resolveArray(widget.get('Border'));
  const stated = await pdf.resolve(styles === null ? array?.[2] : styles.get('W'));
  const isStated = typeof stated === 'number' && stated >= 0;
  const name = await pdf.resolve(styles?.get('S'));
  const word = name instanceof PdfName ? name.value : 'S';
  const style = word === 'D' || word === 'B' || word === 'I' || word === 'U' ? word : 'S';
  const dash: number[] = [];
  for (const item of ((await pdf.resolveArray(styles?.get('D'))) ?? []).slice(0, 8)) {
    const length = await pdf.resolve(item);
    if (typeof length === 'number' && length >= 0) dash.push(length);
  }
  return { style, line: isStated ? stated : 1, stated: isStated, dash: dash.some((length) => length > 0) ? dash : [3] };
}

function outline(width: number, height: number, line: number, style: BorderStyle, round: boolean): string {
  if (round) return circle(width, height, line / 2);
  if (style === 'U') return `${numbers(0, line / 2)} m ${numbers(width, line / 2)} l`;
  return `${numbers(line / 2, line / 2, width - line, height - line)} re`;
}

/** Two bands inside the border: above and left, below and right. */
function bevel(width: number, height: number, line: number, [upper, lower]: readonly [string, string]): string {
  const [w, h, a, b] = [width, height, line, 2 * line];
  const path = (points: readonly (readonly [number, number])[]): string =>
    points.map(([x, y], index) => `${numbers(x, y)} ${index === 0 ? 'm' : 'l'}`).join(' ');
  const above = path([
    [a, a],
    [a, h - a],
    [w - a, h - a],
    [w - b, h - b],
    [b, h - b],
    [b, b],
  ]);
  const below = path([
    [a, a],
    [w - a, a],
    [w - a, h - a],
    [w - b, h - b],
    [w - b, b],
    [b, b],
  ]);
  return `q ${upper} g ${above} f ${lower} g ${below} f Q\n`;
}

/** A circle in the middle, as wide as the box allows, less `inset`. */
export function circle(width: number, height: number, inset: number, part = 1): string {
  const [x, y] = [width / 2, height / 2];
  const r = Math.max(0, (Math.min(width, height) / 2 - inset) * part);
  const k = 0.5523 * r;
  return [
    `${numbers(x + r, y)} m`,
    `${numbers(x + r, y + k, x + k, y + r, x, y + r)} c`,
    `${numbers(x - k, y + r, x - r, y + k, x - r, y)} c`,
    `${numbers(x - r, y - k, x - k, y - r, x, y - r)} c`,
    `${numbers(x + k, y - r, x + r, y - k, x + r, y)} c`,
  ].join(' ');
}

async function colorOf(pdf: Pdf, raw: PdfObject | undefined, operators: readonly [string, string, string]): Promise<string | null> {
  const values: number[] = [];
  for (const item of ((await pdf.resolveArray(raw)) ?? []).slice(0, 5)) {
    const value = await pdf.resolve(item);
    if (typeof value === 'number') values.push(Math.min(1, Math.max(0, value)));
  }
  const operator = { 1: operators[0], 3: operators[1], 4: operators[2] }[values.length];
  return operator === undefined ? null : `${numbers(...values)} ${operator}`;
}

function numbers(...values: number[]): string {
  return values.map((value) => formatNumber(Math.round(value * 1000) / 1000)).join(' ');
}
