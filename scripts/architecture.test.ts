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
    assert.deepEqual(drawn('each knows only those below:', 'A job that belongs'), held('FEATURE_FLOORS'));
  });

  it('draws the rooms of the engine on the floors that the arrows hold, and every one of them', () => {
    assert.deepEqual(drawn('(`ENGINE_FLOORS`)', 'A file is opened'), held('ENGINE_FLOORS'));
    assert.deepEqual(folders('packages/pades/src').toSorted(), [...held('ENGINE_FLOORS').flat(), 'testing'].toSorted());
  });
});

const sorted = (floor: readonly string[]) => [...new Set(floor)].toSorted();

/** From the ground up. */
function held(name: string): string[][] {
  const floors = new RegExp(String.raw`${name} = \[([\s\S]*?)\n\];`).exec(rules)?.[1] ?? '';
  return [...floors.matchAll(/\[(.*?)\]/gs)].map(([, floor = '']) => sorted([...floor.matchAll(/'([\w-]+)'/g)].map(([, one = '']) => one)));
}

/** What stands between two places of the page, of the rooms that it draws in columns before a word of theirs. */
function drawn(from: string, to: string): string[][] {
  const rooms = new Set([...held('FEATURE_FLOORS'), ...held('ENGINE_FLOORS')].flat());
  return page
    .slice(page.indexOf(from), page.indexOf(to))
    .split('\n')
    .map((line) => (line.split(/\s{8,}/)[0]?.match(/[\w-]+/g) ?? []).filter((word) => rooms.has(word)))
    .filter((words) => words.length > 0)
    .map(sorted)
    .toReversed();
}
