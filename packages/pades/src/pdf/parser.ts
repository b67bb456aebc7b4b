import { readLiteral } from './literal-string.ts';
import { PdfName, PdfRef, PdfStream, PdfString } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';
import { PadesError } from '../errors.ts';
import { hexBytes, hexValue } from './hex.ts';
import { isHexAndWhite, isPlainNameChar, isWholeDue } from './spelling.ts';

/** Thrown when the window ends inside an object; the caller reads a larger window and starts over. */
export const needMore = Symbol('needMore');

/** A bare word where an object was expected: `endobj`, `stream`, `R`, or garbage. */
export class Keyword {
  readonly word: string;
  constructor(word: string) {
    this.word = word;
  }
}

const maxDepth = 200;
/** Of a number: more than any writer needs, and as many as every reader takes. */
const maxDigits = 64;
/** ISO 32000-2 Annex C. */
const maxObjectNumber = 8_388_607;
/** Each item takes ten times the room that spells it. */
const maxItems = 1 << 20;
const WHITE = new Uint8Array(256);
const DELIMITER = new Uint8Array(256);
for (const c of [0, 9, 10, 12, 13, 32]) WHITE[c] = 1;
for (const c of '()<>[]{}/%') DELIMITER[c.charCodeAt(0)] = 1;

export interface IndirectObject {
  num: number;
  gen: number;
  value: PdfObject;
  /** See `Parser.ambiguous`; also when the file ended inside it, and when it is nothing but a reference. */
  ambiguous: boolean;
  /** See `Parser.ranOut`: bytes appended to the file would become part of it. */
  ranOut: boolean;
  /** See `Parser.strange`. */
  strange: boolean;
  /** See `Parser.commented`. */
  commented: boolean;
  /** Where the value ends in the file: of a stream, its dictionary. */
  end: number;
}

/** Parses objects (ISO 32000-2 §7.3) from a window of bytes, forgiving what common readers forgive. */
export class Parser {
  readonly bytes: Uint8Array;
  position: number;
  /** Readers may disagree on what was read: a key twice, a bare word inside, an end before the closing bracket. */
  ambiguous = false;
  /** The object was ended by the end of the file. */
  ranOut = false;
  /** A comment was passed over: none is needed inside an object, and readers end them differently. */
  commented = false;
  /** Spelled in a way that no writer needs: a number, name or hexadecimal string against the book. */
  strange = false;
  /** Numbers with a point so far. */
  private points = 0;
  private readonly complete: boolean;
  private furthest = 0;

  /** `complete`: the window ends where the file (or object stream) ends, so running out is not "need more". */
  constructor(bytes: Uint8Array, position: number, complete: boolean) {
    this.bytes = bytes;
    this.position = position;
    this.complete = complete;
  }

  /** No byte at or behind this position was looked at: whatever stands there, the same would have been read. */
  get reach(): number {
    // A word that ends an object is given back.
    return Math.max(this.furthest, this.position) + 16;
  }

  /** The byte at the position, or -1 at the end of the file. */
  peek(): number {
    if (this.position < this.bytes.length) return this.bytes[this.position] ?? -1;
    if (!this.complete) throw needMore;
    this.ranOut = true;
    return -1;
  }

  skipWhite(): void {
    for (;;) {
      const c = this.peek();
      if (c === 0x25) {
        this.commented = true;
        while (this.peek() !== 10 && this.peek() !== 13 && this.peek() !== -1) this.position++;
      } else if (c >= 0 && WHITE[c] === 1) {
        this.position++;
      } else return;
    }
  }

  /** One object or bare word. */
  parse(depth = 0): PdfObject | Keyword {
    if (depth > maxDepth) throw new PadesError('TOO_COMPLEX', 'objects nested too deeply');
    this.skipWhite();
    const c = this.peek();
    switch (c) {
      case -1:
        return new Keyword('');
      case 0x2f:
        return this.name();
      case 0x28:
        return this.literalString();
      case 0x5b:
        return this.array(depth);
      case 0x3c:
        this.position++;
        if (this.peek() !== 0x3c) return this.hexString();
        this.position++;
        return this.dictionary(depth);
      case 0x29:
      case 0x5d:
      case 0x7b:
      case 0x7d:
        this.position++;
        return new Keyword(String.fromCharCode(c));
      case 0x3e:
        this.position++;
        if (this.peek() !== 0x3e) return new Keyword('>');
        this.position++;
        return new Keyword('>>');
    }
    if ((c >= 0x30 && c <= 0x39) || c === 0x2b || c === 0x2d || c === 0x2e) return this.numberOrRef();
    return this.word();
  }

  private word(): PdfObject | Keyword {
    const text = this.regularChars();
    if (text === 'true') return true;
    if (text === 'false') return false;
    if (text === 'null') return null;
    return new Keyword(text);
  }

  private regularChars(): string {
    const start = this.position;
    for (let c = this.peek(); c >= 0 && WHITE[c] === 0 && DELIMITER[c] === 0; c = this.peek()) this.position++;
    if (this.position === start) this.position++;
    return String.fromCharCode(...this.bytes.subarray(start, Math.min(this.position, start + 4096)));
  }

  private name(): PdfName {
    this.position++;
    let value = '';
    for (let c = this.peek(); c >= 0 && WHITE[c] === 0 && DELIMITER[c] === 0; c = this.peek()) {
      this.position++;
      if (c === 0x23) {
        this.peek();
        if (this.position + 1 >= this.bytes.length && !this.complete) throw needMore;
        const high = hexValue(this.bytes[this.position] ?? -1);
        const low = hexValue(this.bytes[this.position + 1] ?? -1);
        if (high >= 0 && low >= 0) {
          this.position += 2;
          // A letter that need not be spelled so: some readers take the spelling for the name.
          if (isPlainNameChar(high * 16 + low)) this.strange = true;
          value += String.fromCharCode(high * 16 + low);
          continue;
        }
        this.strange = true;
      }
      value += String.fromCharCode(c);
    }
    return new PdfName(value);
  }

  private numberOrRef(): PdfObject {
    const start = this.position;
    const first = this.numberToken();
    if (!Number.isInteger(first) || first < 0 || (this.bytes[start] ?? 0) < 0x30) return first;
    // "num gen R" needs two tokens of look-ahead.
    const after = this.position;
    const gen = this.plainInteger();
    if (gen >= 0 && gen <= 65535) {
      this.skipWhite();
      if (this.peek() === 0x52) {
        this.position++;
        const next = this.peek();
        // No object has such a number: some readers keep its last bits.
        if (first > maxObjectNumber) this.strange = true;
        if (next < 0 || WHITE[next] === 1 || DELIMITER[next] === 1) return new PdfRef(first, gen);
      }
    }
    this.furthest = Math.max(this.furthest, this.position);
    this.position = after;
    return first;
  }

  /** A non-negative integer after white space, or -1 (position is then undefined). */
  plainInteger(): number {
    this.skipWhite();
    const start = this.position;
    let value = 0;
    for (let c = this.peek(); c >= 0x30 && c <= 0x39; c = this.peek()) {
      value = value * 10 + c - 0x30;
      this.position++;
      if (this.position - start > 15) return -1;
    }
    return this.position === start ? -1 : value;
  }

  /** Numbers as readers take them: doubled signs, a stray minus inside, no digits (= 0). */
  private numberToken(): number {
    let sign = 1;
    let c = this.peek();
    const first = this.position;
    while (c === 0x2b || c === 0x2d) {
      if (c === 0x2d) sign = -1;
      this.position++;
      c = this.peek();
    }
    let value = 0;
    let scale = 0;
    const start = this.position;
    for (; c >= 0; c = this.peek()) {
      if (c >= 0x30 && c <= 0x39) {
        value = value * 10 + c - 0x30;
        if (scale > 0) scale *= 10;
      } else if (c === 0x2e && scale === 0) scale = 1;
      else if (c === 0x2d) {
        // "12-34" is read as 12: skip to the end of the token.
        this.regularChars();
        break;
      } else break;
      this.position++;
    }
    // One sign at most, digits, one point at most, and then the end (ISO 32000-2 §7.3.3).
    const isPlain = c < 0 || WHITE[c] === 1 || DELIMITER[c] === 1;
    if (!isPlain || this.position - first > maxDigits || start - first > 1 || this.position - start < (scale > 0 ? 2 : 1))
      this.strange = true;
    if (scale > 0) this.points++;
    // Beyond what a double counts exactly, the digits are read as a whole: rewritten, the number must stay the same.
    if (value > Number.MAX_SAFE_INTEGER || scale > 1e22) {
      value = Number.parseFloat(String.fromCharCode(...this.bytes.subarray(start, Math.min(this.position, start + 512))));
      scale = 0;
    }
    const result = (sign * value) / (scale > 1 ? scale : 1);
    return Number.isFinite(result) ? result : 0;
  }

  private literalString(): PdfString {
    const found = readLiteral(this.bytes, this.position + 1, this.complete);
    if (found === null) throw needMore;
    this.ranOut ||= found.ranOut;
    this.position = Math.min(found.end + 1, this.bytes.length);
    return new PdfString(found.value);
  }

  private hexString(): PdfString {
    const start = this.position;
    const close = this.bytes.indexOf(0x3e, start);
    // Signatures are long: no use in reading one whose end is not in the window yet.
    if (close < 0 && !this.complete) throw needMore;
    if (close < 0) this.ranOut = true;
    const end = close < 0 ? this.bytes.length : close;
    this.position = close < 0 ? end : end + 1;
    const spelled = hexBytes(this.bytes, start, end);
    if (spelled.length * 2 !== end - start && !isHexAndWhite(this.bytes, start, end)) this.strange = true;
    return new PdfString(spelled, true);
  }

  private array(depth: number): PdfObject[] {
    this.position++;
    const items: PdfObject[] = [];
    for (;;) {
      this.plainRefs(items);
      const item = this.parse(depth + 1);
      if (!(item instanceof Keyword)) {
        items.push(item);
        if (items.length > maxItems) throw new PadesError('TOO_COMPLEX', 'a list is too long');
        continue;
      }
      if (item.word === ']') return items;
      this.ambiguous = true;
      if (item.word === '>>' || ends(item)) {
        this.position -= item.word.length;
        return items;
      }
      items.push(null);
    }
  }

  /** Long lists of references (kids, annotations) in their plain form, read without a call for every token. */
  private plainRefs(items: PdfObject[]): void {
    const { bytes } = this;
    // Whatever is not exactly "digits space digit space R", or ends the window, is left to `parse`.
    for (let at = this.position; ;) {
      while (WHITE[bytes[at] ?? 1] === 1) at++;
      let num = 0;
      const start = at;
      for (let c = bytes[at] ?? 0; c >= 0x30 && c <= 0x39; c = bytes[++at] ?? 0) num = num * 10 + c - 0x30;
      if (at === start || at - start > 6 || bytes[at] !== 0x20 || bytes[at + 2] !== 0x20 || bytes[at + 3] !== 0x52) return;
      const gen = (bytes[at + 1] ?? 0) - 0x30;
      const next = bytes[at + 4];
      if (gen < 0 || gen > 9 || next === undefined || (WHITE[next] === 0 && DELIMITER[next] === 0)) return;
      items.push(new PdfRef(num, gen));
      if (items.length > maxItems) throw new PadesError('TOO_COMPLEX', 'a list is too long');
      at += 4;
      this.position = at;
    }
  }

  private dictionary(depth: number): PdfDict {
    const entries: PdfDict = new Map();
    const keys = new Set<string>();
    for (;;) {
      const key = this.parse(depth + 1);
      if (key instanceof Keyword) {
        if (key.word === '>>') return entries;
        this.ambiguous = true;
        if (ends(key)) {
          this.position -= key.word.length;
          return entries;
        }
        continue;
      }
      if (!(key instanceof PdfName)) {
        this.ambiguous = true;
        continue;
      }
      if (keys.has(key.value)) this.ambiguous = true;
      keys.add(key.value);
      const { points } = this;
      const value = this.parse(depth + 1);
      if (!(value instanceof Keyword)) {
        if (value !== null) entries.set(key.value, value);
        // A filter that is null is one that Ghostscript does not know. A whole number written with a point: half of the readers take it for none at all.
        if (value === null ? key.value === 'Filter' : this.points > points && isWholeDue(key.value, value)) this.strange = true;
        continue;
      }
      this.ambiguous = true;
      if (value.word === '>>') return entries;
      if (ends(value)) {
        this.position -= value.word.length;
        return entries;
      }
    }
  }

  /** `num gen obj … endobj` at the position, or null when it is something else. A stream's data is left in the file. */
  indirectObject(windowOffset: number): IndirectObject | null {
    const num = this.plainInteger();
    const gen = num < 0 ? -1 : this.plainInteger();
    if (num < 0 || gen < 0) return null;
    this.skipWhite();
    for (const c of [0x6f, 0x62, 0x6a]) {
      if (this.peek() !== c) return null;
      this.position++;
    }
    this.strange = false;
    this.commented = false;
    const value = this.parse();
    const { ranOut } = this;
    const found = {
      num,
      gen,
      // Of an object that is nothing but a reference, some take what it leads to, and some nothing.
      ambiguous: this.ambiguous || ranOut || value instanceof PdfRef,
      strange: this.strange,
      commented: this.commented,
      ranOut,
      end: windowOffset + this.position,
    };
    if (value instanceof Keyword) return { ...found, value: null };
    if (!(value instanceof Map)) return { ...found, value };
    const dataStart = this.streamStart();
    if (dataStart < 0) return { ...found, value };
    return { ...found, value: new PdfStream(value, null, windowOffset + dataStart) };
  }

  /** After a dictionary: where the data begins when the word `stream` follows (§7.3.8.1), else -1. */
  private streamStart(): number {
    this.skipWhite();
    for (const c of [0x73, 0x74, 0x72, 0x65, 0x61, 0x6d]) {
      if (this.peek() !== c) return -1;
      this.position++;
    }
    while (this.peek() === 0x20) this.position++;
    if (this.peek() === 0x0d) this.position++;
    if (this.peek() === 0x0a) this.position++;
    return this.position;
  }
}

function ends(word: Keyword): boolean {
  return (
    word.word === '' ||
    word.word === 'endobj' ||
    word.word === 'stream' ||
    word.word === 'endstream' ||
    word.word === 'xref' ||
    word.word === 'startxref' ||
    word.word === 'trailer'
  );
}
