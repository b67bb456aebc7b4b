import { at } from '../attacks/bases.ts';
import { streamText } from '../attacks/write-revision.ts';
import type { Dice } from './dice.ts';
import { flagValues, lookText, subtypes } from './documents.ts';
import { entriesOf, itemsOf, numberIn } from './draft.ts';
import type { Draft } from './draft.ts';

/** What part of a file a revision touches: the report counts by these. */
export const kinds = [
  'section',
  'object',
  'stream',
  'annotation',
  'field',
  'page',
  'catalog',
  'validation data',
  'timestamp',
  'signature',
  'honest',
] as const;
export type Kind = (typeof kinds)[number];

/** A change to the objects of a file. */
export type Edit = (draft: Draft, dice: Dice) => void;

export const evilText = 'BT /F1 24 Tf 60 700 Td (Valor: 900,00) Tj ET';
const evilLook = (): string => lookText('depois', '0 1 1');
const pages = [at.page, at.page, at.page, at.secondPage];

/** Everything that a page lists as an annotation. */
function annotationsOf(draft: Draft): number[] {
  return [at.page, at.secondPage].flatMap((page) => draft.list(page, 'Annots').map(numberIn)).filter((num) => num > 0);
}

function anyAnnotation(draft: Draft, dice: Dice): number {
  const own = annotationsOf(draft).filter((num) => num > 49);
  return own.length > 0 && dice.chance(0.7) ? dice.one(own) : dice.one([...annotationsOf(draft), at.fixed]);
}

/** Streams and dictionaries that dress something. */
function looksOf(draft: Draft): number[] {
  const found = new Set<number>();
  const follow = (text: string, depth: number): void => {
    for (const [, num] of text.matchAll(/(\d+) 0 R/g)) {
      const target = Number(num);
      if (found.has(target) || depth > 2) continue;
      found.add(target);
      if (!draft.isStream(target)) follow(draft.text(target), depth + 1);
    }
  };
  for (const num of annotationsOf(draft)) follow(draft.get(num, 'AP') ?? '', 0);
  return [...found];
}

const reorder: Edit = (draft, dice) => {
  const page = dice.one(pages);
  const items = draft.list(page, 'Annots');
  if (items.length === 0) return;
  const [from, to] = [dice.number(items.length), dice.number(items.length)];
  const moved = [...items];
  dice.one([
    () => moved.splice(to, 0, ...moved.splice(from, 1)),
    () => moved.reverse(),
    () => moved.splice(to, 0, items[from] ?? ''),
    () => moved.splice(from, 1),
    () => moved.splice(to, 0, 'null'),
    () => moved.splice(to, 0, dice.one(draft.list(at.page, 'Annots'))),
    () => moved.splice(from, 1, draft.text(numberIn(items[from]))),
  ])();
  draft.putList(page, 'Annots', moved);
};

const newAnnotation: Edit = (draft, dice) => {
  const page = dice.one(pages);
  const look = dice.chance(0.7) ? `/AP<</N ${draft.add(evilLook())} 0 R>>` : '/IC[1 1 0]/C[1 0 0]/Contents(nota)/DA(/F1 20 Tf 0 g)';
  const type = dice.one([...subtypes, 'Widget', 'Widget']);
  const num = draft.add(`<</Type/Annot/Subtype/${type}/F ${dice.one(flagValues)}/P ${page} 0 R/Rect[50 690 450 750]${look}>>`);
  draft.putList(page, 'Annots', [...draft.list(page, 'Annots'), `${num} 0 R`]);
};

/** One of the flags as often as another word: print, hidden, NoView, invisible, ToggleNoView, Locked, LockedContents, NoZoom, ReadOnly. */
const bits = [4, 4, 4, 2, 2, 32, 32, 1, 256, 128, 512, 8, 64];

const flags: Edit = (draft, dice) => {
  const num = anyAnnotation(draft, dice);
  const turned = Number(draft.get(num, 'F') ?? 0) ^ dice.one(bits);
  draft.put(num, 'F', dice.chance(0.7) ? String(turned) : dice.one([...flagValues.map(String), '4.0', '-4', 'null', '+36']));
};

const state: Edit = (draft, dice) =>
  draft.put(anyAnnotation(draft, dice), 'AS', dice.one(['/Sim', '/Off', '/N', 'null', '(Sim)', '/Outra']));

const otherLook: Edit = (draft, dice) => {
  const fresh = draft.add(dice.chance(0.8) ? evilLook() : `<</Sim ${draft.add(evilLook())} 0 R>>`);
  const looks = [
    `<</N ${fresh} 0 R>>`,
    `<</N<</Sim ${fresh} 0 R/Off ${fresh} 0 R>>>>`,
    `<</D ${fresh} 0 R>>`,
    `${draft.add(`<</N ${fresh} 0 R>>`)} 0 R`,
    `<</N ${at.fixedLook} 0 R>>`,
  ];
  draft.put(anyAnnotation(draft, dice), 'AP', dice.one(looks));
};

const lookInPlace: Edit = (draft, dice) => {
  const looks = looksOf(draft);
  if (looks.length === 0) return;
  const num = dice.one(looks);
  if (draft.isStream(num)) draft.set(num, evilLook());
  else draft.set(num, `<</N ${draft.add(evilLook())} 0 R/Sim ${draft.add(evilLook())} 0 R>>`);
};

const annotationEntry: Edit = (draft, dice) => {
  const entries = [
    ['Rect', '[50 690 450 750]'], ['Rect', '[0 0 0 0]'], ['OC', `${at.info} 0 R`], ['Border', '[0 0 9]'], ['C', '[1 0 0]'],
    ['BS', '<</W 9/S/S>>'], ['MK', '<</BG[1 0 0]/R 90>>'], ['Subtype', '/Stamp'], ['Subtype', '/Widget'], ['Contents', '(outra)'], ['IC', '[1 0 0]'],
    ['Popup', `${at.fixed} 0 R`], ['Parent', `${at.fixed} 0 R`], ['P', `${at.secondPage} 0 R`], ['A', '<</S/URI/URI(x)>>'], ['AA', '<</E<</S/Named/N/Print>>>>'],
    ['NM', '(x)'], ['M', "(D:20260101000000Z)"], ['StructParent', '3'], ['CA', '0'], ['BM', '/Multiply'], ['H', '/N'], ['Lock', '<</Type/SigFieldLock/Action/All>>'],
  ] as const; // prettier-ignore
  const [key, value] = dice.one(entries);
  draft.put(anyAnnotation(draft, dice), key, dice.chance(0.85) ? value : null);
};

function anyField(draft: Draft, dice: Dice): number {
  const fields = draft
    .list(at.form, 'Fields')
    .map(numberIn)
    .filter((num) => num > 0 && num !== at.ana);
  const own = fields.filter((num) => num > 49);
  return own.length > 0 && dice.chance(0.7) ? dice.one(own) : dice.one([...fields, at.open]);
}

/** The field itself and what shows it. */
function family(draft: Draft, num: number): number[] {
  return [num, ...draft.list(num, 'Kids').map(numberIn)].filter((one) => one > 0);
}

const values = ['(x)', '(Valor: 900,00)', '()', '/Sim', '/Off', 'null', '[(a)(b)]', '<78>', '1', 'true', '<<>>'];

const fill: Edit = (draft, dice) => {
  const num = anyField(draft, dice);
  const value = dice.chance(0.8) ? dice.one(values) : `${draft.add(dice.chance(0.5) ? '(x)' : evilLook())} 0 R`;
  draft.put(dice.chance(0.9) ? num : dice.one(family(draft, num)), 'V', value);
  for (const one of family(draft, num)) {
    if (dice.chance(0.4)) draft.put(one, 'AS', value.startsWith('/') ? value : '/Sim');
    if (dice.chance(0.4)) draft.put(one, 'AP', `<</N ${draft.add(evilLook())} 0 R>>`);
    const look = numberIn(entriesOf(draft.get(one, 'AP') ?? '').entries.get('N') ?? draft.get(one, 'AP'));
    if (dice.chance(0.3) && look > 0 && draft.isStream(look)) draft.set(look, evilLook());
    if (dice.chance(0.2)) draft.put(one, 'F', dice.one(['4', '36', '132', '0', '6']));
    if (dice.chance(0.1)) draft.put(one, 'DA', '(/F1 40 Tf 1 0 0 rg)');
    if (dice.chance(0.1))
      draft.put(one, dice.one(['Q', 'I', 'TI', 'RV', 'DS', 'M', 'Ff', 'MK', 'DR']), dice.one(['1', '[0]', '(x)', '<<>>', 'null']));
  }
};

const fieldEntry: Edit = (draft, dice) => {
  const entries = [
    ['FT', '/Tx'], ['FT', '/Btn'], ['FT', '/Sig'], ['Ff', '0'], ['Ff', '1'], ['Ff', '4096'], ['Ff', '65536'], ['Ff', '65537'], ['T', '(outro)'], ['TU', '(outro)'],
    ['TM', '(outro)'], ['MaxLen', '3'], ['Opt', '[(c)(d)]'], ['DV', '(d)'], ['DA', '(/F1 40 Tf 1 0 0 rg)'], ['Q', '2'], ['MK', '<</BG[1 0 0]/BC[0 0 1]>>'], ['BS', '<</W 9>>'],
    ['Kids', `[${at.fixed} 0 R]`], ['Parent', `${at.open} 0 R`], ['Lock', '<</Type/SigFieldLock/Action/All>>'], ['SV', '<<>>'], ['DR', `${at.resources} 0 R`], ['TI', '1'], ['I', '[1]'],
  ] as const; // prettier-ignore
  const [key, value] = dice.one(entries);
  const num = dice.one(family(draft, anyField(draft, dice)));
  draft.put(num, key, dice.chance(0.85) ? value : null);
};

const newField: Edit = (draft, dice) => {
  const page = dice.one(pages);
  const type = dice.one(['/FT/Tx/V(Valor: 900,00)/DA(/F1 20 Tf 0 g)', '/FT/Btn', '/FT/Sig', '/FT/Sig', '/FT/Ch', '']);
  const look = dice.one([`/AP<</N ${draft.add(evilLook())} 0 R>>`, '', '/MK<</BG[1 0 0]>>', '/Border[0 0 5]/C[1 0 0]']);
  const parent = dice.chance(0.15) ? `/Parent ${anyField(draft, dice)} 0 R` : '';
  const rect = dice.one(['50 690 450 750', '0 0 0 0', '400 300 500 340']);
  const text = `<</Type/Annot/Subtype/Widget/T(${dice.one(['nova', 'livre', 'ana'])})${type}/F ${dice.one(flagValues)}/P ${page} 0 R/Rect[${rect}]${look}${parent}>>`;
  const num = draft.add(text);
  draft.putList(at.form, 'Fields', [...draft.list(at.form, 'Fields'), `${num} 0 R`]);
  if (dice.chance(0.9)) draft.putList(page, 'Annots', [...draft.list(page, 'Annots'), `${num} 0 R`]);
};

const formEntry: Edit = (draft, dice) => {
  const font = draft.add('<</Type/Font/Subtype/Type1/BaseFont/Courier-Bold>>');
  const items = draft.list(at.form, 'Fields');
  dice.one([
    () => draft.put(at.form, 'NeedAppearances', dice.one(['true', 'false', 'null'])),
    () => draft.put(at.form, 'DA', '(/F1 40 Tf 1 0 0 rg)'),
    () => draft.put(at.form, 'DR', `<</Font<</F1 ${font} 0 R/F9 ${font} 0 R>>>>`),
    () => draft.put(at.form, 'DR', `<</Font<</F1 ${at.font} 0 R/F9 ${font} 0 R>>>>`),
    () => draft.put(at.form, 'Q', '2'),
    () => draft.put(at.form, 'SigFlags', dice.one(['0', '1', '3', '7'])),
    () => draft.put(at.form, 'CO', `[${at.fixed} 0 R]`),
    () => draft.put(at.form, 'XFA', `${draft.add(streamText('<xdp/>'))} 0 R`),
    () => draft.putList(at.form, 'Fields', items.toReversed()),
    () => draft.putList(at.form, 'Fields', items.slice(1)),
    () => draft.putList(at.form, 'Fields', [...items, items[0] ?? 'null']),
  ])();
};

const pageEntry: Edit = (draft, dice) => {
  const page = dice.one(pages);
  const stream = draft.add(streamText(evilText));
  const resources = draft.add(draft.text(at.resources));
  const entries = [
    ['Contents', `${stream} 0 R`], ['Contents', `[${at.content} 0 R ${stream} 0 R]`], ['Contents', `[${at.content} 0 R]`], ['Contents', `${at.secondContent} 0 R`],
    ['Resources', `${resources} 0 R`], ['Resources', '<<>>'], ['Resources', `<</Font<</F1 ${stream} 0 R>>>>`], ['Rotate', '90'], ['Rotate', '360'], ['Rotate', '0'], ['MediaBox', '[0 0 300 300]'],
    ['MediaBox', '[0 0 595 842]'], ['CropBox', '[0 0 300 300]'], ['CropBox', '[0 0 595 842]'], ['UserUnit', '2'], ['Group', '<</S/Transparency/I true/K true>>'], ['Tabs', '/S'], ['AA', '<</O<</S/Named/N/Print>>>>'],
    ['Thumb', `${at.image} 0 R`], ['Trans', '<</S/Wipe>>'], ['Dur', '1'], ['PieceInfo', '<<>>'], ['Metadata', `${at.metadata} 0 R`], ['Parent', `${draft.catalog} 0 R`], ['B', '[]'],
    ['StructParents', '1'], ['LastModified', '(D:20260101000000Z)'], ['PresSteps', '<<>>'], ['VP', '[]'], ['AF', '[]'], ['TemplateInstantiated', '/x'], ['Type', '/Pages'],
  ] as const; // prettier-ignore
  const [key, value] = dice.one(entries);
  draft.put(page, key, dice.chance(0.9) ? value : null);
};

const pageTree: Edit = (draft, dice) => {
  const fresh = draft.add(`<</Type/Page/Parent 2 0 R/Resources 7 0 R/Contents ${draft.add(streamText(evilText))} 0 R>>`);
  dice.one([
    () => draft.putList(at.pages, 'Kids', dice.one([[`${at.secondPage} 0 R`, `${at.page} 0 R`], [`${fresh} 0 R`, `${at.secondPage} 0 R`], [`${at.page} 0 R`], [`${at.page} 0 R`, `${at.page} 0 R`]])),
    () => draft.put(at.pages, 'Rotate', '90'),
    () => draft.put(at.pages, 'Count', dice.one(['1', '3', '0'])),
    () => draft.put(at.pages, 'MediaBox', '[0 0 300 300]'),
    () => draft.put(at.pages, 'Resources', '<<>>'),
    () => draft.put(at.pages, 'ITXT', '(5.0.0)'),
  ])();
}; // prettier-ignore

const catalogEntry: Edit = (draft, dice) => {
  const tree = draft.add(`<</Type/Pages/Kids[${at.secondPage} 0 R]/Count 1/MediaBox[0 0 595 842]>>`);
  const entries = [
    ['Pages', `${tree} 0 R`], ['OpenAction', `[${at.secondPage} 0 R/Fit]`], ['OpenAction', '<</S/JavaScript/JS(1)>>'], ['Names', '<<>>'], ['PageMode', '/FullScreen'], ['PageLayout', '/TwoColumnLeft'],
    ['ViewerPreferences', '<</HideToolbar true>>'], ['Lang', '(en)'], ['Version', '/2.0'], ['Extensions', '<</ESIC<</BaseVersion/1.7/ExtensionLevel 5>>>>'], ['Metadata', `${at.image} 0 R`],
    ['StructTreeRoot', `${draft.add('<</Type/StructTreeRoot>>')} 0 R`], ['MarkInfo', '<</Marked false>>'], ['Perms', '<<>>'], ['AcroForm', `${draft.add(draft.text(at.form))} 0 R`], ['AcroForm', '<</Fields[]>>'],
    ['Outlines', '<<>>'], ['AA', '<</WS<</S/Named/N/Print>>>>'], ['Dests', '<<>>'], ['PageLabels', '<<>>'], ['Collection', '<<>>'], ['NeedsRendering', 'true'], ['Requirements', '[]'], ['Legal', '<<>>'], ['URI', '<<>>'],
  ] as const; // prettier-ignore
  const [key, value] = dice.one(entries);
  if (dice.chance(0.25) && draft.get(draft.catalog, 'OCProperties') !== undefined) layers(draft, dice);
  else draft.put(draft.catalog, key, dice.chance(0.9) ? value : null);
};

/** What is switched on and off. */
function layers(draft: Draft, dice: Dice): void {
  const config = numberIn(entriesOf(draft.get(draft.catalog, 'OCProperties') ?? '').entries.get('D'));
  const text = draft.text(config);
  draft.set(
    config,
    dice.one([text.replace('/OFF[', '/ON['), text.replace('/ON[', '/OFF['), text.replace('<<', '<</BaseState/OFF'), '<<>>']),
  );
}

const validationData: Edit = (draft, dice) => {
  const stream = (): number => draft.add(streamText('dados'));
  const store = numberIn(draft.get(draft.catalog, 'DSS'));
  dice.one([
    () => draft.put(draft.catalog, 'DSS', `<</Certs[${stream()} 0 R]/CRLs[${stream()} 0 R]>>`),
    () => draft.put(draft.catalog, 'DSS', `${draft.add(`<</VRI<</ABCD<</Cert[${stream()} 0 R]/TU(D:2026)>>>>>>`)} 0 R`),
    () => draft.put(draft.catalog, 'DSS', `<</Certs[${at.content} 0 R]>>`),
    () => draft.put(draft.catalog, 'DSS', null),
    () => store > 0 && draft.set(store, `<</Certs[${at.image} 0 R]>>`),
    () => store > 0 && draft.set(dice.one([at.content, at.image, at.resources, at.page]), streamText(evilText)),
  ])();
};

const streams: Edit = (draft, dice) => {
  const own = draft.numbers().filter((num) => draft.isStream(num) && num !== 40);
  const num = dice.one(own);
  const text = draft.text(num);
  const data = /stream\r?\n([\s\S]*?)\s*endstream/.exec(text)?.[1] ?? '';
  const evil = data.replace('100,00', '900,00').replace('antes', 'depois');
  dice.one([
    () => draft.set(num, streamText(evil === data ? evilText : evil, [...entriesOf(text).entries].filter(([key]) => key !== 'Length').map(([key, value]) => `/${key} ${value}`).join(''))),
    () => draft.put(num, 'Length', dice.one(['0', '5', '9999', `${draft.add(String(data.length))} 0 R`, '-1'])),
    () => draft.put(num, 'Filter', dice.one(['/FlateDecode', '[]', 'null', '/Crypt', '[/ASCIIHexDecode]'])),
    () => draft.put(num, 'Filter', `/ASCIIHexDecode/Length ${evil.length * 2 + 1}`),
    () => draft.put(num, 'F', '(outro.bin)'),
    () => draft.put(num, 'DecodeParms', '<</Predictor 12>>'),
    () => draft.put(num, 'Resources', `<</Font<</F1 ${draft.add('<</Type/Font/Subtype/Type1/BaseFont/Courier-Bold>>')} 0 R>>>>`),
    () => draft.put(num, 'Matrix', '[2 0 0 2 0 0]'),
    () => draft.put(num, 'BBox', '[0 0 900 900]'),
    () => draft.put(num, 'OC', `${at.info} 0 R`),
    () => draft.set(num, `${text}\n${streamText(evilText)}`),
  ])();
}; // prettier-ignore

/** An object as it is, or nearly, in a spelling that somebody reads otherwise. */
const spelling: Edit = (draft, dice) => {
  const num = dice.one([
    at.page,
    at.content,
    at.pages,
    draft.catalog,
    at.form,
    at.open,
    at.fixed,
    at.resources,
    ...draft.numbers().filter((one) => one > 49),
  ]);
  const text = draft.text(num);
  const evil = text
    .replace('/Contents 4 0 R', '/Contents 11 0 R')
    .replace('100,00', '900,00')
    .replace('/F 4', '/F 2')
    .replace('/MediaBox[0 0', '/MediaBox[99 99');
  const [key, value] = dice.one([...entriesOf(text).entries, ['Rotate', '0'] as const]);
  const other = dice.one(['90', 'null', '2', `${at.secondContent} 0 R`, '[]', '<<>>', '/Off', '(x)']);
  dice.one([
    () => draft.set(num, text.replace('<<', `<</${key} ${other} `)),
    () => draft.set(num, text.replace('<<', `<</${key.slice(0, 1)}#${key.charCodeAt(1).toString(16)}${key.slice(2)} ${other} `)),
    () => draft.set(num, text.replace(/>>(?![\s\S]*>>)/, `/${key} ${other}>>`)),
    () => draft.set(num, `${evil}\n${text}`),
    () => draft.set(num, `${text}\n${evil}`),
    () => draft.set(num, text.replace('<<', `<<%\r/${key} ${other}\n`)),
    () => draft.set(num, text.replace(/\b(\d+)\b(?! \d+ R| R)/, dice.one(['$1.0', '+$1', '--$1', '0$1', '$1e0', '$1.']))),
    () => draft.set(num, text.replace(`/${key}`, `/${key}\0`)),
    () => draft.set(num, `${text}\nendobj\n${num} 0 obj\n${evil}`),
    () => draft.set(num, `${text} %endobj ${num} 0 obj ${evil.replaceAll('\n', ' ')}\n`),
    () => draft.put(num, key, `${draft.add(value)} 0 R`),
    () => draft.set(num, text),
  ])();
};

/** Anything at all: an entry of one object becomes a value of another. */
const anything: Edit = (draft, dice) => {
  const owners = draft.numbers().filter((num) => draft.isDictionary(num) && num !== 40);
  const [owner, donor] = [dice.one(owners), dice.one(owners)];
  const from = [...entriesOf(draft.text(donor)).entries];
  const [key, value] = from.length > 0 ? dice.one(from) : (['x', 'null'] as const);
  const own = draft.keys(owner);
  dice.one([
    () => draft.put(owner, own.length > 0 && dice.chance(0.6) ? dice.one(own) : key, value),
    () => draft.put(owner, own.length > 0 ? dice.one(own) : key, `${dice.one(draft.numbers())} 0 R`),
    () => own.length > 0 && draft.put(owner, dice.one(own), null),
    () => draft.set(owner, draft.text(donor)),
    () => {
      const lists = [...entriesOf(draft.text(owner)).entries].filter(([, text]) => text.startsWith('['));
      if (lists.length === 0) return;
      const [name, text] = dice.one(lists);
      draft.put(owner, name, `[${itemsOf(text).toReversed().join(' ')}]`);
    },
  ])();
};

/** By weight. */
export const edits: readonly (readonly [weight: number, kind: Kind, edit: Edit])[] = [
  [3, 'annotation', reorder],
  [1, 'annotation', newAnnotation],
  [5, 'annotation', flags],
  [2, 'annotation', state],
  [2, 'annotation', otherLook],
  [3, 'annotation', lookInPlace],
  [2, 'annotation', annotationEntry],
  [8, 'field', fill],
  [2, 'field', fieldEntry],
  [2, 'field', newField],
  [2, 'field', formEntry],
  [3, 'page', pageEntry],
  [1, 'page', pageTree],
  [3, 'catalog', catalogEntry],
  [3, 'validation data', validationData],
  [3, 'stream', streams],
  [4, 'object', spelling],
  [4, 'object', anything],
];
