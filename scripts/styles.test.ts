import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join, normalize } from 'node:path';
import { describe, it } from 'node:test';

const root = 'apps/web/src';
const INDEX = `${root}/styles/index.css`;
const TOKENS = `${root}/styles/tokens.css`;
const sheets = globSync(`${root}/**/*.css`).toSorted();
/** What names classes: the pages' code, and the first page as it is sent. */
const code = ['apps/web/index.html', ...globSync(`${root}/**/*.{ts,tsx}`).filter((path) => !path.includes('.test.'))]
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

/** The rules of a sheet: under which condition, for what, saying what. */
function rules(path: string): { condition: string; selector: string; body: string }[] {
  const text = readFileSync(path, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const found: { condition: string; selector: string; body: string }[] = [];
  let condition = '';
  for (const [, start = '', body, end] of text.matchAll(/([^{}]*)(?:\{([^{}]*)\}|\{|(\}))/g)) {
    if (end) condition = '';
    else if (body === undefined) condition = start.trim();
    else found.push({ condition, selector: start.trim().replaceAll(/\s+/g, ' '), body });
  }
  return found;
}

describe('the style sheets', () => {
  it('stand in one list each, or are fetched with the part that alone needs them', () => {
    const listed = [...readFileSync(INDEX, 'utf8').matchAll(/@import '(.+)'/g)].map(([, path = '']) =>
      normalize(join(root, 'styles', path)),
    );
    const lazy = sheets.filter((path) => !listed.includes(path) && path !== INDEX);
    assert.deepEqual(
      lazy.filter((path) => !code.includes(`'./${basename(path)}'`)),
      [],
    );
    assert.deepEqual(
      listed.filter((path) => !sheets.includes(path) || code.includes(`/${basename(path)}'`)),
      [],
    );
  });

  it('say one thing once', () => {
    const seen = new Map<string, string>();
    const twice: string[] = [];
    for (const path of sheets)
      for (const { condition, selector } of rules(path)) {
        // One for each file of letters: they are told apart by what stands in them.
        if (selector === '@font-face') continue;
        const key = `${condition} ${selector}`.trim();
        if (seen.has(key)) twice.push(`${key}: ${seen.get(key)} and ${path}`);
        seen.set(key, path);
      }
    assert.deepEqual(twice, []);
  });

  it('take colours, corners and sizes of letters from the tokens', () => {
    const own = sheets
      .filter((path) => path !== TOKENS)
      .flatMap((path) =>
        rules(path).flatMap(({ selector, body }) =>
          [...body.matchAll(/#[0-9a-f]{3,8}\b|\brgba?\([^)]*\)|border-radius: [48]px|border-radius: 12px|font-size: 1[4579]px/gi)].map(
            ([colour]) => `${path} ${selector}: ${colour}`,
          ),
        ),
      );
    assert.deepEqual(own, []);
    const known = new Set([...readFileSync(TOKENS, 'utf8').matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
    const used = sheets.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name));
    const setByCode = (name: string) => code.includes(`'${name}'`) || name.startsWith('--react-aria') || name.startsWith('--trigger');
    assert.deepEqual(
      [...new Set(used)].filter((name) => !known.has(name) && !setByCode(name)),
      [],
    );
  });

  it('name no class that no part has', () => {
    const classes = new Set(sheets.flatMap((path) => rules(path).flatMap(({ selector }) => selector.match(/\.[a-z][\w-]*/g) ?? [])));
    // Some are put together: `notice-${kind}`, `stamp-${position}`.
    const prefixes = [...code.matchAll(/([a-z][a-z-]*-)\$\{/g)].map(([, prefix = '']) => prefix);
    const isUsed = (name: string) =>
      new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`).test(code) || prefixes.some((prefix) => name.startsWith(prefix));
    assert.deepEqual(
      [...classes].map((name) => name.slice(1)).filter((name) => !isUsed(name)),
      [],
    );
  });
});
