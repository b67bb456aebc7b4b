import { at } from '../attacks/bases.ts';
import { streamText } from '../attacks/write-revision.ts';
import type { ActName } from './acts.ts';
import type { Dice } from './dice.ts';
import { lookText, objectsOf, wrapped } from './documents.ts';
import type { DocumentSpec } from './documents.ts';
import { Draft } from './draft.ts';

/** Fields that a decent form has beside those of the contract. */
const choice = 50;
const box = 52;
const lines = 56;

/** A form as people make them: nothing in it is a trap. */
export function rollHonestDocument(dice: Dice): DocumentSpec {
  const draft = new Draft(objectsOf({ objects: {}, form: 'table', packed: [], certified: 0 }));
  const empty = streamText('', '/Type/XObject/Subtype/Form/BBox[0 0 20 20]');
  const tick = streamText('0 0 m 20 20 l S', '/Type/XObject/Subtype/Form/BBox[0 0 20 20]');
  const widget = (entries: string, page: number, rect: string): string =>
    `<</Type/Annot/Subtype/Widget/F 4/P ${page} 0 R/Rect[${rect}]${entries}>>`;
  const add = (num: number, page: number, text: string): void => {
    draft.set(num, text);
    draft.putList(page, 'Annots', [...draft.list(page, 'Annots'), `${num} 0 R`]);
    draft.putList(at.form, 'Fields', [...draft.list(at.form, 'Fields'), `${num} 0 R`]);
  };
  const look = dice.chance(0.5)
    ? `/AP<</N ${draft.add(streamText('/Tx BMC EMC', '/Type/XObject/Subtype/Form/BBox[0 0 150 40]'))} 0 R>>`
    : '';
  add(choice, at.page, widget(`/FT/Ch/Ff 131072/T(escolha)/Opt[(a)(b)]/V(a)/DA(/F1 12 Tf 0 g)${look}`, at.page, '300 500 400 540'));
  draft.set(53, tick);
  draft.set(54, empty);
  add(
    box,
    dice.chance(0.5) ? at.page : at.secondPage,
    widget('/FT/Btn/T(aceito)/V/Off/AS/Off/AP<</N<</Sim 53 0 R/Off 54 0 R>>>>', at.page, '300 560 320 580'),
  );
  if (dice.chance(0.5)) add(lines, at.secondPage, widget('/FT/Tx/Ff 4096/T(obs)/DA(/F1 10 Tf 0 g)', at.secondPage, '60 300 300 400'));
  if (dice.chance(0.3)) draft.put(at.page, 'Annots', `${draft.add(draft.get(at.page, 'Annots') ?? '[]')} 0 R`);
  if (dice.chance(0.3)) draft.put(at.form, 'Fields', `${draft.add(draft.get(at.form, 'Fields') ?? '[]')} 0 R`);
  if (dice.chance(0.2)) draft.put(at.pages, 'Rotate', dice.one(['90', '180', '270']));
  if (dice.chance(0.3)) draft.put(at.pages, 'Resources', `${at.resources} 0 R`);
  const { certified, ...spec } = wrapped(Object.fromEntries(draft.written), dice);
  // Who certifies without permitting anything wants no form.
  return { ...spec, certified: certified === 1 ? 0 : certified };
}

/** What another program than ours writes when somebody fills, renames, saves. */
const edits: readonly ((draft: Draft, dice: Dice) => number | null)[] = [
  (draft, dice) => {
    const resources = dice.one(['/Resources 7 0 R', '/Resources<</Font<</F1 5 0 R>>>>']);
    const num = draft.get(lines, 'T') === '(obs)' && dice.chance(0.4) ? lines : at.open;
    const text = `Brasil ${draft.numbers().length}`;
    draft.put(num, 'V', dice.one([`(${text})`, `<${Buffer.from(text, 'latin1').toString('hex')}>`, `${draft.add(`(${text})`)} 0 R`]));
    if (dice.chance(0.8)) draft.put(num, 'AP', `<</N ${draft.add(lookText(text, '1 1 1', resources))} 0 R>>`);
    if (dice.chance(0.3)) draft.put(num, 'M', '(D:20260304050607Z)');
    return null;
  },
  (draft, dice) => {
    const value = dice.one(['/Sim', '/Off']);
    draft.put(box, 'V', value);
    draft.put(box, 'AS', value);
    return null;
  },
  (draft) => {
    // Back to what was signed, it would have another look and the same value.
    if (draft.get(choice, 'V') !== '(a)') return null;
    draft.put(choice, 'V', '(b)');
    draft.put(choice, 'I', '[1]');
    draft.put(choice, 'AP', `<</N ${draft.add(lookText('b', '1 1 1'))} 0 R>>`);
    return null;
  },
  (draft) => {
    draft.set(at.metadata, streamText('<x:xmpmeta>2</x:xmpmeta>', '/Type/Metadata/Subtype/XML'));
    draft.put(at.info, 'ModDate', '(D:20260304050607Z)');
    return null;
  },
  (draft) => {
    draft.put(draft.catalog, 'Version', '/2.0');
    draft.put(draft.catalog, 'Extensions', '<</ESIC<</BaseVersion/1.7/ExtensionLevel 5>>>>');
    return null;
  },
  (draft) => {
    draft.put(at.pages, 'ITXT', '(5.5.13)');
    return null;
  },
  // Once: a root in between that is no root any more is there for whoever cuts the file.
  (draft) => (draft.catalog === at.catalog ? draft.add(draft.text(draft.catalog)) : null),
  (draft, dice) => {
    const num = dice.one([at.page, at.content, at.resources, at.fixed]);
    draft.set(num, draft.text(num));
    return null;
  },
];

/** One or two of these; the new number of the catalog, when it gets one. */
export function honestEdit(draft: Draft, dice: Dice): number | null {
  const root = dice.one(edits)(draft, dice);
  return root === null && dice.chance(0.3) ? dice.one(edits)(draft, dice) : root;
}

/** Whose turn it may be: everybody signs once, and no box comes to a certified page. */
export function honestActs(done: readonly (ActName | object)[], certified: number): ActName[] {
  const free: ActName[] = ['rui signs', 'somebody signs unseen', 'timestamp', 'archive'];
  if (certified === 0) free.push('somebody signs beside');
  return free.filter((name) => !done.includes(name));
}
