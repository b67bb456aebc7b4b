import { PadesError } from '../../errors.ts';
import { normalizedBox, normalizedRotation, displayedSize, uprightMatrix } from '../../pdf/geometry.ts';
import { PdfName, PdfStream, PdfString, dict, isDict, isName, latin1Bytes, latin1Text } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { valueText } from '../encodings.ts';
import { compositeFont } from './composite-font.ts';
import { readDefaultAppearance } from './default-appearance.ts';
import type { DefaultAppearance } from './default-appearance.ts';
import { circle, readFrame } from './frame.ts';
import type { Frame } from './frame.ts';
import { conventionalFont, dingbats, simpleFont } from './simple-font.ts';
import type { FormFont } from './simple-font.ts';
import { MissingCharacters, listRows, manyLines, singleLine } from './text-look.ts';
import type { FieldText } from './text-look.ts';
import type { FormWidget } from './widgets.ts';

/** A look that is drawn but not yet written: the stream, and the entries that the widget gets. */
export interface DrawnLook {
  readonly widget: FormWidget;
  /** By state of a button; `N` alone for the others. */
  readonly streams: Readonly<Record<string, PdfStream>>;
  readonly isButton: boolean;
  /** The state of a button that its widget shows. */
  readonly state: string | null;
}

/** Field flags (§12.7.4, §12.7.5): the positions of the book less one. */
const flag = { multiline: 12, password: 13, radio: 15, push: 16, combo: 17, comb: 24, richText: 25, fileSelect: 20 } as const;

/** The size and turn a look is drawn in. */
interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly matrix: readonly number[] | null;
}

/**
 * Draws one widget as ISO 32000-2 §12.7.4.3 has a reader do it. Null: there is nothing to draw, or what there is stays. Throws
 * FORM_NOT_DRAWABLE.
 */
export async function drawWidget(pdf: Pdf, widget: FormWidget): Promise<DrawnLook | null> {
  const canvas = await canvasOf(pdf, widget);
  if (canvas === null) return null;
  const stated = await widget.entry('Ff');
  const flags = typeof stated === 'number' ? stated : 0;
  const has = (bit: number): boolean => ((flags >> bit) & 1) === 1;
  if (widget.type === 'Btn') return has(flag.push) ? drawPush(pdf, widget, canvas) : drawButton(pdf, widget, canvas, has(flag.radio));
  if (has(flag.richText) && widget.type === 'Tx' && (await widget.entry('RV')) !== null) throw refused(widget, 'rich text');
  const frame = await readFrame(pdf, widget.dict, canvas.width, canvas.height, false);
  const body =
    widget.type === 'Ch' && !has(flag.combo) ? await listBody(pdf, widget, canvas, frame) : await textBody(pdf, widget, canvas, frame, has);
  const clip = `${[frame.inset, frame.inset, canvas.width - 2 * frame.inset, canvas.height - 2 * frame.inset].map((n) => Math.round(n * 1000) / 1000).join(' ')} re W n\n`;
  const content = `${frame.content}/Tx BMC\n${body === null ? '' : `q ${clip}${body.content}Q\n`}EMC\n`;
  return { widget, streams: { N: look(canvas, content, body?.font ?? null) }, isButton: false, state: null };
}

async function canvasOf(pdf: Pdf, widget: FormWidget): Promise<Canvas | null> {
  const corners: number[] = [];
  for (const item of (await pdf.resolveArray(widget.dict.get('Rect'))) ?? []) corners.push(Number(await pdf.resolve(item)));
  const [x0, y0, x1, y1] = normalizedBox(corners);
  const looks = await pdf.resolveDict(widget.dict.get('MK'));
  const turn = await pdf.resolve(looks?.get('R'));
  const rotate = normalizedRotation(typeof turn === 'number' ? turn : 0);
  const { width, height } = displayedSize({ width: x1 - x0, height: y1 - y0 }, rotate);
  if (!(width > 0 && height > 0) || width > 20_000 || height > 20_000) return null;
  return { width, height, matrix: uprightMatrix(rotate) };
}

interface Body {
  readonly content: string;
  readonly font: PdfObject;
}

async function textBody(pdf: Pdf, widget: FormWidget, canvas: Canvas, frame: Frame, has: (bit: number) => boolean): Promise<Body | null> {
  const value = await shownValue(pdf, widget);
  if (value === '') return null;
  const isText = widget.type === 'Tx';
  const text = isText && has(flag.password) ? '*'.repeat([...value].length) : value;
  const cells = await widget.entry('MaxLen');
  const plain = !has(flag.multiline) && !has(flag.password) && !has(flag.fileSelect);
  const comb = isText && has(flag.comb) && plain && typeof cells === 'number' && cells > 0 && cells < 1000 ? Math.floor(cells) : 0;
  const field = await fieldText(pdf, widget, canvas, frame, text, comb);
  return told(widget, field, () => (isText && has(flag.multiline) ? manyLines(field) : singleLine(field)));
}

async function fieldText(pdf: Pdf, widget: FormWidget, canvas: Canvas, frame: Frame, text: string, comb: number): Promise<FieldText> {
  const style = await styleOf(widget);
  const quadding = await widget.entry('Q', 'form');
  const { width, height } = canvas;
  const font = await fontOf(pdf, widget, style.font);
  const size = Math.min(style.size, 10_000);
  return {
    text,
    font,
    size,
    color: style.color,
    width,
    height,
    border: frame.inset,
    quadding: quadding === 1 || quadding === 2 ? quadding : 0,
    comb,
  };
}

function told(widget: FormWidget, field: FieldText, draw: () => string): Body {
  try {
    return { content: draw(), font: field.font.object };
  } catch (error) {
    if (error instanceof MissingCharacters) throw refused(widget, `the font has no ${error.characters}`);
    throw error;
  }
}

async function styleOf(widget: FormWidget): Promise<DefaultAppearance> {
  const stated = await widget.entry('DA', 'form');
  return (stated instanceof PdfString ? readDefaultAppearance(stated) : null) ?? { font: 'Helv', size: 0, color: '0 g' };
}

/** By its name in the resources of the field or the form; else what the name means by custom. */
async function fontOf(pdf: Pdf, widget: FormWidget, name: string): Promise<FormFont> {
  const own = widget.dict.get('DR');
  for (const raw of [own, await widget.entry('DR'), await widget.entry('DR', 'form')]) {
    const resources = await pdf.resolveDict(raw);
    const fonts = await pdf.resolveDict(resources?.get('Font'));
    const object = fonts?.get(name);
    const font = await pdf.resolve(object);
    if (object === undefined || !isDict(font)) continue;
    const isComposite = isName(await pdf.resolve(font.get('Subtype')), 'Type0');
    const isDrawn = isName(await pdf.resolve(font.get('Subtype')), 'Type3');
    const read = isDrawn ? null : await (isComposite ? compositeFont(pdf, object, font) : simpleFont(pdf, object, font));
    if (read === null) throw refused(widget, `font ${name} cannot be read`);
    return read;
  }
  const custom = /^Za(Db|pf)/.test(name) ? dingbats : conventionalFont(name);
  if (custom === null) throw refused(widget, `font ${name} is missing`);
  return custom;
}

/** V as a reader shows it; of a choice, the text that goes with it. */
async function shownValue(pdf: Pdf, widget: FormWidget): Promise<string> {
  const raw = await widget.entry('V');
  const value = await plainText(pdf, Array.isArray(raw) ? await pdf.resolve(raw[0]) : raw);
  if (widget.type !== 'Ch') return value;
  const option = (await optionsOf(pdf, widget)).find((one) => one.stored === value);
  return option?.text ?? value;
}

async function plainText(pdf: Pdf, value: PdfObject): Promise<string> {
  if (value instanceof PdfString) return valueText(value);
  // Long texts may be streams (§12.7.5.3).
  if (value instanceof PdfStream) return valueText(new PdfString((await pdf.streamData(value)) ?? new Uint8Array(0)));
  return value instanceof PdfName ? value.value : '';
}

interface Option {
  readonly stored: string;
  readonly text: string;
}

async function optionsOf(pdf: Pdf, widget: FormWidget): Promise<Option[]> {
  const options: Option[] = [];
  const list = await widget.entry('Opt');
  for (const raw of (Array.isArray(list) ? list : []).slice(0, 20_000)) {
    const item = await pdf.resolve(raw);
    const [stored, text] = Array.isArray(item) ? [await pdf.resolve(item[0]), await pdf.resolve(item[1])] : [item, item];
    options.push({ stored: await plainText(pdf, stored), text: await plainText(pdf, text) });
  }
  return options;
}

async function listBody(pdf: Pdf, widget: FormWidget, canvas: Canvas, frame: Frame): Promise<Body | null> {
  const options = await optionsOf(pdf, widget);
  if (options.length === 0) return null;
  const raw = await widget.entry('V');
  const values = new Set<string>();
  for (const item of Array.isArray(raw) ? raw : [raw]) values.add(await plainText(pdf, await pdf.resolve(item)));
  const indexes = await widget.entry('I');
  const top = await widget.entry('TI');
  const rows = options.map(({ stored, text }, index) => ({
    text,
    chosen: raw === null ? Array.isArray(indexes) && indexes.includes(index) : values.has(stored),
  }));
  const field = await fieldText(pdf, widget, canvas, frame, '', 0);
  return told(widget, field, () => listRows(field, rows.slice(typeof top === 'number' && top > 0 ? Math.floor(top) : 0)));
}

/** A check box or radio button. One whose looks are there keeps them; one without DA stays what each reader makes of it. */
async function drawButton(pdf: Pdf, widget: FormWidget, canvas: Canvas, isRadio: boolean): Promise<DrawnLook | null> {
  const states = await pdf.resolveDict((await pdf.resolveDict(widget.dict.get('AP')))?.get('N'));
  const shown = await pdf.resolve(widget.dict.get('AS'));
  const value = await widget.entry('V');
  const named =
    [...(states?.keys() ?? [])].find((key) => key !== 'Off') ?? [shown, value].find((one) => one instanceof PdfName && one.value !== 'Off');
  const on = typeof named === 'string' ? named : named instanceof PdfName ? named.value : 'Yes';
  if (states !== null && (await isUsable(pdf, states.get(on)))) return null;
  if (!((await widget.entry('DA', 'form')) instanceof PdfString)) return null;
  const { color, size } = await styleOf(widget);
  const { width, height } = canvas;
  const caption = await captionOf(pdf, widget);
  const frame = await readFrame(pdf, widget.dict, width, height, isRadio && (caption === '' || caption === 'l'));
  const dot = `q ${color} ${circle(width, height, frame.inset, 0.5)} f Q\n`;
  const field = { text: caption || '3', font: dingbats, size, color, width, height, border: frame.inset, quadding: 1, comb: 0 };
  const sign: Body = isRadio && caption === '' ? { content: dot, font: dingbats.object } : told(widget, field, () => singleLine(field));
  const streams = { [on]: look(canvas, frame.content + sign.content, sign.font), Off: look(canvas, frame.content, null) };
  const state = shown instanceof PdfName ? shown.value : value instanceof PdfName ? value.value : 'Off';
  return { widget, streams, isButton: true, state: state === on ? on : 'Off' };
}

async function drawPush(pdf: Pdf, widget: FormWidget, canvas: Canvas): Promise<DrawnLook | null> {
  const appearances = await pdf.resolveDict(widget.dict.get('AP'));
  if (await isUsable(pdf, appearances?.get('N'))) return null;
  const frame = await readFrame(pdf, widget.dict, canvas.width, canvas.height, false);
  const caption = await captionOf(pdf, widget);
  const field = caption === '' ? null : { ...(await fieldText(pdf, widget, canvas, frame, caption, 0)), quadding: 1 };
  const body = field && told(widget, field, () => singleLine(field));
  if (frame.content === '' && body === null) return null;
  return { widget, streams: { N: look(canvas, frame.content + (body?.content ?? ''), body?.font ?? null) }, isButton: false, state: null };
}

async function captionOf(pdf: Pdf, widget: FormWidget): Promise<string> {
  const looks = await pdf.resolveDict(widget.dict.get('MK'));
  const caption = await pdf.resolve(looks?.get('CA'));
  return caption instanceof PdfString ? valueText(caption) : '';
}

/** A form XObject that a reader can draw: a box with an area (§8.10.2). */
async function isUsable(pdf: Pdf, raw: PdfObject | undefined): Promise<boolean> {
  const stream = await pdf.resolve(raw);
  if (!(stream instanceof PdfStream)) return false;
  const box: number[] = [];
  for (const item of (await pdf.resolveArray(stream.dict.get('BBox'))) ?? []) box.push(Number(await pdf.resolve(item)));
  const [x0, y0, x1, y1] = normalizedBox(box);
  return x1 > x0 && y1 > y0;
}

function look(canvas: Canvas, content: string, font: PdfObject | null): PdfStream {
  const entries: PdfDict = dict({
    Type: new PdfName('XObject'),
    Subtype: new PdfName('Form'),
    BBox: [0, 0, canvas.width, canvas.height],
    ...(canvas.matrix ? { Matrix: [...canvas.matrix] } : {}),
    Resources: dict(font === null ? {} : { Font: dict({ F0: font }) }),
  });
  return new PdfStream(entries, latin1Bytes(content));
}

function refused(widget: FormWidget, why: string): PadesError {
  return new PadesError('FORM_NOT_DRAWABLE', `${latin1Text(latin1Bytes(widget.name))}: ${why}`, { field: widget.name });
}
