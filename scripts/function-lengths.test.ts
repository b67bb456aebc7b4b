import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

interface Override {
  files: string[];
  rules: Record<string, unknown>;
}

const rule = 'max-lines-per-function';

it('a function takes 60 lines at most, everywhere but in tests; no file and no function is excepted', () => {
  const { overrides } = JSON.parse(readFileSync('.oxlintrc.json', 'utf8')) as { overrides: Override[] };
  const held = overrides.filter(({ rules }) => rule in rules);
  assert.deepEqual(
    held.map(({ files, rules }) => ({ files, [rule]: rules[rule] })),
    [
      { files: ['apps/*/src/**/*.{ts,tsx}', 'packages/*/src/**/*.ts'], [rule]: ['error', { max: 60 }] },
      { files: ['**/*.test.{ts,tsx}', '**/testing/**'], [rule]: 'off' },
    ],
  );
  const sources = globSync(['apps/*/src/**/*.{ts,tsx}', 'packages/*/src/**/*.ts']);
  assert.ok(sources.length > 500);
  const disabled = sources.filter((path) => /(ox|es)lint-disable[^\n]*max-lines-per-function/.test(readFileSync(path, 'utf8')));
  assert.deepEqual(disabled, []);
});
