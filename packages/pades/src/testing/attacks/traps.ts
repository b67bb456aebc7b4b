import fc from 'fast-check';
import { at, contract, handMade } from './bases.ts';
import type { HandMade } from './bases.ts';
import type { AttackWorld } from './world.ts';
import { revise, streamText, withEntries } from './write-revision.ts';

/** Keys under which objects lead double lives: painted here, structure or metadata there. */
const keys = [
  'K',
  'Kids',
  'Metadata',
  'Extensions',
  'Names',
  'Nums',
  'DSS',
  'Obj',
  'Pg',
  'P',
  'Annots',
  'AP',
  'N',
  'V',
  'Length',
  'First',
  'Type',
  'Font',
];
const names = ['/Metadata', '/StructElem', '/ObjStm', '/XRef', '/Page', '/XObject', '/Form', '/DSS', '/Darken', '/Lighten'];

/** Numbers 50 to 58: some are defined when it is signed, some later, some never. */
const number = fc.integer({ min: 50, max: 58 });
const reference = number.map((num) => `${num} 0 R`);
const key = fc.constantFrom(...keys);

const value: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    { weight: 4, arbitrary: reference },
    { weight: 1, arbitrary: fc.constantFrom(...names, '(a)', '0', '1', '4 0 R', '10 0 R') },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(' ')}]`) },
    { weight: 4, arbitrary: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map(dictionary) },
  ),
})).value;

function dictionary(entries: [string, string][]): string {
  return `<<${[...new Map(entries)].map(([name, item]) => `/${name} ${item}`).join('')}>>`;
}

const stream = fc
  .tuple(fc.string({ maxLength: 12 }), fc.array(fc.tuple(key, value), { maxLength: 3 }))
  .map(([content, entries]) => streamText(content, dictionary(entries.filter(([name]) => name !== 'Length')).slice(2, -2)));

const objects = fc.dictionary(number.map(String), fc.oneof(value, stream), { minKeys: 2, maxKeys: 6 });
const named = fc.array(fc.tuple(key, reference), { maxLength: 4 }).map(dictionary);

/** A contract whose signed bytes are full of double lives and loose ends, and what is appended to it. */
export interface Trap {
  readonly prepared: HandMade;
  readonly update: Readonly<Record<string, string>>;
  readonly form: 'table' | 'stream';
}

export const trap: fc.Arbitrary<Trap> = fc
  .tuple(
    objects,
    objects,
    named,
    named,
    fc.option(reference),
    fc.option(reference),
    fc.option(reference),
    fc.constantFrom('table' as const, 'stream' as const),
  )
  .map(([before, update, graphics, painted, store, element, information, form]) => {
    const own = contract();
    const resources = `<</Font<</F1 5 0 R>>/XObject ${painted.replace('<<', '<</X1 10 0 R')}/ExtGState ${graphics}>>`;
    const catalog = store === null ? (own[at.catalog] ?? '') : withEntries(own[at.catalog] ?? '', `/DSS ${store}`);
    const structure = `<</Type/StructTreeRoot/K[14 0 R ${element ?? ''}]>>`;
    const prepared = { ...before, [at.resources]: resources, [at.catalog]: catalog, [at.structure]: structure };
    const trailer = `/Info ${information ?? '6 0 R'}`;
    return { prepared: { objects: prepared, trailer, form }, update, form };
  });

export async function setTrap({ prepared }: Trap, world: AttackWorld): Promise<Uint8Array> {
  return handMade(world, prepared);
}

export function springTrap(base: Uint8Array, { update, form }: Trap): Uint8Array {
  return revise(base, { objects: update, form });
}
