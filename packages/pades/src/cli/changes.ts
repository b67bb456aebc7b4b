import type { Change } from '../verify/report.ts';
import { changeKinds } from './texts.ts';

/** One line for each kind of change that followed a signature: what is forbidden first, equal changes together. */
export function describeChanges(changes: readonly Change[]): string[] {
  const groups = new Map<string, { forbidden: boolean; fields: Set<string>; count: number }>();
  for (const { level, kind, field } of changes) {
    const forbidden = level === 'forbidden';
    const text = `${changeKinds[kind]}${forbidden ? ' — NÃO PERMITIDO' : ''}`;
    const group = groups.get(text) ?? { forbidden, fields: new Set(), count: 0 };
    groups.set(text, group);
    group.count += 1;
    if (field !== null) group.fields.add(field);
  }
  return [...groups]
    .toSorted(([, a], [, b]) => Number(b.forbidden) - Number(a.forbidden))
    .map(([text, { fields, count }]) => {
      const where = fields.size > 0 ? `: ${[...fields].join(', ')}` : count > 1 ? ` (${count} vezes)` : '';
      return `  Depois dela:   ${text}${where}`;
    });
}
