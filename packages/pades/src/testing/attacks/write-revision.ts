import { latin1Bytes, latin1Text } from '../../pdf/objects.ts';

/** What a cross-reference says of an object, when it is not what the writer would say. */
export type Row = { readonly offset: number; readonly gen?: number } | { readonly stream: number; readonly index: number } | 'free';

/** An incremental update as text: every part of it can be told to lie. */
export interface RevisionText {
  /** Number → what stands between `obj` and `endobj`. */
  readonly objects?: Readonly<Record<number, string>>;
  /** Rows beside, or instead of, those of `objects`. */
  readonly rows?: Readonly<Record<number, Row>>;
  /** Written but not listed. */
  readonly unlisted?: readonly number[];
  /** Raw text before the objects. */
  readonly lead?: string;
  /** Raw text between the objects and the cross-reference. */
  readonly tail?: string;
  /** Default: the form the file has. */
  readonly form?: 'table' | 'stream';
  readonly root?: string;
  /** Added to the trailer. */
  readonly trailer?: string;
  /** Null: no Prev. Default: the file's last startxref. */
  readonly prev?: number | null;
  readonly size?: number;
  /** What startxref says: where the section is, as a rule. */
  readonly startxref?: (section: number) => number;
  /** Replaces `startxref … %%EOF`. */
  readonly ending?: string;
  /** Changes the text of the whole section. */
  readonly section?: (text: string) => string;
}

/** The file with the update appended. An empty `base` begins a file. */
export function revise(base: Uint8Array, update: RevisionText): Uint8Array {
  const before = base.length === 0 ? '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n' : latin1Text(base);
  let text = `${before}${/[\r\n]$/.test(before) ? '' : '\n'}${update.lead ?? ''}`;
  const rows = new Map<number, Row>();
  for (const [num, body] of Object.entries(update.objects ?? {})) {
    if (update.unlisted?.includes(Number(num)) !== true) rows.set(Number(num), { offset: text.length });
    text += `${num} 0 obj\n${body}\nendobj\n`;
  }
  text += update.tail ?? '';
  for (const [num, row] of Object.entries(update.rows ?? {})) rows.set(Number(num), row);
  const at = text.length;
  const form = update.form ?? formOf(before);
  const numbers = [...rows.keys()];
  const size = update.size ?? Math.max(lastNumber(before, /\/Size\s+(\d+)/g), ...numbers.map((num) => num + 1));
  const prev = update.prev === undefined && base.length > 0 ? lastNumber(before, /startxref\s+(\d+)/g) : update.prev;
  const root = update.root ?? last(before, /\/Root\s+(\d+ \d+ R)/g) ?? '1 0 R';
  const trailer = `/Root ${root}${kept(before)}${prev == null ? '' : ` /Prev ${prev}`} ${update.trailer ?? ''}`;
  const section = form === 'table' ? table(rows, size, trailer) : stream(rows, size, trailer, at);
  const start = update.startxref?.(at) ?? at;
  return latin1Bytes(`${text}${update.section?.(section) ?? section}${update.ending ?? `startxref\n${start}\n%%EOF\n`}`);
}

function kept(before: string): string {
  const info = last(before, /\/Info\s+(\d+ \d+ R)/g);
  return info === null ? '' : ` /Info ${info}`;
}

function formOf(before: string): 'table' | 'stream' {
  const start = lastNumber(before, /startxref\s+(\d+)/g);
  return start > 0 && before.slice(start, start + 4) !== 'xref' ? 'stream' : 'table';
}

function last(text: string, pattern: RegExp): string | null {
  return [...text.matchAll(pattern)].at(-1)?.[1] ?? null;
}

function lastNumber(text: string, pattern: RegExp): number {
  return Number(last(text, pattern) ?? 0);
}

function table(rows: ReadonlyMap<number, Row>, size: number, trailer: string): string {
  let text = 'xref\n';
  for (const [num, row] of [...rows].toSorted(([a], [b]) => a - b)) {
    if (row !== 'free' && 'stream' in row) throw new Error('a table cannot speak of object streams');
    const used = row === 'free' ? null : row;
    const gen = String(used === null ? 65535 : (used.gen ?? 0)).padStart(5, '0');
    text += `${num} 1\n${String(used?.offset ?? 0).padStart(10, '0')} ${gen} ${used === null ? 'f' : 'n'} \n`;
  }
  return `${text}trailer\n<</Size ${size} ${trailer}>>\n`;
}

function stream(rows: ReadonlyMap<number, Row>, size: number, trailer: string, at: number): string {
  const own = size;
  const all = [...rows, [own, { offset: at }] as [number, Row]].toSorted(([a], [b]) => a - b);
  const data = `${all.map(([, row]) => streamRow(row)).join('')}>`;
  const index = all.map(([num]) => `${num} 1`).join(' ');
  const dict = `<</Type/XRef/W[1 6 2]/Index[${index}]/Size ${own + 1} /Filter/ASCIIHexDecode/Length ${data.length} ${trailer}>>`;
  return `${own} 0 obj\n${dict}\nstream\n${data}\nendstream\nendobj\n`;
}

function streamRow(row: Row): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  if (row === 'free') return `00${hex(0, 12)}ffff`;
  return 'stream' in row ? `02${hex(row.stream, 12)}${hex(row.index, 4)}` : `01${hex(row.offset, 12)}${hex(row.gen ?? 0, 4)}`;
}

/** What stands between `obj` and `endobj` in the newest definition of an object. */
export function objectText(bytes: Uint8Array, num: number): string {
  const text = latin1Text(bytes);
  const found = [...text.matchAll(new RegExp(`(?:^|[\\r\\n])${num} 0 obj\\s`, 'g'))].at(-1);
  if (found === undefined) throw new Error(`no object ${num}`);
  const start = found.index + found[0].length;
  return text.slice(start, text.indexOf('endobj', start)).trim();
}

/** Where the newest definition of an object begins. */
export function offsetOf(bytes: Uint8Array, num: number): number {
  const found = [...latin1Text(bytes).matchAll(new RegExp(`(?:^|[\\r\\n])${num} 0 obj\\s`, 'g'))].at(-1);
  if (found === undefined) throw new Error(`no object ${num}`);
  return found.index + (/^[\r\n]/.test(found[0]) ? 1 : 0);
}

/** The number of the newest object that contains the text. */
export function numberOf(bytes: Uint8Array, needle: string): number {
  const text = latin1Text(bytes);
  const at = text.lastIndexOf(needle);
  const found = [...text.slice(0, at).matchAll(/(?:^|[\r\n])(\d+) 0 obj\s/g)].at(-1);
  if (at < 0 || found === undefined) throw new Error(`nothing contains ${needle}`);
  return Number(found[1]);
}

/** An update that writes one object anew, edited. */
export function edit(bytes: Uint8Array, num: number, change: (text: string) => string, more: RevisionText = {}): Uint8Array {
  const text = objectText(bytes, num);
  const changed = change(text);
  if (changed === text) throw new Error(`nothing changed in object ${num}`);
  return revise(bytes, { ...more, objects: { ...more.objects, [num]: changed } });
}

/** Adds entries at the end of the outermost dictionary. */
export function withEntries(text: string, entries: string): string {
  const isStream = text.includes('\nstream');
  const end = isStream ? text.lastIndexOf('>>', text.indexOf('\nstream')) : text.lastIndexOf('>>');
  return `${text.slice(0, end)} ${entries}${text.slice(end)}`;
}

/** Bytes written over in place, keeping the file's length. */
export function overwrite(
  bytes: Uint8Array,
  from: string | RegExp,
  to: (found: string) => string,
  which: 'first' | 'last' = 'last',
): Uint8Array {
  const text = latin1Text(bytes);
  const pattern = typeof from === 'string' ? new RegExp(from.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'g') : new RegExp(from.source, 'g');
  const all = [...text.matchAll(pattern)];
  const found = which === 'first' ? all[0] : all.at(-1);
  if (found === undefined) throw new Error(`${String(from)} is not there`);
  const replacement = to(found[0]).padEnd(found[0].length);
  if (replacement.length !== found[0].length) throw new Error('longer than what was there');
  return latin1Bytes(text.slice(0, found.index) + replacement + text.slice(found.index + found[0].length));
}

export function streamText(content: string, entries = ''): string {
  return `<<${entries}/Length ${content.length}>>\nstream\n${content}\nendstream`;
}
