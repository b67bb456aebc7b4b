import { latin1Text } from '../../pdf/objects.ts';

const white = /[\0\t\n\f\r ]*/y;
const reference = /\d+[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+R(?![A-Za-z])/y;
const word = /\/?[^\0\t\n\f\r ()<>[\]{}/%]*/y;

function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Where the value that begins at `at` ends: only text that the generator wrote itself is read with this. */
function endOfValue(text: string, at: number): number {
  if (text.startsWith('<<', at)) return endOfGroup(text, at + 2, '>>');
  if (text[at] === '[') return endOfGroup(text, at + 1, ']');
  if (text[at] === '<') return text.indexOf('>', at) + 1 || text.length;
  if (text[at] === '(') return endOfString(text, at);
  const end = matchAt(reference, text, at);
  return end > at ? end : Math.max(at + 1, matchAt(word, text, at));
}

function endOfGroup(text: string, from: number, mark: string): number {
  let at = matchAt(white, text, from);
  while (at < text.length && !text.startsWith(mark, at)) at = matchAt(white, text, endOfValue(text, at));
  return at + mark.length;
}

function endOfString(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Items of an array's text. */
export function itemsOf(text: string): string[] {
  const items: string[] = [];
  for (let at = matchAt(white, text, 1); at < text.length && text[at] !== ']';) {
    const end = endOfValue(text, at);
    items.push(text.slice(at, end));
    at = matchAt(white, text, end);
  }
  return items;
}

/** Entries of a dictionary's text, or of a stream's, and what stands behind the dictionary. */
export function entriesOf(text: string): { entries: Map<string, string>; rest: string } {
  const entries = new Map<string, string>();
  if (!text.startsWith('<<')) return { entries, rest: '' };
  let at = matchAt(white, text, 2);
  while (at < text.length && !text.startsWith('>>', at)) {
    const keyEnd = endOfValue(text, at);
    const start = matchAt(white, text, keyEnd);
    const end = endOfValue(text, start);
    entries.set(text.slice(at + 1, keyEnd), text.slice(start, end));
    at = matchAt(white, text, end);
  }
  return { entries, rest: text.slice(at + 2) };
}

function dictionaryText(entries: ReadonlyMap<string, string>, rest: string): string {
  return `<<${[...entries].map(([key, value]) => `/${key}${/^[\w+.-]/.test(value) ? ' ' : ''}${value}`).join('')}>>${rest}`;
}

export function numberIn(value: string | undefined): number {
  return Number(/^(\d+)\s+\d+\s+R$/.exec(value ?? '')?.[1] ?? 0);
}

/** What stands between `obj` and `endobj` in the text of an update, newest last. */
export function objectsIn(bytes: Uint8Array): Map<number, string> {
  const objects = new Map<number, string>();
  for (const [, num, body] of latin1Text(bytes).matchAll(/(?:^|[\r\n])(\d+) 0 obj\s+([\s\S]*?)\s*endobj/g)) {
    objects.set(Number(num), body ?? '');
  }
  return objects;
}

/** Objects of a file, and those that an update writes anew. */
export class Draft {
  readonly written = new Map<number, string>();
  /** The catalog's number: who saves a file may give it another. */
  readonly catalog: number;
  private readonly known: ReadonlyMap<number, string>;

  constructor(known: ReadonlyMap<number, string>, catalog = 1) {
    this.known = known;
    this.catalog = catalog;
  }

  numbers(): number[] {
    return [...new Set([...this.known.keys(), ...this.written.keys()])];
  }

  text(num: number): string {
    return this.written.get(num) ?? this.known.get(num) ?? 'null';
  }

  isDictionary(num: number): boolean {
    return this.text(num).startsWith('<<');
  }

  isStream(num: number): boolean {
    return /^<<[\s\S]*>>\s*stream[\r\n]/.test(this.text(num));
  }

  set(num: number, text: string): void {
    this.written.set(num, text);
  }

  /** A number that nobody has; cross-reference streams take the next one behind all others. */
  add(text: string): number {
    const num = Math.max(59, ...this.numbers()) + 2;
    this.written.set(num, text);
    return num;
  }

  get(num: number, key: string): string | undefined {
    return entriesOf(this.text(num)).entries.get(key);
  }

  keys(num: number): string[] {
    return [...entriesOf(this.text(num)).entries.keys()];
  }

  /** Null takes the entry away. */
  put(num: number, key: string, value: string | null): void {
    const { entries, rest } = entriesOf(this.text(num));
    if (value === null) entries.delete(key);
    else entries.set(key, value);
    this.set(num, dictionaryText(entries, rest));
  }

  /** The items of a list, wherever it stands. */
  list(num: number, key: string): string[] {
    const value = this.get(num, key);
    return itemsOf(numberIn(value) > 0 ? this.text(numberIn(value)) : (value ?? '[]'));
  }

  putList(num: number, key: string, items: readonly string[]): void {
    const elsewhere = numberIn(this.get(num, key));
    const text = `[${items.join(' ')}]`;
    if (elsewhere > 0) this.set(elsewhere, text);
    else this.put(num, key, text);
  }
}
