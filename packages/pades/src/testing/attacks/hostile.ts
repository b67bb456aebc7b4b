import { latin1Bytes, latin1Text } from '../../pdf/objects.ts';
import { at } from './bases.ts';
import type { Bases } from './bases.ts';
import { revise } from './write-revision.ts';
import type { Row } from './write-revision.ts';

/** Signed files with an update that is small to send and could cost its square, or more, to read. */
export const hostile: Readonly<Record<string, (bases: Bases) => Uint8Array>> = {
  'objects inside one another': ({ table }) => {
    const rows: Record<number, Row> = {};
    let lead = '';
    for (let num = 1000; num < 41_000; num++) {
      rows[num] = { offset: table.length + lead.length };
      lead += `${num} 0 obj [ 1 1 1 1 1\n`;
    }
    return revise(table, { lead, rows });
  },
  'forty thousand subsections': ({ table }) => {
    const rows = Array.from({ length: 40_000 }, (_, index) => `${1000 + index * 2} 1\n0000000015 00000 f \n`).join('');
    return revise(table, { objects: { [at.free]: '<<>>' }, section: (text) => text.replace('xref\n', `xref\n${rows}`) });
  },
  'a range for every number': ({ stream }) => {
    const index = Array.from({ length: 40_000 }, (_, n) => `${1000 + n * 2} 1`).join(' ');
    return revise(stream, {
      objects: { [at.free]: '<<>>' },
      section: (text) => text.replace(/\/Index\[[^\]]*\]/, `/Index[${index}]`).replace('[1 6 2]', '[0 0 0]'),
    });
  },
  'eight million rows of no byte': ({ stream }) =>
    revise(stream, {
      objects: { [at.free]: '<<>>' },
      section: (text) => text.replace(/\/Index\[[^\]]*\]/, '/Index[0 8000000]').replace('[1 6 2]', '[0 0 0]'),
    }),
  'two thousand sections': ({ table }) => {
    let text = latin1Text(table);
    let prev = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1]);
    for (let count = 0; count < 2000; count++) {
      const start = text.length;
      text += `xref\n0 1\n0000000000 65535 f \ntrailer\n<</Root 1 0 R/Size 60/Prev ${prev}>>\nstartxref\n${start}\n%%EOF\n`;
      prev = start;
    }
    return latin1Bytes(text);
  },
  'a hundred thousand brackets': ({ table }) => revise(table, { objects: { [at.free]: `${'['.repeat(100_000)}${']'.repeat(100_000)}` } }),
  'fields that share their kids': ({ table }) => {
    const numbers = Array.from({ length: 600 }, (_, index) => 1000 + index);
    const objects = Object.fromEntries(numbers.map((num) => [num, '<</T(a)/FT/Tx/Kids 900 0 R>>']));
    const kids = `[${numbers.map((num) => `${num} 0 R`).join(' ')}]`;
    return revise(table, { objects: { ...objects, 900: kids, [at.form]: '<</Fields[31 0 R 1000 0 R]>>' } });
  },
};
