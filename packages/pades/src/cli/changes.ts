import type { Change } from '../verify/report.ts';
import type { Texts } from './texts.ts';
import { labelled } from './labelled.ts';

/** One line for each kind of change that followed a signature: what is forbidden first, equal changes together. */
export function describeChanges(changes: readonly Change[], texts: Texts): string[] {
  const groups = new Map<string, { forbidden: boolean; fields: Set<string>; count: number }>();
  for (const { level, kind, field } of changes) {
    const forbidden = level === 'forbidden';
    const text = `${texts.changeKinds[kind]}${forbidden ? ` — ${texts.report.forbidden}` : ''}`;
    const group = groups.get(text) ?? { forbidden, fields: new Set(), count: 0 };
    groups.set(text, group);
    group.count += 1;
    if (field !== null) group.fields.add(field);
  }
  return [...groups]
    .toSorted(([, a], [, b]) => Number(b.forbidden) - Number(a.forbidden))
    .map(([text, { fields, count }]) => {
      const where = fields.size > 0 ? `: ${[...fields].join(', ')}` : count > 1 ? texts.report.times(count) : '';
      return labelled(texts, 'since', `${text}${where}`);
    });
}
