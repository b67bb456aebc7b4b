import { at, contract, objectStream } from '../attacks/bases.ts';
import { fillSignature, signatureText } from '../attacks/forge-signature.ts';
import type { AttackWorld } from '../attacks/world.ts';
import { revise, streamText } from '../attacks/write-revision.ts';
import type { Dice } from './dice.ts';
import { Draft } from './draft.ts';

/** A file that ana signed, as text: everything in it was put there by the uploader, honest or not. */
export interface DocumentSpec {
  /** How it differs from the contract. */
  readonly objects: Readonly<Record<number, string>>;
  readonly form: 'table' | 'stream';
  /** Numbers of objects that stand in an object stream. */
  readonly packed: readonly number[];
  readonly certified: 0 | 1 | 2 | 3;
}

const signatureNumber = 40;
export const containerNumber = 45;

/** All objects as they stand in the signed file. */
export function objectsOf({ objects, certified }: DocumentSpec): Map<number, string> {
  const draft = new Draft(new Map(Object.entries({ ...contract(), ...objects }).map(([num, text]) => [Number(num), text])));
  draft.put(at.ana, 'V', `${signatureNumber} 0 R`);
  if (certified > 0) draft.put(at.catalog, 'Perms', `<</DocMDP ${signatureNumber} 0 R>>`);
  return new Map(draft.numbers().map((num) => [num, draft.text(num)]));
}

export async function makeDocument(spec: DocumentSpec, world: AttackWorld): Promise<Uint8Array> {
  const all = objectsOf(spec);
  const parameters = `<</Type/TransformParams/V/1.2/P ${spec.certified}>>`;
  const entries = spec.certified === 0 ? '' : `/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams${parameters}>>]`;
  const packed = Object.fromEntries(spec.packed.map((num) => [num, all.get(num) ?? 'null']));
  for (const num of spec.packed) all.delete(num);
  if (spec.packed.length > 0) all.set(containerNumber, objectStream(packed));
  const text = revise(new Uint8Array(), {
    objects: { ...Object.fromEntries(all), [signatureNumber]: signatureText({ entries }) },
    rows: Object.fromEntries(spec.packed.map((num, index) => [num, { stream: containerNumber, index }])),
    form: spec.form,
    trailer: '/Info 6 0 R',
    prev: null,
  });
  return fillSignature(text, world.ana);
}

const form = '/Type/XObject/Subtype/Form/BBox[0 0 400 60]';
export function lookText(text: string, colour: string, entries = '/Resources 7 0 R'): string {
  return streamText(`${colour} rg 0 0 400 60 re f 0 g BT /F1 18 Tf 10 20 Td (${text}) Tj ET`, form + entries);
}

const kinds = {
  text: '/FT/Tx',
  'text with lines': '/FT/Tx/Ff 4096',
  comb: '/FT/Tx/Ff 16777216/MaxLen 10',
  closed: '/FT/Tx/Ff 1',
  button: '/FT/Btn/Ff 65536',
  box: '/FT/Btn',
  radio: '/FT/Btn/Ff 49152',
  choice: '/FT/Ch/Opt[(a)(b)]',
  list: '/FT/Ch/Ff 131072/Opt[(a)(b)]/TI 0',
  signature: '/FT/Sig',
  note: '/FT/Tx/T(x)/Subtype/FreeText',
  nothing: '',
} as const;
export const flagValues = [0, 1, 2, 4, 4, 32, 288, 6, 12, 20, 32, 34, 36, 64, 68, 128, 132, 256, 260, 288, 292, 512, 516];
const places = ['50 600 450 660', '50 690 450 750', '0 0 595 842', '60 500 210 540', '100 620 300 640', '0 0 0 0'];
const more = [
  '',
  '',
  '/MK<</BG[1 1 0]>>',
  '/MK<</BC[1 0 0]/CA(x)>>/BS<</W 4>>',
  '/DA(/F1 20 Tf 1 0 0 rg)',
  '/DA(/F9 20 Tf 0 g)',
  '/C[1 0 0]/Border[0 0 5]',
];

/** One thing that stands in a file and may be a trap. */
type Plant = (draft: Draft, dice: Dice) => void;

function pageOf(dice: Dice): number {
  return dice.chance(0.8) ? at.page : at.secondPage;
}

/** On top of the others or below them. */
function lay(draft: Draft, page: number, num: number, dice: Dice): void {
  const items = draft.list(page, 'Annots');
  draft.putList(page, 'Annots', dice.chance(0.5) ? [...items, `${num} 0 R`] : [`${num} 0 R`, ...items]);
}

/** The look of something: its own, somebody else's, by states, under names that more than one uses. */
function dress(draft: Draft, dice: Dice): string {
  const own = draft.add(lookText('antes', '1 1 0', dice.one(['/Resources 7 0 R', '', '/Resources<</Font<</F1 5 0 R>>>>'])));
  const empty = draft.add(streamText('', form));
  const states = `<</Sim ${own} 0 R/Off ${empty} 0 R>>`;
  return dice.one([
    () => `/AP<</N ${own} 0 R>>`,
    () => `/AP ${draft.add(`<</N ${own} 0 R>>`)} 0 R`,
    () => `/AP<</N ${states}>>/AS/Off`,
    () => `/AP<</N ${draft.add(states)} 0 R>>/AS/Off`,
    () => `/AP<</N ${empty} 0 R/D ${own} 0 R/R ${own} 0 R>>`,
    () => `/AP<</N ${at.fixedLook} 0 R>>`,
    () => `/AP<</N ${at.image} 0 R>>`,
    () => '',
    () => '',
  ])();
}

const field: Plant = (draft, dice) => {
  const kind = dice.one(Object.keys(kinds) as (keyof typeof kinds)[]);
  const value = dice.one(['', '', '/V()', '/V(a)', '/V/Off', '/V null', '/DV(a)', '/RV(a)']);
  const page = pageOf(dice);
  const shown = (): string =>
    `/Type/Annot/Subtype/Widget/F ${dice.one(flagValues)}/P ${page} 0 R/Rect[${dice.one(places)}]${dress(draft, dice)}${dice.one(more)}`;
  const named = `/T(campo${draft.numbers().length})${kinds[kind]}${value}`;
  const num = draft.add('null');
  const isFamily = dice.chance(0.3);
  if (isFamily) {
    const kids = [1, 2].map(() => draft.add(`<</Parent ${num} 0 R${shown()}>>`));
    draft.set(num, `<<${named}/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`);
    for (const kid of kids) lay(draft, page, kid, dice);
  } else {
    draft.set(num, `<<${named}${shown()}>>`);
    if (dice.chance(0.9)) lay(draft, page, num, dice);
  }
  draft.putList(at.form, 'Fields', [...draft.list(at.form, 'Fields'), `${num} 0 R`]);
};

export const subtypes = [
  'Stamp',
  'FreeText',
  'Square',
  'Link',
  'Popup',
  'Text',
  'Redact',
  'Screen',
  'Highlight',
  'Line',
  'Watermark',
  'PrinterMark',
  'TrapNet',
  'Foo',
];

const annotation: Plant = (draft, dice) => {
  const extra = dice.one(['', '/IC[1 0 1]/C[0 0 1]', '/Contents(nota)/DA(/F1 12 Tf 0 g)', `/OC ${at.info} 0 R`, `/Popup ${at.link} 0 R`]);
  const text = `<</Type/Annot/Subtype/${dice.one(subtypes)}/F ${dice.one(flagValues)}/Rect[${dice.one(places)}]${dress(draft, dice)}${extra}>>`;
  lay(draft, pageOf(dice), draft.add(text), dice);
};

const content: Plant = (draft, dice) => {
  const text = 'BT /F1 24 Tf 60 700 Td (Valor: 100,00) Tj ET';
  const spare = Math.max(59, ...draft.numbers()) + 40;
  dice.one([
    () => draft.set(at.content, streamText(`${text} /N Do /X1 Do`)),
    () => draft.put(at.page, 'Contents', `[${at.content} 0 R ${spare} 0 R]`),
    () => draft.put(at.page, 'Contents', `${draft.add(`[${at.content} 0 R ${at.secondContent} 0 R]`)} 0 R`),
    () => draft.set(at.content, streamText(`${text} BT /F9 24 Tf 60 300 Td (Outra) Tj ET`)),
    () => draft.set(at.content, streamText(`/Span<</ActualText(Valor: 100,00)/MCID 0>>BDC ${text} EMC`)),
    () => draft.set(at.content, `<</Length ${draft.add(String(text.length))} 0 R>>\nstream\n${text}\nendstream`),
    () => draft.set(at.content, streamText('0 0 400 60 re W n /G1 gs 1 0 0 rg 0 0 300 300 re f /P1 sh')),
  ])();
};

const layer: Plant = (draft, dice) => {
  const group = draft.add('<</Type/OCG/Name(Camada)/Usage<</Print<</PrintState/OFF>>/View<</ViewState/ON>>>>>>');
  const state = draft.add(`<</Name(x)${dice.one(['/ON[', '/OFF['])}${group} 0 R]/Order[${group} 0 R]>>`);
  draft.put(at.catalog, 'OCProperties', `<</OCGs[${group} 0 R]/D ${state} 0 R>>`);
  draft.put(at.resources, 'Properties', `<</L1 ${group} 0 R>>`);
  draft.set(at.secondContent, streamText('/OC /L1 BDC BT /F1 24 Tf 60 600 Td (Camada) Tj ET EMC'));
};

const pageTree: Plant = (draft, dice) => {
  dice.one([
    () => draft.put(at.pages, 'Resources', `${at.resources} 0 R`),
    () => draft.put(at.pages, 'Rotate', '90'),
    () => draft.put(at.page, 'Rotate', '180'),
    () => draft.put(at.pages, 'Kids', `${draft.add('[3 0 R 9 0 R]')} 0 R`),
    () => draft.put(at.page, 'Annots', `${draft.add(draft.get(at.page, 'Annots') ?? '[]')} 0 R`),
    () => {
      const list = draft.add(draft.get(at.page, 'Annots') ?? '[]');
      for (const page of [at.page, at.secondPage]) draft.put(page, 'Annots', `${list} 0 R`);
    },
    () => draft.put(at.page, 'UserUnit', '1'),
    () => draft.put(at.page, 'Group', '<</S/Transparency/CS/DeviceRGB>>'),
  ])();
};

const catalog: Plant = (draft, dice) => {
  const store = (inside: string): void => draft.put(at.catalog, 'DSS', `${draft.add(inside)} 0 R`);
  dice.one([
    () => store(`<</Certs[${at.content} 0 R ${at.image} 0 R]>>`),
    () => store(`<</Certs ${at.resources} 0 R/VRI<</X ${at.page} 0 R>>>>`),
    () => draft.put(at.catalog, 'Extensions', `<</ADBE ${at.font} 0 R>>`),
    () => draft.put(at.catalog, 'Names', `<</EmbeddedFiles<</Names[(a) ${at.image} 0 R]>>>>`),
    () => draft.put(at.catalog, 'OpenAction', `[${at.page} 0 R/Fit]`),
    () => draft.put(at.catalog, 'AcroForm', draft.text(at.form)),
    () => draft.put(at.form, 'NeedAppearances', 'true'),
    () => draft.put(at.form, 'DR', `${at.resources} 0 R`),
    () => draft.put(at.form, 'Fields', `${draft.add(draft.get(at.form, 'Fields') ?? '[]')} 0 R`),
  ])();
};

/** What readers do not paint, written so that it is what they paint: an object with two roles. */
const twoRoles: Plant = (draft, dice) => {
  const quiet = [
    'Metadata',
    'StructTreeRoot',
    'AP',
    'DR',
    'V',
    'Kids',
    'Parent',
    'P',
    'K',
    'MK',
    'N',
    'DSS',
    'Popup',
    'Lock',
    'Opt',
    'A',
    'AA',
    'PieceInfo',
  ];
  const owners = draft.numbers().filter((num) => num !== at.ana && draft.isDictionary(num));
  const painted = [
    at.image,
    at.content,
    at.resources,
    at.font,
    at.page,
    at.secondPage,
    at.secondContent,
    at.fixedLook,
    at.fixed,
    at.link,
    at.boxOfAna,
  ];
  const [owner, key] = [dice.one(owners), dice.one(quiet)];
  if (dice.chance(0.5)) return draft.put(owner, key, `${dice.one(painted)} 0 R`);
  const others = draft.numbers().filter((num) => num >= 50 && draft.isDictionary(num));
  if (others.length > 0) draft.put(at.resources, dice.one(['XObject', 'Font', 'ExtGState', 'Properties']), `${dice.one(others)} 0 R`);
};

const plants: readonly (readonly [weight: number, plant: Plant])[] = [
  [4, field],
  [2, annotation],
  [1, content],
  [0.5, layer],
  [1, pageTree],
  [1, catalog],
  [1.5, twoRoles],
];

/** A contract with some of all that. */
export function rollDocument(dice: Dice): DocumentSpec {
  const own = contract();
  const draft = new Draft(new Map(Object.entries(own).map(([num, text]) => [Number(num), text])));
  const total = plants.reduce((sum, [weight]) => sum + weight, 0);
  for (let count = dice.number(5); count > 0; count--) {
    let roll = (dice.number(1000) / 1000) * total;
    plants.find(([weight]) => (roll -= weight) < 0)?.[1](draft, dice);
  }
  return wrapped(Object.fromEntries(draft.written), dice);
}

/** Ways in which the same objects stand in a file. */
export function wrapped(objects: Readonly<Record<number, string>>, dice: Dice): DocumentSpec {
  const draft = objectsOf({ objects, form: 'table', packed: [], certified: 0 });
  const form = dice.chance(0.6) ? 'table' : 'stream';
  const plain = [...draft].filter(([num, text]) => num !== at.ana && !/\bstream[\r\n]/.test(text)).map(([num]) => num);
  const packed = form === 'stream' && dice.chance(0.6) ? dice.some(plain, 0.5) : [];
  return { objects, form, packed, certified: dice.one([0, 0, 0, 0, 0, 0, 1, 2, 2, 3] as const) };
}
