import type { Update } from './sections.ts';
import type { Step, Story } from './story.ts';

/** The same story with something left out; null when it is not there any more. */
export type Shorter = (story: Story) => Story | null;

/** Without a step, without an object of a step, without a trick, on a plainer document. */
export function shorterOf({ steps, document }: Story): Shorter[] {
  const ways: Shorter[] = [];
  // From the end: what is left out then moves nothing that is still to be tried.
  for (const [index, step] of [...steps.entries()].toReversed()) {
    ways.push((story) => ({ ...story, steps: story.steps.toSpliced(index, 1) }));
    if (typeof step !== 'string') ways.push(...shorterUpdates(index, step));
  }
  ways.push((story) => ({ ...story, document: { ...story.document, packed: [] } }));
  ways.push((story) => ({ ...story, document: { ...story.document, certified: 0 } }));
  for (const num of Object.keys(document.objects)) {
    ways.push((story) => ({ ...story, document: { ...story.document, objects: without(story.document.objects, num) } }));
  }
  return ways;
}

function shorterUpdates(index: number, step: Update): Shorter[] {
  const change = (to: (update: Update) => Update): Shorter => {
    return (story) => {
      const current: Step | undefined = story.steps[index];
      return current === undefined || typeof current === 'string' ? null : { ...story, steps: story.steps.with(index, to(current)) };
    };
  };
  return [
    change((update) => ({ ...update, trick: null, hidden: {} })),
    change((update) => ({ ...update, split: false, packed: false })),
    ...Object.keys(step.objects).map((num) => change((update) => ({ ...update, objects: without(update.objects, num) }))),
  ];
}

function without(objects: Readonly<Record<number, string>>, num: string): Record<number, string> {
  return Object.fromEntries(Object.entries(objects).filter(([key]) => key !== num));
}
