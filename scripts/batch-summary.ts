export interface BatchSummary {
  passed: number;
  failed: number;
  skipped: number;
  /** The failed tests with their messages; undefined: none were told. */
  whatFailed: string | undefined;
}

/** What the spec reporter of Node's runner tells at its end, however long the messages behind its figures are. Without an end all are 0. */
export function batchSummary(said: string): BatchSummary {
  const end = said.slice(Math.max(0, said.lastIndexOf('\nℹ tests ')));
  const count = (what: string) => Number(new RegExp(`ℹ ${what} (\\d+)`).exec(end)?.[1] ?? 0);
  const whatFailed = /✖ failing tests:\n([\s\S]*)$/.exec(end)?.[1]?.trim();
  return { passed: count('pass'), failed: count('fail') + count('cancelled'), skipped: count('skipped'), whatFailed };
}
