import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const root = join(import.meta.dirname, '..');

/** Names with underscores that are no column: other people's words. */
const othersWords =
  /\b(application_name|client_id|client_secret|(id|access|refresh)_token|expires_in|redirect_uri|end_session_endpoint|\w*heap_size\w*|space_\w+)\b/g;

/** A member, or a part of a pattern or object, whose name is written like a column. */
const column = /(?:\.|[{,]\s*)[a-z]+(?:_[a-z]+)+\b/;

/** Files outside of stores in which a column's name stands. */
function filesThatShowColumns(): string[] {
  const paths = globSync('**/*.ts', { cwd: root }).filter(
    (path) => !/^identity[\\/]|\.store\.ts$|\.test\.ts$|^testing[\\/]|^db[\\/]/.test(path),
  );
  return paths.filter((path) => {
    const source = readFileSync(join(root, path), 'utf8')
      .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      .replaceAll(/'[^'\n]*'|`[^`]*`/g, "''")
      .replaceAll(othersWords, '');
    return column.test(source);
  });
}

it('rows never leave a store: a column’s name stands in stores alone', () => {
  assert.deepEqual(filesThatShowColumns(), []);
});
