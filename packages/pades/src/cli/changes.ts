import type { Change } from '../verify/report.ts';

/** One line for each change that followed a signature. */
export function describeChanges(changes: readonly Change[]): string[] {
  return changes.map(
    ({ level, kind, field }) => `  depois: ${kind}${field === null ? '' : ` ${field}`}${level === 'forbidden' ? ' — NÃO PERMITIDO' : ''}`,
  );
}
