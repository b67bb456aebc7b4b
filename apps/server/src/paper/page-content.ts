import { numeral } from './pdf-objects.ts';

/** A page while it is drawn on: what its content says so far, in points from the upper left, and the state that readers have reached by then. */
export class PageContent {
  readonly width: number;
  readonly height: number;
  /** Its object. */
  readonly number: number;
  /** Down to here text goes on by itself. */
  floor: number;
  /** How many of its parts the structure leads to. */
  marks = 0;
  private text = '';
  private fill = '';
  private stroke = '';
  private thickness = 0;
  private font = '';

  constructor(number: number, { width, height, floor }: { width: number; height: number; floor: number }) {
    this.number = number;
    this.width = width;
    this.height = height;
    this.floor = floor;
  }

  /** The whole content stream. */
  get stream(): string {
    return this.text;
  }

  /** Operators as they are, which leave the state as it was. */
  add(operators: string): void {
    this.text += `${operators}\n`;
  }

  fillWith(colour: string): void {
    if (this.fill === colour) return;
    this.fill = colour;
    this.add(`${channels(colour)} rg`);
  }

  strokeWith(colour: string, thickness: number): void {
    if (this.stroke !== colour) this.add(`${channels(colour)} RG`);
    if (this.thickness !== thickness) this.add(`${numeral(thickness)} w`);
    [this.stroke, this.thickness] = [colour, thickness];
  }

  /** A point as the page has it: y from below. */
  point(x: number, y: number): string {
    return `${numeral(x)} ${numeral(this.height - y)}`;
  }

  /** A string in the font of that resource; `y`: what its letters stand on. */
  show(shown: string, font: string, x: number, y: number): void {
    const select = this.font === font ? '' : `${font} Tf `;
    this.font = font;
    this.add(`BT ${select}${this.point(x, y)} Td [(${shown})]TJ ET`);
  }
}

const known = new Map<string, string>();

/** The three channels of `#rrggbb`. */
export function channels(colour: string): string {
  const said = known.get(colour) ?? [1, 3, 5].map((at) => numeral(Number.parseInt(colour.slice(at, at + 2), 16) / 255)).join(' ');
  if (known.size < 100) known.set(colour, said);
  return said;
}
