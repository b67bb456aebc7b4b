import fc from 'fast-check';
import { at, contract, handMade, objectStream, sign } from './bases.ts';
import type { AttackWorld } from './world.ts';
import { objectText, revise, streamText, withEntries } from './write-revision.ts';
import type { RevisionText } from './write-revision.ts';

/** A file before and after somebody went on with it: honest or not, by grammar. */
export interface Story {
  readonly name: string;
  make(world: AttackWorld): Promise<{ base: Uint8Array; file: Uint8Array }>;
}

const own = contract();
const look = (text: string, colour: string): string =>
  streamText(
    `${colour} rg 0 0 400 60 re f 0 g BT /F1 18 Tf 10 20 Td (${text}) Tj ET`,
    '/Type/XObject/Subtype/Form/BBox[0 0 400 60]/Resources 7 0 R',
  );
const before = look('antes', '1 1 0');
const after = look('depois', '0 1 1');

const kinds = {
  text: '/FT/Tx',
  closed: '/FT/Tx/Ff 1',
  button: '/FT/Btn/Ff 65536',
  box: '/FT/Btn',
  choice: '/FT/Ch/Opt[(a)(b)]',
  signature: '/FT/Sig',
  note: '/FT/Tx/T(x)/Subtype/FreeText',
} as const;
const flags = fc.constantFrom(0, 1, 2, 4, 6, 32, 34, 36, 132, 288, 292, 512);
const looks = fc.constantFrom('/AP<</N 51 0 R>>', '/AP 52 0 R', '/AP<</N<</Sim 51 0 R/Off 53 0 R>>>>/AS/Off', '');
const value = fc.constantFrom('', '/V()', '/V(a)', '/V/Off');

/** The uploader's trap: a field with a look, that may be somebody else's too, and a second one over or under it. */
const trap = fc.record({
  kind: fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])),
  flags,
  looks,
  value,
  sharing: fc.constantFrom('nobody', 'pictures', 'stamp', 'field'),
  below: fc.boolean(),
});

type Trap = typeof trap extends fc.Arbitrary<infer T> ? T : never;

const change = fc.oneof(
  flags.map((to) => ({ name: `flags ${to}`, field: (text: string) => text.replace(/\/F \d+/, `/F ${to}`), more: {} })),
  fc.constantFrom('/V(x)', '/V/Sim', '/V 60 0 R', '/V 40 0 R').map((to) => ({
    name: `value ${to}`,
    field: (text: string) => withEntries(text.replace(/\/V(\([^)]*\)|\/\w+)/, ''), to),
    more: {},
  })),
  fc.constantFrom('51', '52').map((num) => ({
    name: `look ${num} in place`,
    field: (text: string) => text,
    more: { [Number(num)]: num === '51' ? after : '<</N 60 0 R>>' },
  })),
  fc.constant({ name: 'another look', field: (text: string) => text.replace(/51 0 R/, '60 0 R'), more: {} }),
  fc.constant({ name: 'ticked', field: (text: string) => text.replace('/AS/Off', '/AS/Sim'), more: {} }),
  fc
    .constantFrom('/Rect[50 500 450 560]', '/MK<</BG[1 0 0]>>', '/BS<</W 9>>', '/DA(/F1 40 Tf 1 0 0 rg)', '/Ff 0', '/OC 60 0 R')
    .map((to) => ({
      name: `entry ${to}`,
      field: (text: string) =>
        withEntries(
          text.replace(/\/Rect\[[^\]]*\]/, (found) => (to.startsWith('/Rect') ? '' : found)),
          to,
        ),
      more: {},
    })),
);

const list = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.replace('54 0 R 50 0 R', '50 0 R 54 0 R'),
  (text: string) => text.replace('54 0 R 50 0 R', '54 0 R 50 0 R 54 0 R'),
  (text: string) => text.replace('54 0 R 50 0 R', '54 0 R'),
  (text: string) => withEntries(text, '/Rotate 90'),
  (text: string) => text.replace('/Contents 4 0 R', '/Contents 11 0 R'),
  (text: string) => text.replace('/Contents 4 0 R', '/Contents 11 0 R/Contents 4 0 R'),
);

/** How the update is written down. */
const spelling: fc.Arbitrary<{ name: string; more: RevisionText }> = fc.constantFrom<{ name: string; more: RevisionText }>(
  { name: 'plain', more: {} },
  { name: 'stream', more: { form: 'stream' } },
  { name: 'second value', more: { tail: `${at.content} 0 obj\n${after}\nendobj\n` } },
  { name: 'unlisted', more: { unlisted: [50] } },
  { name: 'beside', more: { trailer: '/XRefStm 15' } },
  { name: 'prev of a real', more: { section: (text) => text.replace(/\/Prev (\d+)/, '/Prev $1.0') } },
  { name: 'stream holds a page', more: { objects: { 62: objectStream({ [at.page]: own[at.page] ?? '' }) } } },
);

/** Who signs in that revision, if anybody. */
const hand = fc.constantFrom('nobody', 'nobody', 'rui', 'before');

export const story: fc.Arbitrary<Story> = fc
  .tuple(trap, fc.array(change, { maxLength: 3 }), list, spelling, hand)
  .map(([one, changes, listed, { name, more }, who]) => ({
    name: `${JSON.stringify(one)}; ${changes.map((step) => step.name).join(', ')}; ${String(listed).slice(18, 90)}; ${name}; ${who}`,
    async make(world) {
      const base = await set(one, world);
      const field = changes.reduce((text, step) => step.field(text), objectText(base, 50));
      const objects = { 50: field, 60: after, ...Object.assign({}, ...changes.map((step) => step.more)), ...more.objects };
      const page = listed(objectText(base, at.page));
      const start = who === 'before' ? await sign(base, world, 'rui') : base;
      const file = revise(start, { ...more, objects: page === objectText(start, at.page) ? objects : { ...objects, [at.page]: page } });
      return { base, file: who === 'rui' ? await sign(file, world, 'rui') : file };
    },
  }));

function set({ kind, flags: shown, looks: dress, value: says, sharing, below }: Trap, world: AttackWorld): Promise<Uint8Array> {
  const widget = `<</Type/Annot/Subtype/Widget/T(campo)/F ${shown}/P 3 0 R/Rect[50 600 450 660]${kinds[kind]}${says}${dress}>>`;
  const stamp = `<</Type/Annot/Subtype/Stamp/F 4/Rect[${below ? '40 590 460 670' : '300 500 400 560'}]/AP<</N 55 0 R>>>>`;
  const page = (own[at.page] ?? '').replace('/Annots[', '/Annots[54 0 R 50 0 R ');
  const resources = (own[at.resources] ?? '').replace(
    '/XObject<</X1 10 0 R>>',
    sharing === 'pictures' ? '/XObject 52 0 R' : '/XObject<</X1 10 0 R>>',
  );
  return handMade(world, {
    objects: {
      [at.form]: (own[at.form] ?? '').replace('/Fields[', '/Fields[50 0 R '),
      [at.page]: page,
      [at.resources]: resources,
      [at.content]: streamText('BT /F1 24 Tf 60 700 Td (Valor: 100,00) Tj ET /N Do'),
      [at.fixed]: sharing === 'field' ? (own[at.fixed] ?? '').replace('25 0 R', '51 0 R') : (own[at.fixed] ?? ''),
      50: widget,
      51: before,
      52: '<</N 51 0 R>>',
      53: streamText('', '/Type/XObject/Subtype/Form/BBox[0 0 400 60]'),
      54: sharing === 'stamp' ? stamp.replace('55 0 R', '51 0 R') : stamp,
      55: look('nota', '0.8 1 0.8'),
    },
  });
}
