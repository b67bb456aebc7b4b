import fc from 'fast-check';
import { latin1Bytes, latin1Text } from '../../pdf/objects.ts';
import { revise } from './write-revision.ts';

/** One change to a signed file, as a function of its bytes: structure-aware, and the same for the same seed. */
export interface Mutation {
  readonly name: string;
  apply(bytes: Uint8Array): Uint8Array;
}

/** Places where a mutation hurts: tokens of the file's structure. */
const tokens = {
  range: /\/ByteRange ?\[[^\]]*\]/g,
  row: /\d{10} \d{5} [nf]/g,
  start: /startxref\s+\d+/g,
  prev: /\/Prev \d+/g,
  key: /\/[A-Z][A-Za-z]+/g,
  reference: /\b\d{1,6} 0 R/g,
  number: /\b\d{1,6}\b/g,
  header: /\b\d{1,6} 0 obj/g,
  mark: /%%EOF|endobj|endstream|stream|xref|trailer/g,
  contents: /\/Contents <[0-9a-f]{200}/g,
};

type Token = keyof typeof tokens;

const words = [
  '/Annots',
  '/Contents',
  '/Type',
  '/V',
  '/Kids',
  '/Root',
  '/AP',
  '/Prev',
  '/Size',
  '/W',
  '/First',
  '/N',
  '/Length',
  '/Filter',
];
const junk = [
  'null',
  '[]',
  '<<>>',
  '()',
  '-1',
  '0',
  '99999999',
  '1 0 R',
  '3 0 R',
  '/x',
  '<',
  '(',
  '<<',
  ']',
  'endobj',
  'R',
  '1e9',
  '4 0 obj',
];

/** The n-th token of a kind, changed by `change`. */
function atToken(text: string, kind: Token, n: number, change: (found: string) => string): string {
  const all = [...text.matchAll(tokens[kind])];
  const found = all[n % Math.max(1, all.length)];
  if (found === undefined) return text;
  return text.slice(0, found.index) + change(found[0]) + text.slice(found.index + found[0].length);
}

const index = fc.nat({ max: 1_000_000 });
const tokenKind = fc.constantFrom(...(Object.keys(tokens) as Token[]));

function text(name: string, change: (text: string) => string): Mutation {
  return { name, apply: (bytes) => latin1Bytes(change(latin1Text(bytes))) };
}

const flipByte = fc.tuple(index, fc.integer({ min: 1, max: 255 })).map(([at, mask]): Mutation => ({
  name: 'flip',
  apply: (bytes) => {
    const copy = bytes.slice();
    const offset = Math.floor((at / 1_000_000) * copy.length) % copy.length;
    copy[offset] = (copy[offset] ?? 0) ^ mask;
    return copy;
  },
}));

const changeDigit = fc
  .tuple(tokenKind, index, fc.nat({ max: 9 }))
  .map(([kind, n, digit]) =>
    text(`digit in ${kind}`, (whole) => atToken(whole, kind, n, (found) => found.replace(/\d(?!.*\d)/, String(digit)))),
  );

const replaceToken = fc
  .tuple(tokenKind, index, fc.constantFrom(...junk, ...words))
  .map(([kind, n, word]) => text(`${kind} becomes ${word}`, (whole) => atToken(whole, kind, n, () => word)));

const samePlace = fc
  .tuple(tokenKind, index, fc.constantFrom(...junk, ...words))
  .map(([kind, n, word]) =>
    text(`${kind} overwritten by ${word}`, (whole) => atToken(whole, kind, n, (found) => word.padEnd(found.length).slice(0, found.length))),
  );

const duplicate = fc
  .tuple(tokenKind, index)
  .map(([kind, n]) => text(`${kind} twice`, (whole) => atToken(whole, kind, n, (found) => `${found} ${found}`)));

const remove = fc.tuple(tokenKind, index).map(([kind, n]) => text(`${kind} removed`, (whole) => atToken(whole, kind, n, () => '')));

const cut = index.map((at): Mutation => ({ name: 'cut', apply: (bytes) => bytes.slice(0, Math.floor((at / 1_000_000) * bytes.length)) }));

const splice = fc.tuple(index, index, index).map(([from, length, to]): Mutation => ({
  name: 'piece moved',
  apply: (bytes) => {
    const place = (at: number) => Math.floor((at / 1_000_000) * bytes.length);
    const piece = bytes.slice(place(from), place(from) + (length % 400));
    return Buffer.concat([bytes.subarray(0, place(to)), piece, bytes.subarray(place(to))]);
  },
}));

/** Values as attackers write them: nested, referring, too long. */
const value: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...junk.filter((word) => !['<', '(', '<<', ']', 'R', 'endobj', '4 0 obj'].includes(word))),
    fc.nat({ max: 60 }).map((num) => `${num} 0 R`),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(' ')}]`),
    fc
      .array(fc.tuple(fc.constantFrom(...words, '/Fields', '/T', '/FT', '/Sig', '/Subtype', '/Rect', '/Parent'), tie('value')), {
        maxLength: 6,
      })
      .map((entries) => `<<${entries.map(([key, item]) => `${key} ${item}`).join(' ')}>>`),
    fc.string({ maxLength: 20 }).map((content) => `<</Length ${content.length}>>\nstream\n${content}\nendstream`),
  ),
})).value;

const objects = fc.dictionary(fc.integer({ min: 1, max: 62 }).map(String), value, { minKeys: 1, maxKeys: 4 });
const row = fc.oneof(
  fc.nat({ max: 60_000 }).map((offset) => ({ offset })),
  fc.constant('free' as const),
  fc.nat({ max: 20_000 }).map((offset) => ({ offset, gen: 1 })),
);

const update = fc
  .tuple(
    objects,
    fc.dictionary(fc.integer({ min: 1, max: 62 }).map(String), row, { maxKeys: 3 }),
    fc.constantFrom('table' as const, 'stream' as const),
    fc.option(fc.nat({ max: 60_000 }), { freq: 6 }),
    fc.constantFrom('', '/Prev 15', '/Root 3 0 R', '/XRefStm 100', '/Size 1'),
  )
  .map(([written, rows, form, prev, trailer]): Mutation => ({
    name: `update ${Object.keys(written).join()} rows ${Object.keys(rows).join()}`,
    apply: (bytes) => revise(bytes, { objects: written, rows, form, trailer, ...(prev === null ? {} : { prev }) }),
  }));

/** An update that edits what is there: one object written anew with one entry changed. */
const editObject = fc.tuple(index, fc.constantFrom(...words), value).map(([n, key, item]): Mutation => ({
  name: `object ${n} gets ${key}`,
  apply: (bytes) => {
    const whole = latin1Text(bytes);
    const all = [...whole.matchAll(/(?:^|[\r\n])(\d+) 0 obj\s+(<<[\s\S]*?)endobj/g)];
    const found = all[n % Math.max(1, all.length)];
    if (found === undefined) return bytes;
    const [, num = '0', body = ''] = found;
    return revise(bytes, { objects: { [Number(num)]: body.replace('<<', `<<${key} ${item} `).trim() } });
  },
}));

const tail = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes): Mutation => ({
  name: 'bytes behind the end',
  apply: (whole) => Buffer.concat([whole, bytes]),
}));

export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 3, arbitrary: flipByte },
  { weight: 2, arbitrary: changeDigit },
  { weight: 2, arbitrary: replaceToken },
  { weight: 2, arbitrary: samePlace },
  { weight: 1, arbitrary: duplicate },
  { weight: 1, arbitrary: remove },
  { weight: 1, arbitrary: cut },
  { weight: 1, arbitrary: splice },
  { weight: 4, arbitrary: update },
  { weight: 4, arbitrary: editObject },
  { weight: 1, arbitrary: tail },
);

/** A few in a row. */
export const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 });

const draw = fc.tuple(mutations, fc.nat({ max: 1_000_000 }), fc.array(fc.nat({ max: 999 }), { minLength: 30, maxLength: 30 }));

/** The mutations of a seed, which of many files they are for, and thirty more numbers below one. */
export function drawnWith(seed: number): {
  readonly steps: readonly Mutation[];
  readonly which: number;
  readonly chances: readonly number[];
} {
  const [[steps, which, numbers] = [[], 0, []]] = fc.sample(draw, { seed, numRuns: 1 });
  return { steps, which, chances: numbers.map((number) => number / 1000) };
}
