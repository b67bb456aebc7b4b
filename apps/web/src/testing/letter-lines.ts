import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

/**
 * What screens do, sentence by sentence of the specification (its words), and the place where the product does it. The stories try them in a
 * browser; here each falls at once when an address, a key or a condition becomes another one.
 */
export type Lines = Readonly<Record<string, readonly [file: string, ...holds: readonly string[]]>>;

/** Blanks and line ends are the formatter's. */
const flat = (text: string) => text.replace(/\s+/g, ' ');

/** A file below `apps/web/src`, in one line. */
export const source = (file: string): string => flat(readFileSync(`apps/web/src/${file}`, 'utf8'));

export function holdLines(what: string, lines: Lines): void {
  describe(`screens, to the letter: ${what}`, () => {
    for (const [sentence, [file, ...holds]] of Object.entries(lines))
      it(sentence, () => {
        const text = source(file);
        for (const part of holds) assert.ok(text.includes(flat(part)), `${file} has no ${part}`);
      });
  });
}
