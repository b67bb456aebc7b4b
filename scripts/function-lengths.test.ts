import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';

interface Override {
  files: string[];
  rules: Record<string, unknown>;
}

it('a function takes 60 lines at most; the list of files that are excepted names none that keeps the rule', () => {
  const config = JSON.parse(readFileSync('.oxlintrc.json', 'utf8').replaceAll(/^\s*\/\/.*$/gm, '')) as { overrides: Override[] };
  const isList = ({ files, rules }: Override) => rules['max-lines-per-function'] === 'off' && files.every((path) => !path.includes('*'));
  const [list] = config.overrides.filter(isList);
  assert.ok(list);
  // Beside the true one: its patterns count from where it stands.
  const strict = `.oxlintrc.${process.pid}.json`;
  try {
    writeFileSync(strict, JSON.stringify({ ...config, overrides: config.overrides.filter((override) => !isList(override)) }));
    const oxlint = ['node_modules/oxlint/bin/oxlint', '-c', strict, '-f', 'unix', 'apps', 'packages'];
    const { stdout } = spawnSync(process.execPath, oxlint, { encoding: 'utf8', maxBuffer: 1 << 26 });
    const long = stdout.split('\n').filter((line) => line.includes('max-lines-per-function'));
    assert.deepEqual([...new Set(long.map((line) => line.split(':')[0]))].toSorted(), list.files.toSorted());
  } finally {
    rmSync(strict);
  }
});
