import { PdfName } from '../../pdf/objects.ts';
import type { PdfObject, PdfString } from '../../pdf/objects.ts';
import { Keyword, Parser } from '../../pdf/parser.ts';
import { formatNumber } from '../../pdf/serialize.ts';

/** What DA says (ISO 32000-2 §12.7.4.3): a font, its size (0: as large as fits) and the colour of the text. */
export interface DefaultAppearance {
  readonly font: string;
  readonly size: number;
  /** Operators that set the colour. */
  readonly color: string;
}

const colorOperands: Readonly<Record<string, number>> = { g: 1, rg: 3, k: 4 };

/** Reads DA; null when it names no font. Of what else may stand in it only the colour is taken over. */
export function readDefaultAppearance(value: PdfString): DefaultAppearance | null {
  const parser = new Parser(value.bytes.subarray(0, 4096), 0, true);
  let operands: PdfObject[] = [];
  let font: string | null = null;
  let size = 0;
  let color = '0 g';
  for (;;) {
    const item = parser.parse();
    if (!(item instanceof Keyword)) {
      operands.push(item);
      continue;
    }
    if (item.word === '' && parser.position >= parser.bytes.length) break;
    const [name, number] = operands.slice(-2);
    if (item.word === 'Tf' && name instanceof PdfName && typeof number === 'number') {
      font = name.value;
      size = Math.abs(number);
    }
    const count = colorOperands[item.word] ?? 0;
    const values = operands.slice(-count);
    if (count > 0 && values.length === count && values.every((part) => typeof part === 'number')) {
      color = `${values.map((part) => formatNumber(part)).join(' ')} ${item.word}`;
    }
    operands = [];
  }
  return font === null ? null : { font, size, color };
}
