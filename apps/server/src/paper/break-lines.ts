import LineBreaker from 'linebreak';
import type { SetText } from './letters.ts';

interface Room {
  readonly width: number;
  /** A text in the letters that it is written in, with its width in theirs. */
  readonly set: (text: string) => SetText;
  /** One line alone, which ends with … where the text goes on. */
  readonly cut: boolean;
}

const SOFT_HYPHEN = '\u00AD';
/** What ends a line wherever it stands, and what may be seen at the end of one alone. */
const BREAKING = /[\n\v\f\r\u0085\u2028\u2029\u00AD]/;
/** Widths are sums, in whatever order. */
const NOTHING = 0.0001;

/** The lines of a text where Unicode allows a line to end (UAX #14); a word that is wider than a line is torn. */
export function breakLines(text: string, room: Room): readonly SetText[] {
  if (text === '') return [];
  const whole = room.set(text);
  // Far from the edge: what words that touch are drawn closer does not matter.
  if (whole.width <= room.width * 0.9 && !BREAKING.test(text)) return [whole];
  return new Lines(room).of(text);
}

class Lines {
  private readonly room: Room;
  private readonly lines: SetText[] = [];
  /** The line that is being filled, its width, and what is left of the room beside it. */
  private line = '';
  private width = 0;
  private left: number;

  constructor(room: Room) {
    this.room = room;
    this.left = room.width;
  }

  of(text: string): readonly SetText[] {
    const breaker = new LineBreaker(text);
    let start = 0;
    for (let end = breaker.nextBreak(); end; end = breaker.nextBreak()) {
      const word = text.slice(start, end.position);
      const width = this.measure(word);
      const goesOn = width > this.room.width ? this.tear(word, width, end.required) : this.take(word, width, end.required);
      if (!goesOn) return this.lines;
      start = end.position;
    }
    if (this.line !== '') this.end();
    return this.lines;
  }

  private measure(text: string): number {
    return this.room.set(text).width;
  }

  /** False: nothing more has room. */
  private take(word: string, width: number, isLast: boolean): boolean {
    const fits = this.fits(word, width);
    if (fits) {
      this.line += word;
      this.width += width;
    }
    if (fits && !isLast) {
      this.left -= width;
      return true;
    }
    if (this.room.cut) return this.cutShort();
    if (isLast && !fits) {
      this.end();
      [this.line, this.width] = [word, width];
    }
    this.end();
    if (!isLast) [this.line, this.width, this.left] = [word, width, this.room.width - width];
    return true;
  }

  private fits(word: string, width: number): boolean {
    const hyphen = word.endsWith(SOFT_HYPHEN) ? this.measure('-') : 0;
    return width + hyphen <= this.left + NOTHING;
  }

  private end(): void {
    const line = this.line.endsWith(SOFT_HYPHEN) ? `${this.line.slice(0, -1)}-` : this.line;
    this.lines.push({ runs: this.room.set(line.replaceAll('\n', '')).runs, width: this.width });
    [this.line, this.width, this.left] = ['', 0, this.room.width];
  }

  private tear(word: string, width: number, isLast: boolean): boolean {
    let rest = word;
    for (let wide = width; rest !== ''; wide = this.measure(rest)) {
      const length = this.pieceOf(rest, wide);
      const piece = rest.slice(0, length);
      if (!this.take(piece, this.measure(piece), isLast || length < rest.length)) return false;
      rest = rest.slice(length);
    }
    return true;
  }

  /** How many letters of a word stand beside what is in the line; at least one in an empty line. */
  private pieceOf(word: string, width: number): number {
    if (width <= this.left + NOTHING) return word.length;
    let length = Math.min(word.length, Math.ceil(this.left / (width / word.length)));
    const isRoom = (count: number) => this.measure(word.slice(0, count)) <= this.left + NOTHING;
    while (length > 0 && !isRoom(length)) length -= 1;
    while (length < word.length && isRoom(length + 1)) length += 1;
    return length === 0 && this.line === '' ? 1 : length;
  }

  private cutShort(): false {
    const { width } = this.room;
    let text = this.line.trimEnd();
    while (text !== '' && this.measure(`${text}…`) > width) text = text.slice(0, -1).trimEnd();
    if (this.measure(`${text}…`) <= width) text += '…';
    [this.line, this.width] = [text, this.measure(text)];
    this.end();
    return false;
  }
}
