import type { AttackWorld } from '../attacks/world.ts';
import { at } from '../attacks/bases.ts';
import { streamText } from '../attacks/write-revision.ts';
import { acts } from './acts.ts';
import type { ActName } from './acts.ts';
import type { Dice } from './dice.ts';
import { makeDocument, objectsOf, rollDocument } from './documents.ts';
import type { DocumentSpec } from './documents.ts';
import { Draft, objectsIn } from './draft.ts';
import { edits, evilText } from './edits.ts';
import type { Kind } from './edits.ts';
import { honestActs, honestEdit, rollHonestDocument } from './honest.ts';
import { rollForm, tricks, writeUpdate } from './sections.ts';
import type { Update } from './sections.ts';

export type Step = ActName | Update;

/** A signed file and what was done to it since, as data: a find is kept as this. */
export interface Story {
  readonly document: DocumentSpec;
  readonly steps: readonly Step[];
  /** Nobody means ill: everything in it must pass. */
  readonly honest: boolean;
  readonly kinds: readonly Kind[];
}

export interface MadeStory {
  readonly story: Story;
  readonly base: Uint8Array;
  readonly file: Uint8Array;
}

/** The file that a story tells of. */
export async function makeStory({ document, steps }: Pick<Story, 'document' | 'steps'>, world: AttackWorld): Promise<Uint8Array> {
  let file = await makeDocument(document, world);
  for (const step of steps) file = await take(file, step, world);
  return file;
}

function take(file: Uint8Array, step: Step, world: AttackWorld): Promise<Uint8Array> | Uint8Array {
  return typeof step === 'string' ? acts[step].act(file, world) : writeUpdate(file, step);
}

/** One document and the stories that begin with it: what it looked like is drawn once for all of them. */
export interface Roll {
  readonly document: DocumentSpec;
  readonly base: Uint8Array;
  readonly honest: boolean;
}

export async function rollBase(dice: Dice, world: AttackWorld): Promise<Roll> {
  const honest = dice.chance(0.25);
  const document = honest ? rollHonestDocument(dice) : rollDocument(dice);
  return { document, base: await makeDocument(document, world), honest };
}

/** A file as it grows, with its objects. */
class Growing {
  file: Uint8Array;
  readonly steps: Step[] = [];
  readonly kinds = new Set<Kind>();
  private catalog: number = at.catalog;
  private readonly known: Map<number, string>;
  private readonly world: AttackWorld;

  constructor({ document, base }: Roll, world: AttackWorld) {
    this.file = base;
    this.known = objectsOf(document);
    this.world = world;
  }

  draft(): Draft {
    return new Draft(this.known, this.catalog);
  }

  async take(step: Step): Promise<void> {
    const file = await take(this.file, step, this.world);
    for (const [num, text] of objectsIn(file.subarray(this.file.length))) this.known.set(num, text);
    if (typeof step !== 'string') {
      for (const [num, text] of Object.entries(step.objects)) this.known.set(Number(num), text);
      this.catalog = step.root ?? this.catalog;
    }
    this.file = file;
    this.steps.push(step);
    if (typeof step === 'string') this.kinds.add(acts[step].kind);
  }

  made({ document, base, honest }: Roll): MadeStory {
    return { story: { document, steps: this.steps, honest, kinds: [...this.kinds] }, base, file: this.file };
  }
}

export async function rollStory(roll: Roll, dice: Dice, world: AttackWorld): Promise<MadeStory> {
  const growing = new Growing(roll, world);
  await (roll.honest ? goOnHonestly(growing, roll, dice) : attack(growing, roll, dice));
  return growing.made(roll);
}

async function goOnHonestly(growing: Growing, { document }: Roll, dice: Dice): Promise<void> {
  growing.kinds.add('honest');
  for (let count = 1 + dice.number(4); count > 0; count--) {
    const free = honestActs(growing.steps, document.certified);
    if (dice.chance(0.5) && free.length > 0) {
      await growing.take(dice.one(free));
      continue;
    }
    const draft = growing.draft();
    const root = honestEdit(draft, dice);
    const form = { ...rollForm(dice, document.form), form: document.form };
    // A file without object streams gets none: old readers are served.
    const packed = form.packed && document.packed.length > 0;
    await growing.take({ objects: Object.fromEntries(draft.written), hidden: {}, ...form, packed, trick: null, root });
  }
}

/** What the most readers follow differently. */
const besides = Object.keys(tricks).filter((name) => name.startsWith('beside'));
const anybody = Object.keys(acts) as ActName[];
const total = edits.reduce((sum, [weight]) => sum + weight, 0);

async function attack(growing: Growing, { document }: Roll, dice: Dice): Promise<void> {
  if (dice.chance(0.25)) await growing.take(dice.one(anybody));
  const draft = growing.draft();
  const trick = dice.chance(0.3) ? dice.one(dice.chance(0.3) ? besides : Object.keys(tricks)) : null;
  const hidden = trick === null ? {} : smuggled(growing.draft(), dice);
  for (let count = trick === null ? dice.one([1, 1, 1, 2, 3]) : dice.number(2); count > 0; count--) {
    let roll = (dice.number(100_000) / 100_000) * total;
    const [, kind, edit] = edits.find(([weight]) => (roll -= weight) < 0) ?? dice.one(edits);
    growing.kinds.add(kind);
    edit(draft, dice);
  }
  const root = dice.chance(0.03) ? draft.add(draft.text(draft.catalog)) : null;
  const form = rollForm(dice, document.form);
  if (trick !== null || form.form !== document.form || form.packed || form.split) growing.kinds.add('section');
  if (draft.written.size === 0) draft.add('<<>>');
  await growing.take({ objects: Object.fromEntries(draft.written), hidden, ...form, trick, root });
  if (dice.chance(0.3)) await growing.take(dice.one(anybody));
}

/** Objects of the file with something else in them, for those who find them. */
function smuggled(draft: Draft, dice: Dice): Record<number, string> {
  const content = streamText(evilText);
  const fresh = Math.max(59, ...draft.numbers()) + 60;
  dice.one([
    () => draft.set(at.content, content),
    () => draft.put(at.page, 'Contents', `${at.secondContent} 0 R`),
    () => {
      draft.put(at.page, 'Contents', `${fresh} 0 R`);
      draft.set(fresh, content);
    },
    () => draft.put(at.pages, 'Kids', `[${at.secondPage} 0 R]`),
    () => draft.put(at.pages, 'Rotate', '180'),
    () => draft.put(at.fixed, 'F', '2'),
    () => draft.put(at.fixed, 'AP', `<</N ${at.image} 0 R>>`),
    () => draft.set(at.fixedLook, content),
    () => draft.put(draft.catalog, 'Pages', `${at.secondPage} 0 R`),
  ])();
  return Object.fromEntries(draft.written);
}
