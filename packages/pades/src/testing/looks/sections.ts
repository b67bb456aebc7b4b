import { latin1Text } from '../../pdf/objects.ts';
import { objectStream } from '../attacks/bases.ts';
import { offsetOf, revise, streamText } from '../attacks/write-revision.ts';
import type { RevisionText, Row } from '../attacks/write-revision.ts';
import type { Dice } from './dice.ts';

/** A revision as it is written down. */
export interface Update {
  readonly objects: Readonly<Record<number, string>>;
  /** What only some readers are to find: objects that a trick smuggles in. */
  readonly hidden: Readonly<Record<number, string>>;
  readonly form: 'table' | 'stream';
  /** In an object stream, where the form has them. */
  readonly packed: boolean;
  /** As two revisions one behind the other. */
  readonly split: boolean;
  readonly trick: string | null;
  /** The catalog's new number. */
  readonly root: number | null;
}

/** A way to write a section that somebody may read otherwise. Numbers from 300 on are its own. */
type Trick = (base: Uint8Array, update: Update) => RevisionText;

const own = 300;
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
const definitions = (objects: Readonly<Record<number, string>>): string =>
  Object.entries(objects)
    .map(([num, text]) => `${num} 0 obj\n${text}\nendobj\n`)
    .join('');
const plain = (objects: Readonly<Record<number, string>>): [number, string][] =>
  Object.entries(objects).flatMap(([num, text]): [number, string][] => (/\bstream[\r\n]/.test(text) ? [] : [[Number(num), text]]));

function startOf(base: Uint8Array): number {
  return base.length + (/[\r\n]$/.test(latin1Text(base.subarray(-1))) ? 0 : 1);
}

/** A stream beside the table that leads to what is hidden: directly, or in an object stream. */
function beside(
  change: (dict: string) => string = (dict) => dict,
  named = (at: number) => `/XRefStm ${at}`,
  more: RevisionText = {},
): Trick {
  return (base, { hidden }) => {
    const start = startOf(base);
    const inside = plain(hidden);
    const holder = `${own} 0 obj\n${objectStream(Object.fromEntries(inside))}\nendobj\n`;
    let text = holder;
    const rows: [number, string][] = [
      [own, `01${hex(start, 8)}0000`],
      ...inside.map(([num], place): [number, string] => [num, `02${hex(own, 8)}${hex(place, 4)}`]),
    ];
    for (const [num, body] of Object.entries(hidden)) {
      if (inside.some(([one]) => one === Number(num))) continue;
      rows.push([Number(num), `01${hex(start + text.length, 8)}0000`]);
      text += `${num} 0 obj\n${body}\nendobj\n`;
    }
    const at = start + text.length;
    rows.push([own + 1, `01${hex(at, 8)}0000`]);
    rows.sort(([a], [b]) => a - b);
    const data = rows.map(([, row]) => row).join('');
    const dict = `/Type/XRef/W[1 4 2]/Index[${rows.map(([num]) => `${num} 1`).join(' ')}]/Size ${own + 2}/Root 1 0 R/Filter/ASCIIHexDecode/Length ${data.length}`;
    const stream = `${own + 1} 0 obj\n<<${change(dict)}>>\nstream\n${data}\nendstream\nendobj\n`;
    return { form: 'table', size: own + 10, lead: text + stream, trailer: named(at), ...more };
  };
}

const elsewhere = (pattern: RegExp, text: string, value: string): Trick =>
  beside((dict) => dict.replace(pattern, `${text} ${own + 5} 0 R`), undefined, { objects: { [own + 5]: value } });

/** Hidden objects are written, and these rows are said of them. */
function rows(row: (offset: number, num: number) => Row | null, text = definitions): Trick {
  return (base, { hidden }) => {
    const lead = text(hidden);
    const found: Record<number, Row> = {};
    for (const num of Object.keys(hidden).map(Number)) {
      const at = new RegExp(`(?:^|(?<=\\n))0*${num} \\d+ obj`).exec(lead)?.index ?? 0;
      const said = row(startOf(base) + at, num);
      if (said !== null) found[num] = said;
    }
    return { lead, rows: found };
  };
}

const section =
  (change: (text: string) => string, more: RevisionText = {}): Trick =>
  () => ({ section: change, ...more });
const prev = (to: string): Trick => section((text) => text.replace(/\/Prev (\d+)/, to));

/** A new object stream that holds what is hidden. */
function container(change: (held: [number, string][]) => { text: string; rows: Readonly<Record<number, Row>> }): Trick {
  return (_, { hidden }) => {
    const { text, rows: said } = change(plain(hidden));
    return { form: 'stream', size: own + 10, objects: { [own]: text }, rows: said };
  };
}

const holding = (held: readonly (readonly [number, string])[]): string => objectStream(Object.fromEntries([...held, [own + 1, '<<>>']]));
const rowsOf = (held: readonly (readonly [number, string])[], place: (index: number) => number): Record<number, Row> =>
  Object.fromEntries([
    ...held.map(([num], index) => [num, { stream: own, index: place(index) }]),
    [own + 1, { stream: own, index: held.length }],
  ]);

/** By name: kept vectors say it. */
export const tricks: Readonly<Record<string, Trick>> = {
  beside: beside(),
  'beside, no Type': beside((dict) => dict.replace('/Type/XRef', '')),
  'beside, Type elsewhere': elsewhere(/\/Type\/XRef/, '/Type', '/XRef'),
  'beside, W elsewhere': elsewhere(/\/W\[[^\]]*\]/, '/W', '[1 4 2]'),
  'beside, Length elsewhere': elsewhere(/\/Length \d+/, '/Length', '200'),
  'beside, Index elsewhere': elsewhere(/\/Index\[[^\]]*\]/, '/Index', '[3 1]'),
  'beside, W of four': beside((dict) => dict.replace('[1 4 2]', '[1 4 2 0]')),
  'beside, W with points': beside((dict) => dict.replace('[1 4 2]', '[1. 4. 2.]')),
  'beside, named by reference': beside(undefined, (at) => `/XRefStm ${own + 5} 0 R %${at}\n`),
  'beside, named twice': beside(undefined, (at) => `/XRefStm 15/XRefStm ${at}`),
  'beside, named with a point': beside(undefined, (at) => `/XRefStm ${at}.0`),
  'beside, one byte early': beside(undefined, (at) => `/XRefStm ${at - 1}`),
  'beside, table says free': (base, update) => ({
    ...beside()(base, update),
    rows: Object.fromEntries(Object.keys(update.hidden).map((num) => [num, 'free' as const])),
  }),
  'beside, to nowhere': () => ({ form: 'table', trailer: '/XRefStm 15' }),
  unlisted: rows(() => null),
  'in a comment': (_, { hidden }) => ({ lead: `%${definitions(hidden).replaceAll('\n', ' ')}\n` }),
  'in a stream': rows(
    (offset) => ({ offset }),
    (hidden) => `${own} 0 obj\n${streamText(definitions(hidden))}\nendobj\n`,
  ),
  'in a stream, unlisted': rows(
    () => null,
    (hidden) => `${own} 0 obj\n${streamText(definitions(hidden))}\nendobj\n`,
  ),
  'behind the section': (_, { hidden }) => ({ section: (text) => text + definitions(hidden) }),
  'behind the end': (_, { hidden }) => ({ ending: `startxref\n0\n%%EOF\n${definitions(hidden)}` }),
  'generation 1': rows(
    (offset) => ({ offset, gen: 1 }),
    (hidden) => definitions(hidden).replaceAll(' 0 obj', ' 1 obj'),
  ),
  'generation 1 at 0': rows((offset) => ({ offset, gen: 1 })),
  'zeros before the number': rows(
    (offset) => ({ offset }),
    (hidden) => definitions(hidden).replaceAll(/(^|\n)(\d+ 0 obj)/g, '$10$2'),
  ),
  'row one byte early': rows((offset) => ({ offset: offset - 1 })),
  'row one byte late': rows((offset) => ({ offset: offset + 1 })),
  'row of a stranger': (base, { hidden }) => ({
    rows: Object.fromEntries(Object.keys(hidden).map((num) => [num, { offset: offsetOf(base, 11) }])),
  }),
  'row beyond the end': rows(
    () => ({ offset: 900_000 }),
    () => '',
  ),
  'rows free': rows(
    () => 'free',
    () => '',
  ),
  'rows twice': (base, update) => {
    const said = rows((offset) => ({ offset }))(base, update);
    return {
      ...said,
      form: 'table',
      section: (text) => text.replace('trailer', `${/xref\n([\s\S]*?)trailer/.exec(text)?.[1] ?? ''}trailer`),
    };
  },
  'place wrong': container((held) => ({ text: holding(held), rows: rowsOf(held, (index) => (index === 0 ? held.length : 0)) })),
  'place beyond': container((held) => ({ text: holding(held), rows: rowsOf(held, () => 99) })),
  'held and not named': container((held) => ({ text: holding(held), rows: { [own + 1]: { stream: own, index: held.length } } })),
  'held twice': container((held) => ({
    text: holding([...held, ...held.map(([num], index): [number, string] => [own + 2 + index, `<</N ${num}>>`])]),
    rows: rowsOf(held, (index) => index),
  })),
  'held by fewer': container((held) => ({ text: holding(held).replace(/\/N \d+/, '/N 1'), rows: rowsOf(held, (index) => index) })),
  'held, Type missing': container((held) => ({ text: holding(held).replace('/Type/ObjStm', ''), rows: rowsOf(held, (index) => index) })),
  'held, extended': container((held) => ({ text: holding(held).replace('<<', '<</Extends 45 0 R'), rows: rowsOf([], (index) => index) })),
  'stream rows of no type': section((text) => text.replace('/W[1 6 2]', '/W[0 7 2]')),
  'stream rows of a type nobody knows': section((text) =>
    text
      .replace(/\/Index\[/, '/Index[3 1 ')
      .replace(/\nstream\n/, '\nstream\n050000000000000000')
      .replace(/\/Length (\d+)/, (_, n: string) => `/Length ${Number(n) + 18}`),
  ),
  'stream rows too many': section((text) => text.replace('\nendstream', '010000000000010000\nendstream')),
  'stream Index elsewhere': section((text) => text.replace(/\/Index(\[[^\]]*\])/, `/Index ${own + 5} 0 R`), {
    objects: { [own + 5]: '[3 1]' },
  }),
  'table in one part': section((text) => text.replace(/xref\n(\d+) 1\n/, 'xref\n$1 2\n')),
  'table from another number': section((text) => text.replace(/xref\n(\d+) 1\n/, (_, n: string) => `xref\n${Number(n) - 1} 1\n`)),
  'table with short rows': section((text) => text.replaceAll(' \n', '\n')),
  'table with spaces': section((text) => text.replace('xref\n', 'xref \n\n')),
  'trailer word wrong': section((text) => text.replace('trailer', 'trailor')),
  'trailer in a comment': section((text) => text.replace('trailer\n<<', 'trailer\n<<%\r/Root 9 0 R%\n')),
  'trailer twice': section((text) => text.replace('trailer\n<<', 'trailer\n<</Root 9 0 R>>\ntrailer\n<<')),
  'Root twice': section((text) => text.replace('<<', '<</Root 9 0 R ')),
  'Root in small letters': () => ({ trailer: '/root 9 0 R' }),
  'Root missing': section((text) => text.replace(/\/Root \d+ 0 R/, '')),
  'Prev with a point': prev('/Prev $1.0'),
  'Prev with a sign': prev('/Prev +$1'),
  'Prev by reference': prev('/Prev $1 0 R'),
  'Prev zero': prev('/Prev 0'),
  'Prev negative': prev('/Prev -1'),
  'Prev missing': prev(''),
  'Prev to the first': (base) => ({ prev: Number(/startxref\s+(\d+)/.exec(latin1Text(base))?.[1] ?? 0) }),
  'Prev to itself': (base) => ({ prev: startOf(base) }),
  'Prev twice': section((text) => text.replace('<<', '<</Prev 15 ')),
  'Size small': () => ({ size: 4 }),
  'Size large': () => ({ size: 900 }),
  'Size with a point': section((text) => text.replace(/\/Size (\d+)/, '/Size $1.0')),
  'startxref zero': () => ({ startxref: () => 0 }),
  'startxref of the signed state': (base) => ({
    startxref: () => Number([...latin1Text(base).matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1] ?? 0),
  }),
  'startxref one early': () => ({ startxref: (at) => at - 1 }),
  'startxref missing': () => ({ ending: '%%EOF\n' }),
  'end mark missing': (base) => ({ ending: `startxref\n${startOf(base)}\n` }),
  'end mark without a line': () => ({ lead: '%%EOF ' }),
  'words between': () => ({ lead: 'lixo\n' }),
  'other section in between': (base, { hidden }) => ({ lead: latin1Text(revise(base, { objects: hidden })).slice(startOf(base)) }),
  'Encrypt null': () => ({ trailer: '/Encrypt null' }),
  'ID other': () => ({ trailer: '/ID[<00><00>]' }),
  'Info other': () => ({ trailer: '/Info 9 0 R' }),
};

export function writeUpdate(base: Uint8Array, update: Update, free = freeNumber(base, update)): Uint8Array {
  const { objects, trick, root } = update;
  const entries = Object.entries(objects);
  if (update.split && entries.length > 1) {
    const middle = Math.ceil(entries.length / 2);
    const first = writeUpdate(base, { ...update, split: false, trick: null, objects: Object.fromEntries(entries.slice(0, middle)) }, free);
    return writeUpdate(first, { ...update, split: false, objects: Object.fromEntries(entries.slice(middle)) }, free + 2);
  }
  const extra = trick === null ? {} : (tricks[trick]?.(base, update) ?? {});
  const form = extra.form ?? update.form;
  const written = { form, ...(root === null ? {} : { root: `${root} 0 R` }), ...extra };
  if (!update.packed || form === 'table') return revise(base, { ...written, objects: { ...objects, ...extra.objects } });
  const inside = plain(objects);
  const holder = free;
  const outside = Object.fromEntries(entries.filter(([num]) => !inside.some(([one]) => one === Number(num))));
  const places = Object.fromEntries(inside.map(([num], index) => [num, { stream: holder, index }]));
  return revise(base, {
    ...written,
    size: holder + 1,
    objects: { ...outside, ...(inside.length > 0 ? { [holder]: objectStream(Object.fromEntries(inside)) } : {}), ...extra.objects },
    rows: { ...places, ...extra.rows },
  });
}

/** For an object stream: nobody has it, nobody gets it. */
function freeNumber(base: Uint8Array, { objects }: Update): number {
  const sizes = [...latin1Text(base).matchAll(/\/Size\s+(\d+)/g)].map(([, size]) => Number(size));
  return Math.max(0, ...sizes, ...Object.keys(objects).map((num) => Number(num) + 1));
}

export function rollForm(dice: Dice, signed: 'table' | 'stream'): Pick<Update, 'form' | 'packed' | 'split'> {
  const form = dice.chance(0.85) ? signed : dice.one(['table', 'stream'] as const);
  return { form, packed: form === 'stream' && dice.chance(0.4), split: dice.chance(0.1) };
}
