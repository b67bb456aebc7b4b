import type { Texts } from './texts.ts';

/** A line of a report: what it tells of, in a column as wide as the language's longest word, and what. */
export function labelled({ report: { labels } }: Texts, label: keyof Texts['report']['labels'], what: string): string {
  const width = Math.max(...Object.values(labels).map(({ length }) => length)) + 3;
  return `  ${`${labels[label]}:`.padEnd(width)}${what}`;
}
