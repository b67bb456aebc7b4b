import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const page = readFileSync('docs/architecture.md', 'utf8');
const tree = page.slice(page.indexOf('## The tree'), page.indexOf('## One request'));
const rules = readFileSync('.dependency-cruiser.mjs', 'utf8');

function folders(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

describe('docs/architecture.md', () => {
  for (const place of ['apps/server/src', 'apps/server/src/features', 'apps/server/src/features/processes', 'packages']) {
    it(`names every room of ${place}`, () => {
      const missing = folders(place).filter((name) => !new RegExp(String.raw`(^|\s)${name}/`, 'm').test(tree));
      assert.deepEqual(missing, []);
    });
  }

  it('names in its tree and its walks no file and no room that is not there', () => {
    const paths = [...page.matchAll(/`((?:apps|packages|scripts)\/[\w./-]+)`/g)].map(([, path = '']) => path);
    assert.ok(paths.length > 10);
    assert.deepEqual(
      paths.filter((path) => !existsSync(path)),
      [],
    );
    const rooms = [...tree.matchAll(/^ {4}(?: {2})?([\w-]+)\/ /gm)].map(([, name = '']) => name);
    assert.ok(rooms.length > 20);
    const places = ['apps/server/src', 'apps/server/src/features'];
    assert.deepEqual(
      rooms.filter((name) => !places.some((place) => existsSync(`${place}/${name}`))),
      [],
    );
  });

  it('draws the features on the floors that the arrows hold', () => {
    const floors = /FEATURE_FLOORS = \[([\s\S]*?)\n\];/.exec(rules)?.[1] ?? '';
    const held = [...floors.matchAll(/\[(.*?)\]/gs)].map(([, floor = '']) =>
      [...floor.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name),
    );
    const drawing = page.slice(page.indexOf('each knows only those below:'), page.indexOf('A job that belongs'));
    const drawn = drawing
      .split('\n')
      .map((line) => (line.match(/[\w-]+/g) ?? []).filter((word) => held.flat().includes(word)))
      .filter((words) => words.length > 0);
    const sorted = (floor: string[]) => [...new Set(floor)].toSorted();
    assert.deepEqual(drawn.toReversed().map(sorted), held.map(sorted));
  });
});
