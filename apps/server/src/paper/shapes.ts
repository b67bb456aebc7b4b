import { numeral } from './pdf-objects.ts';

/** Of a quarter of a circle drawn as a curve: how far its handles are from the corner. */
const KAPPA = 4 * ((Math.sqrt(2) - 1) / 3);

/** A rectangle with round corners, from its lower left (or upper: it looks the same). */
export function roundedRectangle(x: number, y: number, width: number, height: number, radius: number): string {
  const near = radius * (1 - KAPPA);
  const [right, top] = [x + width, y + height];
  const path = (operator: string, ...points: number[]) => `${points.map(numeral).join(' ')} ${operator}`;
  return [
    path('m', x + radius, y),
    path('l', right - radius, y),
    path('c', right - near, y, right, y + near, right, y + radius),
    path('l', right, top - radius),
    path('c', right, top - near, right - near, top, right - radius, top),
    path('l', x + radius, top),
    path('c', x + near, top, x, top - near, x, top - radius),
    path('l', x, y + radius),
    path('c', x, y + near, x + near, y, x + radius, y),
    'h',
  ].join(' ');
}

/** Dark squares, those that make a rectangle in one: `isDark` by row and column, from the upper left; the first square is at 0 0, the next row below it. */
export function darkSquares(size: number, isDark: (row: number, column: number) => boolean): string {
  const drawn = new Uint8Array(size * size);
  const isOpen = (row: number, column: number) => drawn[row * size + column] === 0 && isDark(row, column);
  let path = '';
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (!isOpen(row, column)) continue;
      let end = column + 1;
      while (end < size && isOpen(row, end)) end += 1;
      let below = row + 1;
      while (below < size && isOpenRow(isOpen, below, column, end)) below += 1;
      for (let line = row; line < below; line += 1) drawn.fill(1, line * size + column, line * size + end);
      path += `${column} ${row} ${end - column} ${below - row} re `;
    }
  }
  return path;
}

function isOpenRow(isOpen: (row: number, column: number) => boolean, row: number, start: number, end: number): boolean {
  for (let column = start; column < end; column += 1) if (!isOpen(row, column)) return false;
  return true;
}
