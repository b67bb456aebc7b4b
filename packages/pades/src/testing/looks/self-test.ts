import type { Change, ReasonCode, SignatureReport } from '../../verify/report.ts';
import type { AttackWorld } from '../attacks/world.ts';
import { Hunt } from './hunt.ts';
import type { Catch, Judge } from './hunt.ts';
import type { Oracle } from './oracle.ts';

/** A rule that a verifier could lack. */
interface Blindness {
  readonly isBlindTo: (change: Change) => boolean;
  /** The seed of a document whose stories find it out; another one when the grammar has changed. */
  readonly pin: number;
  /** Verdicts that it does not give either. */
  readonly silentOn?: readonly ReasonCode[];
  /** What shows that the hunt would have found out. */
  readonly isShownBy?: (found: Catch) => boolean;
}

const blindToKinds = (pin: number, ...kinds: readonly Change['kind'][]): Blindness => ({
  isBlindTo: ({ kind }) => kinds.includes(kind),
  pin,
});

/** Judges that lack a rule, by what they do not see. */
export const blindnesses: Readonly<Record<string, Blindness>> = {
  'the order and number of annotations': {
    isBlindTo: ({ level, kind }) => level === 'forbidden' && kind === 'annotation-changed',
    pin: 1095,
  },
  'annotations that come, go and change': { isBlindTo: ({ level }) => level === 'annotate', pin: 1515 },
  'sections that readers follow differently': blindToKinds(
    20,
    'cross-reference',
    'hidden-object-revealed',
    'ambiguous-object',
    'data-after-end',
  ),
  'flags and entries of fields': blindToKinds(2, 'field-altered'),
  'flags of fields, where only paper shows it': {
    ...blindToKinds(10, 'field-altered'),
    isShownBy: ({ seenBy }) => seenBy.every((view) => view.endsWith('in print')),
  },
  'looks without a value': blindToKinds(40, 'appearance-replaced'),
  'objects with more than one role': blindToKinds(29, 'object'),
  'page content': blindToKinds(1024, 'page-content'),
  'the page tree': blindToKinds(1460, 'page-tree'),
  'the catalog and the trailer': blindToKinds(1799, 'catalog', 'trailer'),
  'new fields and boxes': {
    ...blindToKinds(8, 'field-added', 'signature-field-added'),
    silentOn: ['BOX_ADDED_AFTER_CERTIFICATION', 'BOX_OVER_FIELD'],
  },
};

/**
 * Hunts with a verifier that lacks a rule: it must be found out by what the grammar makes, or the hunt's silence says nothing.
 * After how many files of this seed it was, and who saw it; null when it was not.
 */
export async function findOut(
  blindness: Blindness,
  seed: number,
  world: AttackWorld,
  oracle: Oracle,
  isDue: () => boolean = () => false,
): Promise<{ files: number; seenBy: readonly string[] } | null> {
  const hunt = new Hunt(world, oracle, { judge: blindJudge(blindness), shortens: false });
  for await (const found of hunt.go(seed, isDue)) {
    if (found.what === 'seen' && (blindness.isShownBy?.(found) ?? true)) return { files: hunt.tally.files, seenBy: found.seenBy };
  }
  return null;
}

function blindJudge(blindness: Blindness): Judge {
  return ({ signatures }) => {
    const fooled = signatures.filter((report) => report.fields.includes('ana') && passes(report, blindness));
    // Who does not see a change claims no box for it either.
    return fooled.map((report) => ({ ...report, changes: report.changes.filter((change) => !blindness.isBlindTo(change)) }));
  };
}

/** A judge that is blind in that way lets the signature pass. */
function passes({ indication, reasons, forbidden }: SignatureReport, { isBlindTo, silentOn = [] }: Blindness): boolean {
  const unsaid: readonly ReasonCode[] = ['CHANGED_AFTER_SIGNATURE', ...silentOn];
  return indication !== 'TOTAL-PASSED' && reasons.every((reason) => unsaid.includes(reason)) && forbidden.every(isBlindTo);
}
