import { deflateSync } from 'node:zlib';
import { latin1Text } from '../../pdf/objects.ts';
import { at, contract, handMade } from './bases.ts';
import type { AttackWorld } from './world.ts';
import { revise, streamText } from './write-revision.ts';
import type { Row } from './write-revision.ts';

/** Signed files that are themselves small to send and costly to read, with an honest update behind. */
export const hostileDocuments: Readonly<Record<string, (world: AttackWorld) => Promise<Uint8Array>>> = {
  'thirty thousand objects without an end': (world) =>
    shown(
      world,
      many(30_000, () => '('),
    ),
  'strings that hold one another': (world) => {
    const count = 20_000;
    let lead = '';
    const rows: Record<number, Row> = {};
    for (let num = 1000; num < 1000 + count; num++) {
      rows[num] = { offset: 15 + lead.length };
      lead += `${num} 0 obj (text\n`;
    }
    lead += ')'.repeat(count) + '\n';
    return shown(world, { 900: `[${Object.keys(rows).map(asRef).join(' ')}]` }, { lead, rows });
  },
  'an object stream whose objects overlap': (world) => {
    const count = 30_000;
    const header = Array.from({ length: count }, (_, index) => `${1000 + index} ${index * 2}`).join(' ');
    const held = `${header} ${'[ '.repeat(100)}${'1 '.repeat(count)}${'] '.repeat(100)}`;
    const rows = Object.fromEntries(Array.from({ length: count }, (_, index) => [1000 + index, { stream: 50, index }]));
    const objects = {
      900: `[${Object.keys(rows).map(asRef).join(' ')}]`,
      50: packed(held, `/Type/ObjStm/N ${count}/First ${header.length + 1}`),
    };
    return shown(world, objects, { form: 'stream', rows });
  },
  'object streams that inflate a thousandfold, each asked for in turn': (world) => {
    const rows: Record<number, Row> = {};
    const objects: Record<number, string> = {};
    for (let stream = 0; stream < 40; stream++) {
      const numbers = Array.from({ length: 40 }, (_, index) => 2000 + index * 40 + stream);
      const header = numbers.map((num) => `${num} 0`).join(' ');
      objects[100 + stream] = packed(`${header} null${' '.repeat(4 << 20)}`, `/Type/ObjStm/N ${numbers.length}/First ${header.length + 1}`);
      numbers.forEach((num, index) => (rows[num] = { stream: 100 + stream, index }));
    }
    objects[900] = `[${Object.keys(rows).map(asRef).join(' ')}]`;
    return shown(world, objects, { form: 'stream', rows });
  },
  'slow filters over what inflates': (world) => {
    const rows: Record<number, Row> = {};
    const objects: Record<number, string> = {};
    const filters = '/Filter[/FlateDecode/ASCIIHexDecode/ASCII85Decode/LZWDecode]';
    const data = latin1Text(deflateSync(Buffer.alloc(40 << 20, '7a')));
    for (let stream = 0; stream < 40; stream++) {
      objects[100 + stream] = streamText(data, `/Type/ObjStm/N 1/First 8${filters}`);
      rows[2000 + stream] = { stream: 100 + stream, index: 0 };
    }
    objects[900] = `[${Object.keys(rows).map(asRef).join(' ')}]`;
    return shown(world, objects, { form: 'stream', rows });
  },
  'predictors of every size': (world) => {
    const rows: Record<number, Row> = {};
    const objects: Record<number, string> = {};
    for (const [index, columns] of [1, 3, 1e5, 2 ** 31, 1e15].entries()) {
      const parameters = `/DecodeParms<</Predictor 15/Columns ${columns}/Colors ${columns}/BitsPerComponent 16>>`;
      objects[100 + index] = packed('\u0004'.repeat(30 << 20), `/Type/ObjStm/N 1/First 8${parameters}`);
      rows[2000 + index] = { stream: 100 + index, index: 0 };
    }
    objects[900] = `[${Object.keys(rows).map(asRef).join(' ')}]`;
    return shown(world, objects, { form: 'stream', rows });
  },
  'a string of twenty million bytes': (world) => shown(world, { 900: `(${'\\\\a'.repeat(7 << 20)})` }),
  'an array of five million references': (world) => shown(world, { 900: `[${'900 0 R '.repeat(4 << 20)}]` }),
  'lengths that lie': (world) =>
    shown(
      world,
      many(20_000, (num) => `<</Length ${num * 1000}>>stream\nx`),
    ),
  'lengths that lead in a circle': (world) =>
    shown(
      world,
      many(20_000, (num) => `<</Length ${num + 1} 0 R>>stream\nx\nendstream`),
    ),
  'a page tree whose branches share their kids': (world) => {
    const objects = many(4000, () => '<</Type/Pages/Count 4000/Kids 901 0 R>>');
    return shown(world, { ...objects, 901: objects[900] ?? '', [at.pages]: '<</Type/Pages/Kids 901 0 R/Count 4000>>' });
  },
  'thousands of signatures of nothing': (world) => {
    const kids = many(
      20_000,
      (num) => `<</FT/Sig/T(s${num})/V<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange[0 ${num} ${num + 4} 9]/Contents<30>>>>>`,
    );
    const fields = contract()[at.form]?.replace('/Fields[', `/Fields[${numbersOf(kids).map(asRef).join(' ')} `) ?? '';
    return shown(world, { ...kids, [at.form]: fields });
  },
  'boxes over boxes': async (world) => {
    const widget = (num: number) => `<</Type/Annot/Subtype/Widget/FT/Tx/T(t${num})/V(x)/Rect[0 0 9 9]>>`;
    const old = many(6000, widget);
    const form = (lists: string) => contract()[at.form]?.replace('/Fields[', `/Fields[${lists} `) ?? '';
    const base = await shown(world, { ...old, [at.form]: form(numbersOf(old).map(asRef).join(' ')) });
    const fresh = Object.fromEntries(
      Array.from({ length: 6000 }, (_, index) => [
        20_000 + index,
        `<</Type/Annot/Subtype/Widget/FT/Sig/T(n${index})/Rect[100 100 200 200]>>`,
      ]),
    );
    return revise(base, { objects: { ...fresh, [at.form]: form([...numbersOf(old), ...numbersOf(fresh)].map(asRef).join(' ')) } });
  },
  'forty revisions that change everything': async (world) => {
    const objects = many(3000, (num) => `<</Name(${num})>>`);
    let bytes = await shown(world, objects);
    for (let turn = 0; turn < 40; turn++) bytes = revise(bytes, { objects: many(3000, (num) => `<</Name(${num} ${turn})>>`) });
    return bytes;
  },
};

const first = 1000;

function many(count: number, text: (num: number) => string): Record<number, string> {
  const numbers = Array.from({ length: count }, (_, index) => first + index);
  return { 900: `[${numbers.map(asRef).join(' ')}]`, ...Object.fromEntries(numbers.map((num) => [num, text(num)])) };
}

function numbersOf(objects: Readonly<Record<number, string>>): number[] {
  return Object.keys(objects)
    .map(Number)
    .filter((num) => num >= first);
}

function asRef(num: number | string): string {
  return `${num} 0 R`;
}

function packed(text: string, entries: string): string {
  return streamText(latin1Text(deflateSync(Buffer.from(text, 'latin1'))), `${entries}/Filter/FlateDecode`);
}

/** The contract with these objects, reached from the catalog, signed, and an update behind that makes the verifier compare. */
async function shown(world: AttackWorld, objects: Record<number, string>, more: Parameters<typeof handMade>[1] = {}): Promise<Uint8Array> {
  const catalog = contract()[at.catalog]?.replace(/>>$/, '/Extra 900 0 R>>') ?? '';
  const base = await handMade(world, { ...more, objects: { [at.catalog]: catalog, ...objects } });
  return revise(base, { objects: { [at.free]: '<<>>' } });
}
