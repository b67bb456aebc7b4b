import { PadesError } from '../../errors.ts';
import type { Change, ReasonCode, SignatureReport } from '../../verify/report.ts';
import type { AttackWorld } from '../attacks/world.ts';
import { Dice } from './dice.ts';
import type { Find, Oracle } from './oracle.ts';
import { rollBase, rollStory } from './story.ts';

/** A rule that a verifier could lack. */
interface Blindness {
  readonly isBlindTo: (change: Change) => boolean;
  /** What shows that the hunt would have found out. */
  readonly isShownBy?: (find: Find) => boolean;
}

const blindToKinds = (...kinds: readonly Change['kind'][]): Blindness => ({ isBlindTo: ({ kind }) => kinds.includes(kind) });

const blindnesses: Readonly<Record<string, Blindness>> = {
  'the order and number of annotations': { isBlindTo: ({ level, kind }) => level === 'forbidden' && kind === 'annotation-changed' },
  'annotations that come, go and change': { isBlindTo: ({ level }) => level === 'annotate' },
  'sections that readers follow differently': blindToKinds(
    'cross-reference',
    'hidden-object-revealed',
    'ambiguous-object',
    'data-after-end',
  ),
  'flags and entries of fields': blindToKinds('field-altered'),
  'flags of fields, where only paper shows it': {
    ...blindToKinds('field-altered'),
    isShownBy: ({ seenBy }) => seenBy.every((view) => view.endsWith('in print')),
  },
  'looks without a value': blindToKinds('appearance-replaced'),
  'objects with more than one role': blindToKinds('object'),
  'page content': blindToKinds('page-content'),
  'the page tree': blindToKinds('page-tree'),
  'the catalog and the trailer': blindToKinds('catalog', 'trailer'),
  'new fields and boxes': blindToKinds('field-added', 'signature-field-added'),
};

/** Reasons that judging the later changes gives. */
const ofChanges = new Set<ReasonCode>(['CHANGED_AFTER_SIGNATURE', 'BOX_ADDED_AFTER_CERTIFICATION', 'BOX_OVER_FIELD']);
const storiesOfOne = 10;

/** After how many files each blindness was found out; null: it was not. */
export type Caught = ReadonlyMap<string, number | null>;

/**
 * Asks the drawers about judges that lack a rule: a verifier that is blind in that way must be found out by what the grammar
 * makes, or the hunt's silence says nothing.
 */
export async function findOut(world: AttackWorld, oracle: Oracle, seed: number, isDue: () => boolean): Promise<Caught> {
  const caught = new Map<string, number | null>(Object.keys(blindnesses).map((name) => [name, null]));
  let files = 0;
  for (let next = seed; !isDue() && [...caught.values()].includes(null); next++) {
    const dice = new Dice(next);
    const roll = await rollBase(dice, world);
    if (roll.honest) continue;
    for (let count = 0; count < storiesOfOne && !isDue(); count++) {
      const made = await rollStory(roll, dice, world).catch((error: unknown) => {
        if (error instanceof PadesError) return null;
        throw error;
      });
      if (made === null) continue;
      files++;
      const { signatures } = await oracle.judge(made.file);
      const ana = signatures.find(({ fields }) => fields.includes('ana'));
      const open = Object.entries(blindnesses).filter(([name]) => caught.get(name) === null);
      const fooled = open.filter(([, blindness]) => ana !== undefined && passes(ana, blindness));
      for (const name of await shown(made.file, ana, fooled, oracle)) caught.set(name, files);
    }
  }
  return caught;
}

/** A judge that is blind in that way lets the signature pass. */
function passes({ indication, reasons, forbidden }: SignatureReport, { isBlindTo }: Blindness): boolean {
  return indication !== 'TOTAL-PASSED' && reasons.every((reason) => ofChanges.has(reason)) && forbidden.every(isBlindTo);
}

async function shown(
  file: Uint8Array,
  ana: SignatureReport | undefined,
  fooled: readonly (readonly [string, Blindness])[],
  oracle: Oracle,
): Promise<string[]> {
  const names: string[] = [];
  for (const [name, { isBlindTo, isShownBy }] of fooled) {
    if (ana === undefined) continue;
    // Who does not see a change claims no box for it either.
    const changes = ana.changes.filter((change) => !isBlindTo(change));
    const find = await oracle.look(file, [{ ...ana, changes }]);
    if (find !== null && (isShownBy?.(find) ?? true)) names.push(name);
  }
  return names;
}
