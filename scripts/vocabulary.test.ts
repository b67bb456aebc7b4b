import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const page = readFileSync('docs/vocabulary.md', 'utf8');
const table = page.slice(page.indexOf("## The industry's words"));

/** Comments of a file, each in one line. */
function comments(path: string): string {
  const found = readFileSync(path, 'utf8').match(/\/\*\*[\s\S]*?\*\/|\/\/.*/g) ?? [];
  return found
    .join('\n')
    .replaceAll(/\s*\n \*\s/g, ' ')
    .toLowerCase();
}

test("the industry's word stands in a comment where docs/vocabulary.md says that the thing is", () => {
  const rows = [...table.matchAll(/^\| (?!word|---)([^|]+) \|[^|]+\| ([^|]+) \|$/gm)];
  assert.ok(rows.length > 20);
  for (const [, words = '', places = ''] of rows) {
    const told = [...places.matchAll(/`([^`]+)`/g)].map(([, path = '']) => comments(path)).join('\n');
    for (const word of words.split(', ')) assert.ok(told.includes(word.toLowerCase()), `${word}: ${places}`);
  }
});
